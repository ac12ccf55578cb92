"""What a generator hands on from another one, from a list, or from an object that has an ``__iter__`` of its own."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
client = OpenAI()
class Sheet:
    def __init__(self, *lines):
        self.lines = list(lines)
    def __iter__(self):
        yield from self.lines
class Folder:
    def __init__(self, sheet):
        self.sheet = sheet
    def __iter__(self):
        yield from self.sheet
def lines_of(letter):
    yield "Name the sender of each letter."
    yield from (letter, "Sign no letter yourself.")
def all_lines(letter):
    yield from lines_of(letter)
def ask(question, letter):
    sheet = Sheet("Name the sender of each letter.", letter, "Sign no letter yourself.")
    text = "\\n".join({lines})
    client.chat.completions.create(model="gpt-4o", messages=[{{"role": "user", "content": f"{{text}}\\n{{question}}"}}])
"""


@pytest.mark.parametrize(
    "lines",
    ["lines_of(letter)", "all_lines(letter)", "sheet", "Folder(sheet)", "(line + '' for line in Folder(sheet))"],
)
def test_items_are_handed_on_in_their_order(lines: str) -> None:
    (only,) = templates_of(PROGRAM.format(lines=lines))
    segments = [segment for block in only.blocks for segment in walk(block.segments)]
    shown = "".join(s.text if isinstance(s, Text) else f"<{s.name}>" for s in segments if isinstance(s, Text | Value))
    assert shown == "Name the sender of each letter.\n<letter>\nSign no letter yourself.\n<question>"


def test_a_generator_that_nothing_is_known_of() -> None:
    program = """
from openai import OpenAI
def lines_of(found):
    yield "Name the sender of each letter."
    yield from found
    yield "Sign no letter yourself."
def ask(found):
    text = "\\n".join(lines_of(found))
    OpenAI().chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
"""
    (only,) = templates_of(program)
    texts = [s.text for block in only.blocks for s in block.segments if isinstance(s, Text)]
    assert texts[0].startswith("Name the sender")
    assert texts[-1].endswith("Sign no letter yourself.")
