"""Prompt files of which code says no more than the end of their path, and texts that a caller may replace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text, Value, walk
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.model.segments import Segment

RULES = "You tune pianos. Name the string, the pitch and the price of the visit, and never promise a date. " * 3
FILES = {
    "house/prompts/tune.txt": "{banner}\n" + RULES + "\n{question}\n",
    "prompts/tune.j2": "{{ banner }}\n" + RULES + "\n{{ question }}\n",
    "prompts/tune.yaml": "system: |\n  {{ banner }}\n  " + RULES + "\n  {{ question }}\n",
    "house/data/tune.txt": "{banner}\n" + RULES + "\n{question}\n",
}
HEAD = """
import os
from pathlib import Path
import yaml
from jinja2 import Environment, Template
from openai import OpenAI
import settings
def send(text):
    OpenAI().chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
"""
FOUND = {
    "joined": """
def load(name):
    with open(os.path.join(settings.PROMPTS, name + ".txt")) as file:
        return file.read()
def ask(question):
    send(load("tune").format(banner=settings.now(), question=question))
""",
    "divided": """
def ask(question):
    text = (Path(settings.PROMPTS) / "tune.txt").read_text()
    send(text.format(banner=settings.now(), question=question))
""",
    "f-string": """
def ask(question):
    base = os.environ.get("PROMPTS", "prompts")
    send(open(f"{base}/tune.txt").read().format(banner=settings.now(), question=question))
""",
    "data that a caller may replace": """
class Desk:
    def __init__(self, templates=None):
        self.templates = templates or yaml.safe_load(open("prompts/tune.yaml"))
    def ask(self, question):
        send(Template(self.templates["system"]).render(banner=settings.now(), question=question))
""",
    "text that a caller may replace": """
TEXT = open("prompts/tune.j2").read()
def ask(question, text=None):
    template = Environment().from_string(text or TEXT)
    send(template.render(banner=settings.now(), question=question))
""",
}


def segments_of(program: str) -> list[Segment]:
    files = {path: SourceFile(path, text) for path, text in FILES.items()}
    module = SourceFile("house/app.py", HEAD + program)
    found = analyse([module], {**files, module.path: module}.get)
    assert all(not extraction.faults for extraction in found.values())
    sent = [t for extraction in found.values() for t in extraction.templates if t.form == "openai-chat"]
    return [segment for template in sent for block in template.blocks for segment in walk(block.segments)]


@pytest.mark.parametrize("name", FOUND)
def test_the_file_is_read_and_filled(name: str) -> None:
    segments = segments_of(FOUND[name])
    rules = next(i for i, s in enumerate(segments) if isinstance(s, Text) and "You tune pianos" in s.text)
    assert not any(isinstance(s, Text) and "banner" in s.text for s in segments)
    filled = [s.expression for s in segments[:rules] if isinstance(s, Value)]
    assert filled[-1] in ("settings.now()", "banner")
    assert any(isinstance(s, Value) and s.expression == "question" for s in segments[rules:])


NOT_FOUND = {
    "another name": 'def ask(question):\n    send(open(f"{settings.PROMPTS}/mend.txt").read() + question)\n',
    "name that is not known": """
def ask(question, name):
    send(open(f"{settings.PROMPTS}/{name}").read() + question)
""",
    "folder that nothing calls one of prompts": """
def ask(question):
    send(open(os.path.join(settings.HERE, "data", "tune.txt")).read() + question)
""",
}


@pytest.mark.parametrize("name", NOT_FOUND)
def test_another_file_is_not_meant(name: str) -> None:
    assert not any(isinstance(s, Text) and "You tune pianos" in s.text for s in segments_of(NOT_FOUND[name]))


def told(name: str, folder: str) -> bool:
    program = f"def ask({folder}: Path, question):\n    body = ({folder} / '{name}').read_text().strip()\n"
    program += f"    send('# Notes\\n\\n' + body + {RULES!r} + question)\n"
    file = SourceFile("app.py", HEAD.replace("def send(text)", "def send(text, *rest)") + program)
    found = analyse([file], lambda _: None)["app.py"]
    values = [s for t in found.templates for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    return any(value.expression == "body" and value.lifetime is Lifetime.REQUEST for value in values)


@pytest.mark.parametrize(
    ("name", "folder", "varies"),
    [
        ("instructions.md", "project_path", False),
        ("system_prompt.txt", "base", False),
        ("letter.md", "project_path", True),
        ("instructions.py", "project_path", True),
    ],
)
def test_what_lies_somewhere_under_the_name_of_a_prompt_is_configured(name: str, folder: str, varies: bool) -> None:
    assert told(name, folder) is varies
