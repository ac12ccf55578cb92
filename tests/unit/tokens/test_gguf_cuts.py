"""How a GGUF file's text is cut, for every name of a cut; tests/engines compares them with llama.cpp itself."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from continuations import common, completions, trials, vocabulary
from prefixlint.tokens.gguf import _backend, _families
from prefixlint.tokens.huggingface import HuggingFaceTokenizer, made_of
from test_huggingface import byte_level, trained

NAMES = sorted({family["names"][0] for family in _families().values()})


@cache
def uncut() -> dict[str, Any]:
    """A vocabulary trained on text that nothing cuts, so that its tokens reach over every kind of border."""
    state = json.loads(trained(None, byte_level(), size=2500, longest=16).to_str())["model"]
    words = sorted(state["vocab"], key=state["vocab"].get)
    return {
        "tokenizer.ggml.tokens": words,
        "tokenizer.ggml.token_type": [1] * len(words),
        "tokenizer.ggml.merges": [" ".join(pair) for pair in state["merges"]],
    }


@cache
def characters() -> dict[str, Any]:
    """The same of characters, with a token for each byte."""
    state = json.loads(trained(None, None, characters=True, size=1500, longest=16).to_str())["model"]
    words = [word.replace(" ", "▁") for word in sorted(state["vocab"], key=state["vocab"].get)]
    pairs = [[part.replace(" ", "▁") for part in pair] for pair in state["merges"]]
    return {
        "tokenizer.ggml.tokens": words,
        "tokenizer.ggml.token_type": [2] + [6] * 256 + [1] * (len(words) - 257),
        "tokenizer.ggml.merges": [" ".join(pair) for pair in pairs],
    }


@cache
def tokenizer(name: str) -> HuggingFaceTokenizer:
    metadata = {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": name}
    vocabulary = characters() if _families()[name].get("characters") else uncut()
    return made_of(name, _backend(Path("a.gguf"), {**metadata, **vocabulary}))


def pieces(name: str, text: str) -> list[str]:
    """The pieces of ``text``, found by what the cuts do to it before it is spelled in bytes."""
    backend = tokenizer(name)._backend
    assert backend.pre_tokenizer is not None
    return [text[start:end] for _, (start, end) in backend.pre_tokenizer.pre_tokenize_str(text)]


# By hand, from the patterns in llama.cpp's source.
@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("default", "a+b 12345", ["a", "+", "b", " ", "123", "45"]),
        ("falcon", "it's $12345", ["it", "'", "s", " ", "$", "123", "45"]),
        ("deepseek-llm", "it's a\n\n字12", ["it", "'", "s", " a", "\n", "\n", "字", "12"]),
        ("deepseek-coder", "x = 字12", ["x", " =", " ", "字", "1", "2"]),
        ("bloom", "well, so 12.", ["well", ",", " so", " 12", "."]),
        ("viking", "a 12", ["a", " ", "1", "2"]),
        ("minicpm5", "12345's", ["123", "45", "'s"]),
        ("ufakzeka", "Ankara'ya", ["Ankara", "'ya"]),
        ("superbpe", "on 1234567 and 12", ["on ", "1", "234", "567", " and ", "12"]),
        ("afmoe", "ab12345", ["ab", "12", "345"]),
        ("kimi-k2", "漢字abc's", ["漢字", "abc's"]),
        ("exaone-moe", "so it is 3", ["so it is", " ", "3"]),
        ("gemma4", "a b\n\nc", ["a b", "\n\n", "c"]),
        ("chameleon", "a    b", ["a", "    ", "b"]),
    ],
)
def test_pieces(name: str, text: str, wanted: list[str]) -> None:
    assert pieces(name, text) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_no_continuation_takes_a_guaranteed_token(name: str) -> None:
    ours = tokenizer(name)
    assert ours.not_analysed == ""
    words, rng = vocabulary(ours), random.Random(4)
    sure_of = 0
    for trial in trials(20261130, 25, 8):
        tokens = ours.encode(trial.text)
        sure = ours.guaranteed(trial.text)
        sure_of += sure
        for more in (*trial.continuations, *completions(rng, words, trial.text, 1)):
            assert common(tokens, ours.encode(trial.text + more)) >= sure, (trial.text, more)
    assert sure_of > 100


@pytest.mark.parametrize("name", NAMES)
def test_a_long_text_is_looked_at_from_its_end(name: str) -> None:
    ours = tokenizer(name)
    text = "The manual has 12 pages. " * 120 + "Today is "
    assert len(ours.encode(text)) - ours.guaranteed(text) < 40


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("char", ["a", "A", "1", "字", " "])
def test_a_long_run_of_one_character(name: str, char: str) -> None:
    ours = tokenizer(name)
    text = char * 120
    sure = ours.guaranteed(text)
    for more in ("", char, " ", "x", "\n", "9"):
        assert sure <= common(ours.encode(text), ours.encode(text + more))
