"""Sets of known constants: what two of them have in common."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
client = OpenAI()
KEPT, HIDDEN, NOBODY = frozenset({{"letter", "map"}}), frozenset(["note"]), frozenset()
def ask(question, letter):
    text = ""
    if {condition}:
        text = letter
    client.chat.completions.create(model="gpt-4o", messages=[{{"role": "user", "content":
        f"{{text}} You keep the register of a small archive. {{question}}"}}])
"""


def shown(condition: str) -> list[str]:
    """Names of the values that are printed under the condition, as far as it is decided."""
    (only,) = templates_of(PROGRAM.format(condition=condition))
    return [s.expression for block in only.blocks for s in walk(block.segments) if isinstance(s, Value)]


@pytest.mark.parametrize(
    "condition",
    [
        "KEPT & {'letter'}",
        "KEPT.intersection(['map'])",
        "KEPT - {'letter'}",
        "HIDDEN.difference(KEPT)",
        "HIDDEN ^ KEPT",
        "KEPT | NOBODY",
        "not KEPT & HIDDEN",
        "not NOBODY",
    ],
)
def test_shown_where_they_have_something_in_common(condition: str) -> None:
    assert shown(condition) == ["text", "question"]


@pytest.mark.parametrize(
    "condition",
    [
        "KEPT & HIDDEN",
        "KEPT.intersection(HIDDEN)",
        "HIDDEN - {'note', 'letter'}",
        "HIDDEN.symmetric_difference({'note'})",
        "NOBODY & KEPT",
        "NOBODY",
        "not KEPT & {'map'}",
    ],
)
def test_not_shown_where_they_have_not(condition: str) -> None:
    assert shown(condition) == ["question"]


@pytest.mark.parametrize("condition", ["KEPT & {question}", "KEPT - {question, 'map'}"])
def test_unknown_items_leave_it_open(condition: str) -> None:
    assert "text" in shown(condition)
