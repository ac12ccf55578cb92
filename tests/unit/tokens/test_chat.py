"""Framing counts against OpenAI's published counting rule, written out here by itself."""

from __future__ import annotations

import pytest
from prefixlint.tokens import TokenizerError, get_tokenizer
from prefixlint.tokens.chat import chat_format

# The cookbook's example conversation ("How to count tokens with tiktoken"); OpenAI's API counted 129 prompt tokens for
# gpt-3.5-turbo and gpt-4, and 124 for gpt-4o. Its `name` fields cost their own tokens and one more each.
EXAMPLE = [
    (
        "system",
        "",
        "You are a helpful, pattern-following assistant that translates corporate jargon into plain English.",
    ),
    ("system", "example_user", "New synergies will help drive top-line growth."),
    ("system", "example_assistant", "Things working well together will increase revenue."),
    (
        "system",
        "example_user",
        "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
    ),
    ("system", "example_assistant", "Let's talk later when we're less busy about how to do better."),
    (
        "user",
        "",
        "This late pivot means we don't have time to boil the ocean for the client deliverable.",
    ),
]


@pytest.mark.parametrize(("encoding", "counted_by_the_api"), [("cl100k_base", 129), ("o200k_base", 124)])
def test_chatml_gives_what_the_api_counted(encoding: str, counted_by_the_api: int) -> None:
    tokenizer = get_tokenizer(encoding)
    framing = chat_format("chatml")
    total = framing.opening + framing.generation
    for role, name, content in EXAMPLE:
        total += framing.head(role) + len(tokenizer.encode(content)) + framing.tail(role)
        total += len(tokenizer.encode(name)) + 1 if name else 0
    assert total == counted_by_the_api


@pytest.mark.parametrize("role", ["system", "user", "assistant", "developer", "tool"])
def test_a_role_is_one_token_as_chatml_assumes(role: str) -> None:
    assert [len(get_tokenizer(name).encode(role)) for name in ("o200k_base", "cl100k_base")] == [1, 1]


def test_none_adds_nothing_and_a_plain_prompt_has_no_frame() -> None:
    nothing = chat_format("none")
    assert (nothing.opening, nothing.generation, nothing.head("user"), nothing.tail("user")) == (0, 0, 0, 0)
    assert (chat_format("chatml").head(""), chat_format("chatml").tail("")) == (0, 0)


def test_an_unknown_format_names_those_there_are() -> None:
    with pytest.raises(TokenizerError, match="unknown chat format 'harmony'; there are chatml, none"):
        chat_format("harmony")
