"""Token starts against decoding every prefix of the tokens with Python's own decoder."""

from __future__ import annotations

import pytest
from continuations import SAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st
from prefixlint.tokens import get_tokenizer
from prefixlint.tokens.encodings import encoding_specs

ENCODINGS = ("o200k_base", "cl100k_base")
BYTES = {
    name: dict(zip(ranks.ranks, ranks.tokens, strict=True))
    for name in ENCODINGS
    for ranks in [encoding_specs()[name].load()]
}


def starts_by_decoding(name: str, text: str) -> list[int]:
    """Characters that are whole before each token: the decoder drops the part of a character at the end of a prefix."""
    parts = [BYTES[name][token] for token in get_tokenizer(name).encode(text)]
    assert b"".join(parts).decode() == text
    return [len(b"".join(parts[:at]).decode("utf-8", "ignore")) for at in range(len(parts))]


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_samples(name: str, sample: str) -> None:
    assert get_tokenizer(name).token_starts(SAMPLES[sample]) == starts_by_decoding(name, SAMPLES[sample])


@settings(max_examples=200)
@given(text=st.text(st.characters(codec="utf-8"), max_size=40), name=st.sampled_from(ENCODINGS))
def test_any_text(text: str, name: str) -> None:
    assert get_tokenizer(name).token_starts(text) == starts_by_decoding(name, text)


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", []),
        ("Hello world", [0, 5]),
        ("今天天气", [0, 1, 3]),
        # Two tokens of one character: U+1F469 is F0 9F 91 A9, and no token has all four bytes.
        ("a 👩", [0, 1, 2]),
    ],
)
def test_by_hand(text: str, starts: list[int]) -> None:
    assert get_tokenizer("o200k_base").token_starts(text)[: len(starts)] == starts


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_lone_surrogate_is_one_character(name: str) -> None:
    tokenizer = get_tokenizer(name)
    assert tokenizer.encode("a\ud83d b") == tokenizer.encode("a\ufffd b")
    assert tokenizer.encode("\ud83d\ude00") == tokenizer.encode("\ufffd\ufffd")
    assert tokenizer.token_starts("a\ud83d b")[-1] == 2
    assert tokenizer.guaranteed("a \ud83d") <= len(tokenizer.encode("a \ud83d"))
