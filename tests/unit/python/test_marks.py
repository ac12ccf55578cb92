"""Marks that are replaced in a prompt: what fills one is judged by its name too, as a field's filling is."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
import os
import re
from string import Template
from openai import OpenAI

PROMPT = "You sort letters in a post office on an island. This one, MARK is to be sorted by its town. Answer kindly."

def sort(wish, flag):
    OpenAI().responses.create(model="gpt-4o", input=CALL)
"""


def lifetimes(mark: str, call: str) -> list[Lifetime]:
    found = templates_of(PROGRAM.replace("MARK", mark).replace("CALL", call))
    return [s.lifetime for t in found for block in t.blocks for s in walk(block.segments) if isinstance(s, Value)]


@pytest.mark.parametrize(
    "mark",
    [
        "{user_question}",
        "{{ user_question }}",
        "<USER_QUESTION>",
        "[[user_question]]",
        "USER_QUESTION",
        "$user_question",
    ],
)
def test_a_mark_tells_what_fills_it(mark: str) -> None:
    assert lifetimes(mark, f'PROMPT.replace("{mark}", wish)') == [Lifetime.REQUEST]
    assert lifetimes(mark, f'PROMPT.replace("{mark}", wish if flag else "")')[-1] is Lifetime.REQUEST


@pytest.mark.parametrize(
    ("mark", "call"),
    [
        ("%(user_question)s", 'PROMPT % {"user_question": wish}'),
        ("$user_question", "Template(PROMPT).substitute(user_question=wish)"),
        ("{user_question}", "PROMPT.format(user_question=wish)"),
        ("{{user_question}}", r're.sub(r"\{\{\s*user_question\s*\}\}", wish, PROMPT)'),
    ],
)
def test_a_field_does_so_too(mark: str, call: str) -> None:
    assert lifetimes(mark, call) == [Lifetime.REQUEST]


def test_what_is_known_of_the_filling_counts_more() -> None:
    assert lifetimes("{user_question}", 'PROMPT.replace("{user_question}", os.environ["QUESTION"])') == [
        Lifetime.DEPLOYMENT
    ]
    assert lifetimes("{user_question}", 'PROMPT.replace("{user_question}", "What?")') == []


@pytest.mark.parametrize("part", ["to be sorted", "letters", "user_question"])
def test_other_texts_are_no_marks(part: str) -> None:
    assert lifetimes("user_question", f'PROMPT.replace("{part}", wish)') == [Lifetime.UNKNOWN]
