"""Where a value is told: at the place of the text that it is filled in at, wherever it comes from."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

HEAD = "from openai import OpenAI\nclient = OpenAI()\n"
SEND = "    client.responses.create(model='gpt-4o', input=PLACE)\n"


def values(program: str) -> list[Value]:
    template = next(t for t in templates_of(HEAD + program) if t.form == "openai-responses")
    return [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]


@pytest.mark.parametrize(
    "text",
    ["f'Notes: {notes}. Answer in one sentence.'", "'Notes: {notes}. Answer in one sentence.'.format(notes=notes)"],
)
def test_one_of_several_values_stands_where_the_text_takes_it_in(text: str) -> None:
    program = (
        "def ask(question, context, short):\n    if short:\n        notes = question\n    else:\n"
        f"        notes = context\n{SEND.replace('PLACE', text)}"
    )
    found = values(program)
    assert [v.lifetime for v in found] == [Lifetime.REQUEST, Lifetime.REQUEST]
    column = (HEAD + program).splitlines()[7].index("{notes}") + 1
    for value in found:
        assert (value.span.start.line, value.span.start.column) == (8, column)


def test_values_of_a_decision_in_the_field_itself_stand_in_the_field() -> None:
    text = "f'Notes: {question if short else context}. Answer in one sentence.'"
    program = f"def ask(question, context, short):\n{SEND.replace('PLACE', text)}"
    column = (HEAD + program).splitlines()[3].index("{question") + 1
    assert [(v.span.start.line, v.span.start.column) for v in values(program)] == [(4, column), (4, column)]


def test_values_in_a_text_of_their_own_stay_there() -> None:
    program = (
        "def ask(question, context, short):\n    if short:\n        notes = f'Short: {question}!'\n    else:\n"
        f"        notes = context\n{SEND.replace('PLACE', REPEATED)}"
    )
    assert [value.span.start.line for value in values(program)] == [5, 3]


REPEATED = "f'Notes: {notes}. Answer in one sentence.'"
