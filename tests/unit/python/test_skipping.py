"""Loops over known items of which a pass leaves some out."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Choice, Text, Value, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
client = OpenAI()
def ask(question, letter, short):
    parts = [("rule", "Name the sender of each letter."), ("note", letter), ("rule", "Sign no letter yourself.")]
    text = ""
    for kind, part in parts:
        if {condition}:
            continue
        text += part + "\\n"
    client.chat.completions.create(model="gpt-4o", messages=[{{"role": "user", "content": f"{{text}}{{question}}"}}])
"""


def shown(condition: str) -> str:
    (only,) = templates_of(PROGRAM.format(condition=condition))
    segments = [segment for block in only.blocks for segment in walk(block.segments)]
    assert not any(isinstance(segment, Choice) for segment in segments)
    return "".join(
        s.text if isinstance(s, Text) else f"<{s.expression}>" for s in segments if isinstance(s, Text | Value)
    )


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ("kind == 'note'", "Name the sender of each letter.\nSign no letter yourself.\n<question>"),
        ("kind == 'rule'", "<part>\n<question>"),
        ("kind == 'list'", "Name the sender of each letter.\n<part>\nSign no letter yourself.\n<question>"),
    ],
)
def test_what_is_left_out_is_known(condition: str, text: str) -> None:
    assert shown(condition) == text


def test_what_is_left_out_by_a_parameter_may_be_there() -> None:
    (only,) = templates_of(PROGRAM.format(condition="short and kind == 'note'"))
    choices = [s for block in only.blocks for s in walk(block.segments) if isinstance(s, Choice)]
    assert choices
    texts = "".join(s.text for block in only.blocks for s in walk(block.segments) if isinstance(s, Text))
    assert texts.count("Sign no letter yourself.") >= 1
