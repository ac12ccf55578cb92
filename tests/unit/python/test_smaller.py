"""Functions that call themselves with parts of what they were given: what they make when run is what is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Choice, Text, Value, walk
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

_HEAD = (
    "import json\nfrom openai import OpenAI\nclient = OpenAI()\n"
    "RULES = 'Cite the shelf mark of each book, and say until when it is lent out, if it is. Never guess.'\n"
)
_SEND = "    return client.chat.completions.create(model='m', messages=[{'role': 'system', 'content': text}])\n"

MARKDOWN = """
def markdown(prompt, depth=1):
    if prompt is None:
        return ""
    if isinstance(prompt, str):
        return prompt.strip() + "\\n"
    if isinstance(prompt, list):
        if all(isinstance(item, dict) and "type" in item for item in prompt):
            return prompt
        return "\\n".join([f"- {s.strip()}" for s in prompt] + ["\\n"])
    out = []
    for key, value in prompt.items():
        out.append(f"{'#' * depth} {key}\\n")
        out.append(markdown(value, depth + 1))
    return "\\n".join(out)
def ask(question):
    prompt = {"Idea": question, "Instructions": {}}
    prompt["Instructions"] |= {"Guide": ["Be kind.", RULES], "More": "Never guess."}
    text = markdown(prompt)
"""
MUTUAL = """
def render(value, level=1):
    if isinstance(value, dict):
        return render_all(value, level)
    return str(value)
def render_all(value, level):
    out = ""
    for key, part in value.items():
        out += "#" * level + " " + key + "\\n" + render(part, level + 1) + "\\n"
    return out
def ask(question):
    text = render({"Task": {"Now": question}, "Rules": {"All": RULES}})
"""
METHOD = """
class Prompt:
    def __init__(self, parts):
        self.parts = parts
    def write(self, part, tag):
        if isinstance(part, str):
            return f"<{tag}>{part}</{tag}>"
        if isinstance(part, (list, tuple)):
            return "".join(self.write(p, "item") for p in part)
        return "".join(f"<{name}>{self.write(inner, name)}</{name}>" for name, inner in part.items())
def ask(question):
    parts = {"now": [question, "Thank you."], "rules": [RULES]}
    text = Prompt(parts).write(parts, "p")
"""
OBJECTS = """
class Section:
    def __init__(self, title, body="", children=()):
        self.title = title
        self.body = body
        self.children = children
    def to_text(self, level=1):
        return "\\n".join([f"{level} {self.title}", self.body] + [child.to_text(level + 1) for child in self.children])
def ask(question):
    text = Section("Prompt", children=[Section("Question", question), Section("Rules", RULES)]).to_text()
"""


class _Client:
    """Stands in for the library's: keeps the text that it is sent."""

    def __init__(self) -> None:
        self.chat = self.completions = self
        self.sent = ""

    def create(self, *, messages: list[dict[str, str]], **_: object) -> None:
        self.sent = messages[0]["content"]


def templates(source: str) -> list[Template]:
    extractions = analyse([SourceFile("a.py", source)], lambda path: None)
    return [template for extraction in extractions.values() for template in extraction.templates]


def sent(source: str, *given: object) -> str:
    """What the program's ``ask`` sends."""
    names: dict[str, Any] = {}
    exec(source.replace("from openai import OpenAI\nclient = OpenAI()\n", ""), names)
    client = names["client"] = _Client()
    names["ask"](*given)
    return client.sent


def read(template: Template) -> str:
    """The text of a template of which the question is the only value."""
    pieces = [s for block in template.blocks for s in walk(block.segments)]
    return "".join(s.text if isinstance(s, Text) else "<question>" for s in pieces if isinstance(s, Text | Value))


@pytest.mark.parametrize("program", [MARKDOWN, MUTUAL, METHOD, OBJECTS])
def test_parts_are_written_as_the_program_writes_them(program: str) -> None:
    source = _HEAD + program + _SEND
    (template,) = templates(source)
    assert read(template) == sent(source, "<question>")


def test_values_stand_where_the_dictionary_is_written() -> None:
    (template,) = templates(_HEAD + MARKDOWN + _SEND)
    (value,) = (s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value))
    line = (_HEAD + MARKDOWN).splitlines()[value.span.start.line - 1]
    assert line[value.span.start.column - 1 :].startswith("question, ")


@pytest.mark.parametrize(
    "call",
    [
        "again(prompt)",
        "again(prompt + [{'role': 'user', 'content': 'Go on.'}])",
        "again({'all': prompt})",
    ],
)
def test_a_function_is_not_entered_again_with_what_is_no_part(call: str) -> None:
    source = (
        f"{_HEAD}def again(prompt):\n"
        "    client.chat.completions.create(model='m', messages=prompt)\n"
        f"    return {call}\n"
        "def ask(question):\n    return again([{'role': 'user', 'content': RULES + question}])\n"
    )
    assert len(templates(source)) == 1


@pytest.mark.parametrize(
    "prompt",
    [
        "{'idea': question, 'rules': RULES + ' Say when it is lent out.'}",
        "{'idea': question, 'rules': [RULES, 'Be kind.', {'also': 'Be short, and stay calm.'}]}",
        "[question, RULES, 'Always say when it is lent out.']",
    ],
)
@pytest.mark.parametrize("form", ["", ", indent=2", ", ensure_ascii=False"])
def test_json_is_parted_as_it_is_written(prompt: str, form: str) -> None:
    source = f"{_HEAD}def ask(question):\n    text = json.dumps({prompt}{form})\n{_SEND}"
    (template,) = templates(source)
    assert read(template) == sent(source, "<question>").replace('"<question>"', "<question>")


def test_json_of_lists_with_items_under_a_condition_or_again_and_again() -> None:
    source = (
        f"{_HEAD}def ask(question, documents, strict):\n"
        "    rules = [RULES]\n    if strict:\n        rules.append('Be strict.')\n    rules.append('Be kind.')\n"
        "    found = [{'text': document} for document in documents]\n"
        f"    text = json.dumps({{'rules': rules, 'found': found, 'end': 'Now answer in one paragraph.'}})\n{_SEND}"
    )
    (template,) = templates(source)
    texts = "".join(s.text for block in template.blocks for s in walk(block.segments) if isinstance(s, Text))
    for piece in ('{"rules": ["', "Cite the shelf mark of each book", "Be strict.", '{"text": ', "Now answer in one"):
        assert piece in texts
    assert texts.index("Be strict.") < texts.index("Be kind.") < texts.index('{"text": ') < texts.index("Now answer")
    (choice,) = (s for block in template.blocks for s in walk(block.segments) if isinstance(s, Choice))
    assert choice.expression == "strict"


@pytest.mark.parametrize(
    "loop",
    [
        "    text = ''\n    for title, body in parts:\n        text += f'## {title}: {body}\\n'\n",
        "    text = ''.join(f'## {title}: {body}\\n' for title, body in parts)\n",
        "    text = ''.join(['## ' + part[0] + ': ' + part[1] + '\\n' for part in parts])\n",
    ],
)
def test_lists_with_parts_under_a_condition_are_run_over_part_by_part(loop: str) -> None:
    source = (
        f"{_HEAD}def ask(question, strict):\n    parts = [('Question', question)]\n"
        "    if strict:\n        parts.append(('Strict', 'Be strict.'))\n    parts.append(('Rules', RULES))\n"
        f"{loop}{_SEND}"
    )
    (template,) = templates(source)
    assert read(template) == sent(source, "<question>", True)
