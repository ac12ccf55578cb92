"""Tokenizers for rendered chats: special tokens in the text count, and the bound holds beside them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
import tiktoken
from continuations import common, trials
from prefixlint.tokens import get_tokenizer
from prefixlint.tokens.encodings import encoding_specs
from test_huggingface import make

if TYPE_CHECKING:
    from pathlib import Path

HARMONY = ("<|start|>", "<|message|>", "<|end|>", "<|end|", "<|mess", "<|", "|>", "<")
ADDED = ("<|end|>", "<|end|>[[", "<|end|", "<think>", "</think>", "[[x]]", "<th", "<|", " ", "\n\n")


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("chat") / "tokenizer.json"
    make("added").save(str(path))
    return str(path)


def test_special_tokens_count_in_a_chat_alone(added: str) -> None:
    for name, content in ((added, "<|end|>"), ("o200k_harmony", "<|end|>")):
        assert len(get_tokenizer(name, chat=True).encode(content)) == 1
        assert len(get_tokenizer(name).encode(content)) > 1


def test_tiktoken_finds_the_same_special_tokens() -> None:
    spec = encoding_specs()["o200k_harmony"]
    ranks = spec.load()
    theirs = tiktoken.Encoding(
        "theirs",
        pat_str=spec.pattern,
        mergeable_ranks=dict(zip(ranks.tokens, ranks.ranks, strict=True)),
        special_tokens=dict(spec.special),
    )
    text = "<|start|>system<|message|>Knowledge: <|end|><|end| <|return|>"
    assert get_tokenizer("o200k_harmony", chat=True).encode(text) == theirs.encode(text, allowed_special="all")


@pytest.mark.parametrize("name", ["o200k_harmony", "added"])
def test_no_continuation_takes_anything_away_beside_special_tokens(name: str, added: str) -> None:
    marks = HARMONY if name == "o200k_harmony" else ADDED
    tokenizer = get_tokenizer(added if name == "added" else name, chat=True)
    rng = random.Random(name)
    tight = 0
    for trial in trials(7, 150, 12):
        text = trial.text
        for _ in range(rng.randint(0, 2)):
            at = rng.choice([len(text), rng.randrange(len(text) + 1)])
            text = text[:at] + rng.choice(marks) + text[at:]
        tokens = tokenizer.encode(text)
        bound = tokenizer.guaranteed(text)
        tight += bound == len(tokens)
        # A mark that the text only starts is finished, as well.
        rests = [mark[len(start) :] for mark in marks for start in marks if mark.startswith(start) and mark != start]
        for following in [*trial.continuations, *marks, *rests]:
            assert common(tokens, tokenizer.encode(text + following)) >= bound, (text, following)
    assert tight > 10


def test_nothing_is_lost_behind_a_special_token(added: str) -> None:
    text = "Rules. <|end|>"
    for name in ("o200k_harmony", added):
        tokenizer = get_tokenizer(name, chat=True)
        assert tokenizer.guaranteed(text) >= len(tokenizer.encode(text)) - (name == added)
    assert get_tokenizer("o200k_harmony", chat=True).guaranteed(text) == 4
