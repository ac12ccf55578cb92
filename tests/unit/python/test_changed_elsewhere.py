"""Flags, texts and lists that code which is not seen here changes: what they were at first decides nothing."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

RULES = "You sell seeds by mail. Name the variety, the month of sowing and the price, and never promise a harvest."
HEAD = f'import csv, io, json\nimport feed\nfrom openai import OpenAI\nclient = OpenAI()\nRULES = "{RULES}"\n'
SEND = 'return client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": question + RULES}])'
LATER = {
    "flag that a callback sets": f"""
def ask(question):
    found = False
    def on_row(row):
        nonlocal found
        found = True
    feed.each(question, on_row)
    if not found:
        return None
    {SEND}
""",
    "text that a callback adds to": f"""
def ask(question):
    text = ""
    def on_row(row):
        nonlocal text
        text += row
    feed.each(question, on_row)
    if not text:
        return None
    {SEND}
""",
    "list that a callback adds to": f"""
def ask(question):
    rows = []
    def on_row(row):
        rows.append(row)
    feed.each(question, on_row)
    if len(rows) == 0:
        return None
    {SEND}
""",
    "buffer of a writer": f"""
def ask(question, rows):
    out = io.StringIO()
    writer = csv.writer(out)
    for row in rows:
        writer.writerow(row)
    table = out.getvalue().strip()
    if not table:
        return None
    {SEND}
""",
    "buffer that is dumped into": f"""
def ask(question, rows):
    out = io.StringIO()
    json.dump(rows, out)
    if not out.getvalue():
        return None
    {SEND}
""",
    "variable of the module": f"""
ready = False
def start():
    global ready
    ready = True
def ask(question):
    if not ready:
        raise RuntimeError("not started")
    {SEND}
""",
    "attribute of the class": f"""
class Desk:
    open = False
    @classmethod
    def start(cls):
        cls.open = True
    def ask(self, question):
        if not self.open:
            return None
        {SEND}
""",
    "attribute that another function sets": f"""
class Desk:
    def __init__(self):
        self.open = False
    def ask(self, question):
        if not self.open:
            return None
        {SEND}
def make():
    desk = Desk()
    desk.open = True
    return desk
""",
}


@pytest.mark.parametrize("name", LATER)
def test_what_is_sent_behind_a_test_of_it_is_seen(name: str) -> None:
    templates = [t for t in templates_of(HEAD + LATER[name]) if t.form == "openai-chat"]
    assert templates
    segments = [s for block in templates[0].blocks for s in walk(block.segments)]
    assert isinstance(segments[0], Value)
    assert segments[0].expression == "question"
    assert any(isinstance(s, Text) and RULES in s.text for s in segments)


NEVER = {
    "constant": f"OPEN = False\ndef ask(question):\n    if not OPEN:\n        return None\n    {SEND}\n",
    "variable that nobody else sets": f"""
def ask(question):
    found = False
    def on_row(row):
        found = True
    feed.each(question, on_row)
    if not found:
        return None
    {SEND}
""",
}


@pytest.mark.parametrize("name", NEVER)
def test_what_stays_as_it_is_decides(name: str) -> None:
    assert templates_of(HEAD + NEVER[name]) == ()


def test_a_text_of_the_class_counts_until_it_is_set() -> None:
    program = f"""
class Desk:
    rules = "{RULES}"
    def use(self, rules):
        self.rules = rules
    def ask(self, question):
        content = question + self.rules
        return client.chat.completions.create(model="gpt-4o", messages=[{{"role": "user", "content": content}}])
"""
    (template,) = templates_of(HEAD + program)
    assert [type(s) for s in template.blocks[0].segments] == [Value, Text]


MODEL = "from pydantic import BaseModel, Field\n"
FIELDS = {
    "dataclass": "from dataclasses import dataclass\n@dataclass\nclass Desk:\n    open: bool = False\n",
    "model": MODEL + "class Desk(BaseModel):\n    open: bool = False\n",
    "described": MODEL + "class Desk(BaseModel):\n    open: bool = Field(default=False)\n",
    "base": MODEL + "class House(BaseModel):\n    open: bool = False\nclass Desk(House):\n    pass\n",
}
ASK = f"    def ask(self, question):\n        if not self.open:\n            return None\n        {SEND}\n"


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_is_off_may_be_on_in_another_object(name: str) -> None:
    assert [t.form for t in templates_of(HEAD + FIELDS[name] + ASK)] == ["openai-chat"]


def test_a_variable_of_the_class_is_the_same_for_all() -> None:
    assert (
        templates_of(f"{HEAD}from typing import ClassVar\nclass Desk:\n    open: ClassVar[bool] = False\n{ASK}") == ()
    )


def test_an_object_that_is_made_where_it_is_used_is_as_it_was_made() -> None:
    use = "def run(question):\n    return Desk(open=False).ask(question)\n"
    alone = "from dataclasses import dataclass\n@dataclass\nclass Desk:\n    open: bool = False\n"
    asked = "    def ask(self, question):\n        return question + RULES if self.open else question\n"
    found = templates_of(
        HEAD + alone + asked + use.replace("return ", "question = ") + f"    {SEND.replace(' + RULES', '')}\n"
    )
    assert not any(isinstance(s, Text) and RULES in s.text for t in found for b in t.blocks for s in walk(b.segments))
