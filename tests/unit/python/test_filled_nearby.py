"""Constants that an object takes in and fills elsewhere in the module: what fills them is seen by the names."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = '''
INTENT_PROMPT = """You are the clerk of a harbour. Find the one berth that fits what the captain asks for.
{response}

Never name a berth that stands in no list, and never name two. The berths that you know:
{berths}

The captain asks: {question}
"""

class Clerk:
    def __init__(self, template=None):
        self.template = make(template or INTENT_PROMPT)

    def ask(self, question):
        response_format, letter = self.form(), self.letter()
        return self.template.FILL

    def other(self, question):
        return self.template.describe(berths=self.berths)
'''


def lifetime(fill: str, name: str = "response") -> Lifetime:
    program = PROGRAM.replace("FILL", fill).replace("{response}", f"{{{name}}}")
    values = [
        s
        for template in templates_of(program)
        if template.form == "prompt-constant"
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Value)
    ]
    return next(value.lifetime for value in values if value.expression == name)


def test_what_is_configured_by_the_name_of_what_fills_it_is() -> None:
    assert lifetime("format(response=response_format, berths=self.berths, question=question)") is Lifetime.DEPLOYMENT


@pytest.mark.parametrize(
    "fill",
    [
        "format(response=letter, berths=self.berths, question=question)",
        "format(response=response_format, berths=self.berths)",
        "describe(response=response_format, berths=self.berths, question=question)",
        "format(response=response_format, berths=self.berths, question=question, more=1)",
    ],
)
def test_anything_else_is_judged_by_the_placeholder(fill: str) -> None:
    assert lifetime(fill) is Lifetime.REQUEST


def test_what_belongs_to_a_session_is_not_configured() -> None:
    fill = "format(table_info=berths_schema, berths=self.berths, question=question)"
    assert lifetime(fill, "table_info") is Lifetime.SESSION
