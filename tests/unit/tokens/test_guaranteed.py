"""No continuation takes away a token that ``guaranteed`` counts, and it gives up hardly more than one does."""

from __future__ import annotations

import random

import pytest
from continuations import CHARACTERS, CONTRACTIONS, common, completions, least_common, trials, vocabulary
from hypothesis import given, settings
from hypothesis import strategies as st
from prefixlint.tokens import get_tokenizer

ENCODINGS = ("o200k_base", "cl100k_base")


@pytest.mark.parametrize("name", ENCODINGS)
def test_random_continuations_take_nothing_away(name: str) -> None:
    tokenizer = get_tokenizer(name)
    words = vocabulary(tokenizer)
    rng = random.Random(1)
    tried = gap = 0
    made = trials(seed=20261129, texts=150, continuations=60)
    for trial in made:
        following = (*trial.continuations, *CHARACTERS, *CONTRACTIONS, *completions(rng, words, trial.text, 6))
        least, more = least_common(tokenizer, trial.text, following)
        sure = tokenizer.guaranteed(trial.text)
        assert sure <= least, (trial.text, more)
        tried += len(following) + 1
        gap += least - sure
    assert tried >= 20_000
    assert gap / len(made) < 0.1


# Each case: the text, a continuation that changes much, and how many tokens of the text it leaves.
@pytest.mark.parametrize(
    ("name", "text", "more", "left"),
    [
        ("o200k_base", "I don'", "t know", 1),  # o200k keeps "don't" in one piece
        ("cl100k_base", "I don'", "t know", 2),  # cl100k cuts before the apostrophe: only "'" becomes "'t"
        ("o200k_base", "Hello world", "s", 1),
        ("o200k_base", "Hello, ", "world", 2),  # the space joins the word
        ("o200k_base", "Hello, ", "2026", 3),
        ("o200k_base", "ends here.", "\n", 2),  # ".\n" is one token
        ("o200k_base", "foo   ", "x", 1),  # three spaces become two and " x"
        ("o200k_base", "line\n\n", "\n", 1),
        ("o200k_base", "line\n  ", "\n", 1),  # white space up to the last line break is one piece
        ("cl100k_base", "12", "3", 0),
        ("cl100k_base", "123", "4", 1),  # at most three digits make a piece
        ("o200k_base", "https:", "//", 1),
        ("o200k_base", "今天，", "\n", 1),
    ],
)
def test_a_continuation_known_to_change_it(name: str, text: str, more: str, left: int) -> None:
    tokenizer = get_tokenizer(name)
    assert common(tokenizer.encode(text), tokenizer.encode(text + more)) == left
    assert tokenizer.guaranteed(text) <= left


@pytest.mark.parametrize(
    ("name", "text", "sure"),
    [
        ("o200k_base", "", 0),
        ("o200k_base", "I don'", 1),
        ("cl100k_base", "I don'", 2),
        ("o200k_base", "Hello world", 1),
        ("cl100k_base", "123", 1),
        ("cl100k_base", "1234", 1),
        ("o200k_base", "foo   ", 1),
        ("o200k_base", "the", 0),
    ],
)
def test_the_bound_is_as_high_as_it_can_be(name: str, text: str, sure: int) -> None:
    assert get_tokenizer(name).guaranteed(text) == sure


def test_the_token_before_the_last_piece_can_go() -> None:
    """What tiktoken's ``encode_with_unstable`` misses: it calls ``user`` stable before an apostrophe."""
    tokenizer = get_tokenizer("o200k_base")
    text = "Answer the user'"
    tokens = tokenizer.encode(text)
    assert tokenizer.encode(text + "s")[: len(tokens) - 1] != tokens[:-1]
    assert tokenizer.guaranteed(text) == len(tokens) - 2


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_long_text_loses_no_more_than_a_short_one(name: str) -> None:
    tokenizer = get_tokenizer(name)
    body = "The manual has many pages. " * 2000
    for end in ("Today is ", "user'", "x = {", "\n\n", "今天天气"):
        lost = len(tokenizer.encode(end)) - tokenizer.guaranteed(end)
        assert len(tokenizer.encode(body + end)) - tokenizer.guaranteed(body + end) <= lost + 1


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("char", [" ", "\n", "a", "A", "字", "'", "1", "=", "\u0301"])
def test_a_long_run_of_one_character_ends_soon(name: str, char: str) -> None:
    tokenizer = get_tokenizer(name)
    text = char * 3000
    sure = tokenizer.guaranteed(text)
    for more in ("", char, " ", "x", "\n", "'s", "9"):
        assert sure <= common(tokenizer.encode(text), tokenizer.encode(text + more))


@settings(max_examples=150)
@given(
    text=st.text(st.characters(codec="utf-8"), max_size=20),
    more=st.text(st.characters(codec="utf-8"), max_size=8),
    name=st.sampled_from(ENCODINGS),
)
def test_any_text_and_continuation(text: str, more: str, name: str) -> None:
    tokenizer = get_tokenizer(name)
    assert tokenizer.guaranteed(text) <= common(tokenizer.encode(text), tokenizer.encode(text + more))
