"""Prompt files reached through packages and helpers, docstrings, and patterns that fill placeholders."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.patterns import placeholder
from prefixlint.model.segments import Text, walk
from prefixlint.model.sources import SourceFile

CLERK = (
    "You are the clerk of the library of a small town.\nReader: {reader}\nBooks are lent for four weeks and films for "
    "one. A reader may keep thirty things at a time. What is late costs ten cents a day.\n"
)
FILES = {
    "desk/__init__.py": "",
    "desk/texts/clerk.txt": CLERK,
    "desk/texts/clerk.yaml": "system: |\n" + "".join(f"  {line}\n" for line in CLERK.splitlines()),
    "desk/helpers/__init__.py": "from .loading import *\n",
    "desk/helpers/loading.py": (
        "def load_text(path, by_lines=False):\n    with open(path) as file:\n        if by_lines:\n"
        "            return file.readlines()\n        return file.read()\n"
    ),
}
HEAD = """
import importlib.resources, inspect, os, pkg_resources, re
from pathlib import Path
from openai import OpenAI
import desk.helpers as helpers
client = OpenAI()
here = os.path.dirname(__file__)
def send(system):
    return client.chat.completions.create(model="gpt-4o", messages=[
        {"role": "system", "content": system}, {"role": "user", "content": "Go on."}])
"""

LOADED = {
    "resource_filename": (
        'def ask(name="clerk"):\n    path = pkg_resources.resource_filename("desk", f"texts/{name}.txt")\n'
        "    return open(path).read()\n"
    ),
    "a helper and a path in an f-string": (
        'def load(name):\n    folder = pkg_resources.resource_filename("desk", "")\n'
        '    return helpers.load_text(f"{folder}/texts/{name}.txt")\ndef ask():\n    return load("clerk")\n'
    ),
    "resource_string": (
        'def ask():\n    return pkg_resources.resource_string("desk", "texts/clerk.txt").decode("utf-8")\n'
    ),
    "a folder that is no package": (
        'def ask():\n    with importlib.resources.open_text("desk.texts", "clerk.txt") as file:\n'
        "        return file.read()\n"
    ),
    "a path added up": 'def ask():\n    return open(here + "/texts/" + "clerk.txt").read()\n',
    "ruamel.yaml": (
        "from ruamel.yaml import YAML\n"
        'def ask():\n    with open(os.path.join(here, "texts", "clerk.yaml")) as file:\n'
        '        return YAML(typ="safe").load(file)["system"]\n'
    ),
    "a folder that is given, with another one to fall back on": (
        "def load(name, *, folder=None):\n    if folder is None:\n        folder = find_folder()\n"
        "    return open(os.path.join(folder, name)).read()\n"
        'def ask():\n    return load("clerk.txt", folder=here + "/texts")\n'
    ),
    "a folder that is left out": (
        "def load(name, folder=None):\n    if folder is not None:\n        return find_folder()\n"
        '    folder = here + "/texts"\n    return open(os.path.join(folder, name)).read()\n'
        'def ask():\n    return load("clerk.txt")\n'
    ),
    "a loader in a class": (
        "class Loader:\n    def __init__(self, folder=None):\n"
        '        self.folder = Path(folder) if folder else Path(__file__).parent / "texts"\n'
        '    def load(self, name, ending=".txt"):\n'
        '        return (self.folder / f"{name}{ending}").read_text()\n'
        'loader = Loader()\ndef ask():\n    return loader.load("clerk")\n'
    ),
}


def sent(program: str) -> set[str]:
    """Fixed text of the system message that is sent."""
    files = FILES | {"desk/app.py": HEAD + program}
    made = {path: SourceFile(path, text) for path, text in files.items()}
    found = analyse([f for path, f in made.items() if path.endswith(".py")], made.get)
    assert not any(extraction.faults for extraction in found.values())
    texts = set()
    for template in found["desk/app.py"].templates:
        if template.form == "openai-chat":
            segments = walk(template.blocks[0].segments)
            texts.add("".join(s.text if isinstance(s, Text) else "<>" for s in segments))
    return texts


@pytest.mark.parametrize("program", LOADED.values(), ids=LOADED)
def test_files_are_found(program: str) -> None:
    expected = CLERK.replace("{reader}", "<>")
    assert sent(program + "def go(question):\n    send(ask().format(reader=question))\n") == {expected}


FILLED = {
    "a literal pattern": r're.sub(r"\{reader\}", question, helpers.load_text(here + "/texts/clerk.txt"))',
    "an escaped one": 're.sub(re.escape("{reader}"), question, helpers.load_text(here + "/texts/clerk.txt"))',
    "a function": r're.sub(r"\{reader\}", lambda m: question, helpers.load_text(here + "/texts/clerk.txt"))',
    "any name": r're.sub(r"\{(\w+)\}", lambda m: values[m.group(1)], helpers.load_text(here + "/texts/clerk.txt"))',
}


@pytest.mark.parametrize("expression", FILLED.values(), ids=FILLED)
def test_patterns_fill_placeholders(expression: str) -> None:
    assert sent(f"def go(question, values):\n    send({expression})\n") == {CLERK.replace("{reader}", "<>")}


def test_white_space_that_a_pattern_takes_away_changes_no_words() -> None:
    program = 'def go():\n    send(re.sub(r"\\n{2,}", "\\n", "You are the clerk."))\n'
    assert sent(program) == {"You are the clerk."}


def test_docstrings() -> None:
    program = 'def clerk():\n    """You are the clerk.\n\n    Be short."""\n'
    # From 3.13 on Python itself takes the indentation away.
    defined: dict[str, Any] = {}
    exec(program, defined)
    assert sent(program + "def go():\n    send(clerk.__doc__)\n") == {defined["clerk"].__doc__}
    assert sent(program + "def go():\n    send(inspect.getdoc(clerk))\n") == {"You are the clerk.\n\nBe short."}


@pytest.mark.parametrize("pattern", [r"a|b", r"[ab]c", r"x{3}", r"(a+)+$", r"(\w+) (\w+)", ".", r"\d+", "(?=x)y"])
def test_what_is_no_placeholder(pattern: str) -> None:
    assert placeholder(pattern) is None


@given(st.text("ab{}$<>% _", min_size=2, max_size=8), st.text("ab{}$<>% _", max_size=30))
def test_an_escaped_pattern_finds_what_re_finds(name: str, text: str) -> None:
    found = placeholder(re.escape(name))
    if found is not None and " " not in name:
        assert [m.span() for m in found.finditer(text)] == [m.span() for m in re.finditer(re.escape(name), text)]
