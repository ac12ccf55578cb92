"""Which values come in another order, number or form each time, and which only look so.

What is expected is what CPython does: sets of strings are iterated by a seeded hash, dictionaries in the order in which
they were filled, and an object without a ``repr`` of its own shows its address.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Repeat, Value, walk
from prefixlint.model.sources import SourceFile

HEAD = """
import asyncio
import glob
import json
import os
import random
from openai import OpenAI
client = OpenAI()
RULES = "You keep the register of a small archive. Each letter has a number, a sender and a day of arrival."
NAMES = {"letters", "maps", "seals"}
TOOLS = [{"type": "function", "function": {"name": "find"}}, {"type": "function", "function": {"name": "read"}}]
class Box:
    def __init__(self, name):
        self.name = name
class Named(Box):
    def __repr__(self):
        return self.name
"""


def kinds(body: str, tools: str = "") -> list[str]:
    """Kinds of the values in front of the rules, or in the tools, that are no configuration."""
    given = f"tools={tools}, " if tools else ""
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    source = HEAD + (
        f"def ask(question, wanted_query, enabled):\n{indented}"
        "    system = f'{shown} {RULES}'\n"
        f"    return client.chat.completions.create(model='gpt-4o', {given}messages=["
        "{'role': 'system', 'content': system}, {'role': 'user', 'content': question}])\n"
    )
    found = analyse([SourceFile("desk.py", source)], lambda path: None)
    (only,) = [one for extraction in found.values() for one in extraction.templates]
    component = "tools" if tools else "system"
    segments = [s for block in only.blocks if block.component == component for s in walk(block.segments)]
    values = [s for s in segments if isinstance(s, Value | Repeat)]
    return [s.origin.kind.value for s in values if s.origin.kind.value not in ("configuration", "parameter")]


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        ("', '.join(NAMES)", "unordered"),
        ("list(NAMES)", "unordered"),
        ("NAMES | {'coins'}", "unordered"),
        ("NAMES - {'maps'}", "unordered"),
        ("{name: 1 for name in NAMES}", "unordered"),
        ("json.dumps({name: 1 for name in NAMES})", "unordered"),
        ("json.dumps({'kinds': list(NAMES)}, sort_keys=True)", "unordered"),
        ("os.listdir('letters')", "listing"),
        ("glob.glob('letters/*')", "listing"),
        ("random.sample(['a', 'b', 'c'], 2)", "shuffled"),
        ("Box('maps')", "identity"),
        ("[Box('maps'), Box('seals')]", "identity"),
        ("str(Box('maps'))", "identity"),
        ("ask", "identity"),
        ("hash('maps')", "identity"),
        ("id(RULES)", "identity"),
    ],
)
def test_what_differs(shown: str, kind: str) -> None:
    assert set(kinds(f"shown = {shown}")) == {kind}


@pytest.mark.parametrize(
    "shown",
    [
        "', '.join(sorted(NAMES))",
        "len(NAMES)",
        "len(os.listdir('letters'))",
        "json.dumps({name: 1 for name in NAMES}, sort_keys=True)",
        "json.dumps({'letters': 1, 'maps': 2})",
        "sorted(os.listdir('letters'))",
        "Named('maps')",
        "Box('maps').name",
        "{'maps'}",
    ],
)
def test_what_stays(shown: str) -> None:
    assert kinds(f"shown = {shown}") == []


def test_a_dictionary_filled_from_a_set() -> None:
    filled = "shown = {}\nfor name in %s:\n    shown[name] = 1"
    assert kinds(filled % "NAMES") == ["unordered"]
    assert kinds(filled % "sorted(NAMES)") == []


@pytest.mark.parametrize(
    ("tools", "kind"),
    [
        ("TOOLS", None),
        ("[tool for tool in TOOLS if tool['function']['name'] in wanted_query]", "user-input"),
        ("[tool for tool in TOOLS if tool['function']['name'] not in wanted_query]", "user-input"),
        ("[tool for tool in TOOLS if tool['function']['name'] in enabled]", None),
        ("[tool for tool in TOOLS if tool['function']['name'] != 'read']", None),
        ("list(TOOLS)", None),
        ("[{'name': name} for name in NAMES]", "unordered"),
        ("[{'name': name} for name in sorted(NAMES)]", None),
    ],
)
def test_tools(tools: str, kind: str | None) -> None:
    assert kinds("shown = ''", tools) == ([] if kind is None else [kind])


def test_tools_without_doubles_are_the_same_each_time() -> None:
    body = """shown = ''
seen = set()
unique = []
for tool in question.tools:
    if tool.name not in seen:
        unique.append(tool)
        seen.add(tool.name)"""
    assert kinds(body, "unique") == []


@pytest.mark.parametrize(
    ("checked", "kind"),
    [
        ("if len(names) > 1:\n    raise ValueError", []),
        ("if len(names) != 1:\n    sys.exit(1)", []),
        ("if len(names) > 1:\n    exit()", []),
        ("if len(names) > 3:\n    sys.exit(1)", ["unordered"]),
        ("if len(names) > 1:\n    print(names)", ["unordered"]),
        ("pass", ["unordered"]),
    ],
)
def test_the_only_one_of_a_set_comes_in_no_other_order(checked: str, kind: list[str]) -> None:
    assert kinds(f"names = set(enabled)\n{checked}\nshown = names.pop()") == kind


EACH = """
    SHELVES = glob.glob('shelves/*')
    class Shelf:
        def __init__(self, folder):
            self.rows = [json.load(open(os.path.join(folder, name))) for name in os.listdir(folder)]
        def read(self, place):
            return ask(self.rows[place]['letter'])
    def ask(letter):
        return client.responses.create(model='gpt-4o', input=f'Letter: {letter}. {RULES}')
"""


@pytest.mark.parametrize(
    "program",
    [
        "for name in os.listdir('letters'):\n    ask(open(name).read())",
        "for name in NAMES:\n    ask(name)",
        "for shelf, _, names in os.walk('letters'):\n    for name in names:\n        ask(shelf + name)",
        "answers = [ask(name) for name in NAMES | {'coins'}]",
        "def some(place):\n    return ask(SHELVES[place])",
        "def some(place):\n    return Shelf('letters').read(place)",
    ],
)
def test_the_order_of_requests_changes_none_of_them(program: str) -> None:
    found = analyse([SourceFile("desk.py", HEAD + dedent(EACH) + program)], lambda path: None)
    values = [s for one in found["desk.py"].templates for b in one.blocks for s in walk(b.segments)]
    told = {(s.origin.kind.value, s.lifetime.value) for s in values if isinstance(s, Value)}
    assert told == {("user-input", "request")}


@pytest.mark.parametrize("names", ["os.listdir('letters')", "NAMES", "SHELVES"])
def test_what_is_gathered_in_a_loop_stands_in_its_order(names: str) -> None:
    gathered = f"def all():\n    shown = ''\n    for name in {names}:\n        shown += name + '; '\n    ask(shown)\n"
    found = analyse([SourceFile("desk.py", HEAD + dedent(EACH) + gathered)], lambda path: None)
    values = [s for one in found["desk.py"].templates for b in one.blocks for s in walk(b.segments)]
    told = {s.origin.kind.value for s in values if isinstance(s, Repeat)}
    assert told == {"unordered" if names == "NAMES" else "listing"}
