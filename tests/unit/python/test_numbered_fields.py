"""Fields without names: in each of several texts they take what they are given from the first on."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI

class Clerk:
    def __init__(self, language):
        if language == "de":
            self.letter = "Brief: @ Absender: @\\nYou sort letters by the sender's town. Antworte kurz."
        else:
            self.letter = "Letter: @ Sender: @\\nYou sort letters by the sender's town. Answer in one line."

    def sort(self, body, sender):
        OpenAI().responses.create(model="gpt-4o", input=self.letter CALL)
"""


@pytest.mark.parametrize(
    ("field", "call", "names"),
    [
        ("{}", ".format(body, sender)", ("body", "sender")),
        ("{!r:>20}", ".format(body, sender)", ("body", "sender")),
        ("{[0]}", ".format([body], [sender])", ("[0]", "[0]")),
        ("%s", "% (body, sender)", ("body", "sender")),
    ],
)
def test_each_arm_counts_from_the_first(field: str, call: str, names: tuple[str, str]) -> None:
    found = templates_of(PROGRAM.replace("@", field).replace("CALL", call))
    segments = [s for template in found for block in template.blocks for s in walk(block.segments)]
    assert [s.expression for s in segments if isinstance(s, Value)] == [*names, *names]


def test_what_fills_a_field_that_is_not_known_has_a_name() -> None:
    found = templates_of(PROGRAM.replace("@", "{}").replace("CALL", ".format(*both(body, sender))"))
    names = {s.expression for one in found for b in one.blocks for s in walk(b.segments) if isinstance(s, Value)}
    assert names == {"*both(body, sender)", "{}"}
