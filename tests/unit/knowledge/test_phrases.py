"""Phrases of prompts: what counts, where it ends, and that every row of the data can be found."""

from __future__ import annotations

import tomllib
from importlib import resources
from itertools import product

import pytest
from prefixlint.knowledge.phrases import phrases

RAW = tomllib.loads(resources.files("prefixlint.knowledge").joinpath("phrases.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("you are a poet. your task: rhyme.", ["you are a", "your task"]),
        ("bayou are the place", []),  # inside a word
        ("you are another", []),  # the last word goes on
        ("please ensures", ["please ensure"]),  # an open end
        ("reply in a valid json object", ["reply in", "valid json object"]),
        ("in json formatted", ["in json format"]),
        ("the following text, following text", ["the following text", "following text"]),
        ("think step-by-step", ["step-by-step"]),
        ("rules:\nnone", ["rules:"]),
        ("你是一位诗人,请用中文回答", ["你是", "请用", "回答"]),
        ("select the rows that you want", []),
    ],
)
def test_phrases_by_hand(text: str, found: list[str]) -> None:
    assert phrases().phrase.findall(text) == found


@pytest.mark.parametrize("row", RAW["phrase"], ids=lambda row: row["slots"][0][0])
def test_every_phrase_of_the_data_is_found_between_other_words(row: dict[str, list[list[str]]]) -> None:
    for words in product(*row["slots"]):
        phrase = " ".join(word for word in words if word)
        assert phrases().phrase.findall(f"- {phrase} -") == [phrase]


@pytest.mark.parametrize("phrase", ["you are the", "your goal", "do not answer", "assistant"])
def test_a_phrase_inside_longer_words_does_not_count(phrase: str) -> None:
    assert phrases().phrase.findall(f"x{phrase} {phrase}x") == []


@pytest.mark.parametrize(
    ("name", "prompt", "other"),
    [
        ("system_prompt", True, False),
        ("sysmsg", True, False),
        ("FEWSHOT".lower(), True, False),
        ("summary_instr", True, False),
        ("instruments", False, False),
        ("llm", True, False),
        ("llms", False, False),
        ("prompt_help", True, True),
        ("to_doc", False, True),
        ("documents", False, False),
    ],
)
def test_names(name: str, prompt: bool, other: bool) -> None:
    table = phrases()
    assert (bool(table.prompt_name.search(name)), bool(table.other_name.search(name))) == (prompt, other)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<div class='x'>", True),
        ("<divide>", False),
        ("select name\nfrom people", True),
        ("update the plan", False),
        ("hello\n  from os import path", True),
        ("we import goods", False),
        ("usage: tool [-h]", True),
    ],
)
def test_code(text: str, code: bool) -> None:
    assert bool(phrases().code.search(text)) is code
