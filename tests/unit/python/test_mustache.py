"""Mustache templates that code fills: what is sent stands where the template has its tags."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

PROGRAM = """
import chevron
import pystache
from chevron import render
from openai import OpenAI
client = OpenAI()
TEXT = "You sort the letters of {{town}}. Today's letter: {{{letter}}}. {{#strict}}Be strict with {{town}}.{{/strict}}"
def sort(message):
    given = {"town": "Ems", "letter": message, "strict": True}
    text = CALL
    return client.responses.create(model="gpt-4o", input=text)
"""


@pytest.mark.parametrize(
    "call",
    [
        "chevron.render(TEXT, given)",
        "render(TEXT, data=given)",
        "chevron.render(template=TEXT, data=given)",
        "pystache.render(TEXT, given)",
        "pystache.render(TEXT, town='Ems', letter=message)",
    ],
)
def test_values_stand_where_the_template_has_them(call: str) -> None:
    (template,) = templates_of(PROGRAM.replace("CALL", call))
    shown = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Text | Value)]
    fixed = "".join(s.text for s in shown if isinstance(s, Text))
    assert fixed == "You sort the letters of Ems. Today's letter: . Be strict with Ems."
    assert [s.lifetime for s in shown if isinstance(s, Value)] == [Lifetime.REQUEST]


def test_a_template_that_is_not_known_is_a_value() -> None:
    source = PROGRAM.replace("CALL", "chevron.render(message, given)")
    (template,) = templates_of(source)
    assert [type(s) for block in template.blocks for s in walk(block.segments)] == [Value]


def test_how_partials_are_found_stands_in_no_text() -> None:
    program = """
import chevron
import random
from openai import OpenAI
def sort(template, rules):
    ending = "".join(random.choices("ab", k=9))
    text = chevron.render(template=template, data=rules, partials_ext=ending, partials_dict=dict())
    return OpenAI().responses.create(model="m", instructions=text, input="Sort the letters of today.")
"""
    values = [
        s for t in templates_of(program) for block in t.blocks for s in walk(block.segments) if isinstance(s, Value)
    ]
    assert [value.origin.kind is SourceKind.SHUFFLED for value in values] == [False]
