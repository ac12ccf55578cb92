"""Prompts that are objects of a class which reads a template of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text, Value, walk
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

RULES = "You mend nets. Answer in JSON, name the knot and the thread, and never guess what the sea has torn."
BASE = """
import os
from pathlib import Path
from jinja2 import Environment, FileSystemLoader
from openai import OpenAI

class BasePrompt:
    template = None
    template_path = None

    def __init__(self, **kwargs):
        self.props = kwargs
        if self.template:
            self.prompt = Environment().from_string(self.template)
        elif self.template_path:
            folder = os.path.join(Path(__file__).parent, "templates")
            self.prompt = Environment(loader=FileSystemLoader(folder)).get_template(self.template_path)
        self._text = None

    def to_string(self):
        if self._text is None:
            self._text = self.prompt.render(**self.props)
        return self._text

class MendPrompt(BasePrompt):
    template_path = "mend.tmpl"

class WeavePrompt(BasePrompt):
    template = "Weave {{ question }}"
"""
SEND = "    OpenAI().chat.completions.create(model='gpt-4o', messages=[{'role': 'user', 'content': text}])\n"


def only(program: str) -> Template:
    files = {
        "app.py": SourceFile("app.py", BASE + program + SEND),
        "templates/mend.tmpl": SourceFile("templates/mend.tmpl", "Mend this:\n{{ query }}\n" + RULES),
    }
    found = analyse([files["app.py"]], files.get)
    (template,) = [one for extraction in found.values() for one in extraction.templates]
    return template


def parts(template: Template) -> list[tuple[str, str]]:
    """Text, or name and lifetime of a value, with the file that it stands in."""
    return [
        (s.text, s.span().path) if isinstance(s, Text) else (f"<{s.expression} {s.lifetime.value}>", s.span.path)
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Text | Value)
    ]


def test_the_file_that_a_derived_class_names() -> None:
    template = only("def mend(query):\n    text = MendPrompt(query=query).to_string()\n")
    assert parts(template) == [
        ("Mend this:\n", "templates/mend.tmpl"),
        ("<query request>", "templates/mend.tmpl"),
        ("\n" + RULES, "templates/mend.tmpl"),
    ]


def test_the_text_that_a_derived_class_holds() -> None:
    template = only("def weave(question):\n    text = WeavePrompt(question=question).to_string()\n")
    assert parts(template) == [("Weave ", "app.py"), ("<question request>", "app.py")]


def test_what_an_object_that_lasts_has_made_once_stays() -> None:
    program = (
        "class Desk:\n    def ask(self, store):\n        if self.found is None:\n"
        "            self.found = store.search('nets')\n"
        f"        return say(self.found)\n\ndef say(found):\n    text = f'{{found}} {RULES}'\n"
    )
    lifetimes = [s.lifetime for b in only(program).blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert Lifetime.SESSION in lifetimes
    assert Lifetime.REQUEST not in lifetimes


def test_a_parameter_of_the_class_that_leaves_the_template_open_is_one_of_those_that_name_it() -> None:
    files = {
        "app.py": SourceFile("app.py", f"{BASE}def ask(prompt: BasePrompt):\n    text = prompt.to_string()\n{SEND}"),
        "templates/mend.tmpl": SourceFile("templates/mend.tmpl", "Mend this:\n{{ query }}\n" + RULES),
    }
    found = analyse([files["app.py"]], files.get)
    (template,) = [one for extraction in found.values() for one in extraction.templates]
    assert parts(template) == [
        ("Mend this:\n", "templates/mend.tmpl"),
        ("<query session>", "templates/mend.tmpl"),
        ("\n" + RULES, "templates/mend.tmpl"),
        ("Weave ", "app.py"),
        ("<question session>", "app.py"),
    ]
