"""Prompt files reached through packages and helpers, docstrings, and patterns that fill placeholders."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.patterns import placeholder
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Choice, Text, Value, walk
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


CHOSEN = """
from pathlib import Path
from importlib import resources
from openai import OpenAI
def read(name):
    found = resources.files("desk.texts").joinpath(name)
    if not found.is_file():
        return ""
    text = found.read_text()
    return text[:-1] if text.endswith("!") else text
def beside(name):
    return (Path(__file__).parent / "texts" / name).read_text()
def ask(question, folder):
    variant = "clerk" if question == "guest" else "keeper"
    text = {read}
    return OpenAI().chat.completions.create(model="gpt-4o", messages=[{{"role": "system", "content": text}}])
"""


@pytest.mark.parametrize(
    ("read", "found"),
    [
        ('read(f"{variant}.md")', {"clerk", "keeper"}),
        ('beside(f"{variant}.md")', {"clerk", "keeper"}),
        ('open(f"desk/texts/{variant}.md").read()', {"clerk", "keeper"}),
        ('read("clerk.md" if question else "keeper.md")', {"clerk", "keeper"}),
        ('read(f"{question}.md")', set()),
    ],
)
def test_a_file_whose_name_is_one_of_two_is_one_of_two_texts(read: str, found: set[str]) -> None:
    texts = {
        name: f"You are the {name} of a library by the sea. Lend a book for four weeks." for name in ("clerk", "keeper")
    }
    files = {"desk/__init__.py": "", "desk/texts/__init__.py": ""} | {f"desk/texts/{n}.md": t for n, t in texts.items()}
    main = SourceFile("desk/main.py", CHOSEN.format(read=read))
    templates = analyse([main], lambda path: None if path not in files else SourceFile(path, files[path]))[
        "desk/main.py"
    ].templates
    (template,) = templates
    text = "".join(s.text for block in template.blocks for s in walk(block.segments) if isinstance(s, Text))
    assert {name for name in texts if name in text} == found
    values = [s for b in template.blocks for s in walk(b.segments) if not isinstance(s, Text | Choice)]
    assert not values if found else values, values


PROBED = """
from pathlib import Path
from openai import OpenAI
def ask(question, short):
    place = Path(__file__).parent / f"{'short' if short else 'long'}.md"
    text = place.read_text() if place.exists() else "You keep the gate."
    return OpenAI().chat.completions.create(model="gpt-4o", messages=[
        {"role": "system", "content": text + "Be brief."}, {"role": "user", "content": question}])
"""


def test_one_of_two_files_that_are_not_there_may_be_there_when_the_program_runs() -> None:
    (template,) = analyse([SourceFile("desk/main.py", PROBED)], lambda path: None)["desk/main.py"].templates
    (system,) = (block for block in template.blocks if block.role == "system")
    arms = [arm for part in system.segments if isinstance(part, Choice) for arm in part.arms]
    assert any(isinstance(part, Text) and "gate" in part.text for arm in arms for part in arm)
    assert any(isinstance(part, Value) for arm in arms for part in arm)


def test_what_decides_between_two_files_decides_between_their_texts() -> None:
    source = CHOSEN.format(read='beside(f"{variant}.md")')
    texts = {f"desk/texts/{name}.md": f"You are the {name}. Lend a book." for name in ("clerk", "keeper")}
    read = {path: SourceFile(path, text) for path, text in texts.items()}.get
    (template,) = analyse([SourceFile("desk/main.py", source)], read)["desk/main.py"].templates
    (choice,) = (part for block in template.blocks for part in walk(block.segments) if isinstance(part, Choice))
    assert (choice.expression, choice.lifetime) == ('question == "guest"', Lifetime.REQUEST)
