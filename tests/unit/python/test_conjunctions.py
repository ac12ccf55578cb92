"""Conditions of several parts of which some are known."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Choice, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
client = OpenAI()
def ask(question, short, kind="note"):
    known = "note"
    text = "Name the sender of each letter. "
    if {condition}:
        text += "Sign no letter yourself. "
    client.chat.completions.create(model="gpt-4o", messages=[{{"role": "user", "content": f"{{text}}{{question}}"}}])
"""


def arms(condition: str) -> int:
    (only,) = templates_of(PROGRAM.format(condition=condition))
    return len([s for block in only.blocks for s in walk(block.segments) if isinstance(s, Choice)])


@pytest.mark.parametrize(
    "condition",
    [
        "short and known == 'note'",
        "known == 'note' and short",
        "short and question and known == 'note'",
        "short and True",
    ],
)
def test_a_part_that_is_not_known_leaves_it_open(condition: str) -> None:
    assert arms(condition) == 1


@pytest.mark.parametrize(
    "condition", ["short and known == 'list'", "known == 'list' and short", "known and known == 'note'"]
)
def test_what_is_known_decides(condition: str) -> None:
    assert arms(condition) == 0
