"""Broken files never end a stage: small sources, changed at random from fixed seeds, through front ends and layout.

What cannot be read is a problem with a place; an exception is a fault.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from prefixlint import layout
from prefixlint.discover.decode import DecodeError, decode
from prefixlint.engines import default_targets
from prefixlint.frontends import promptfiles, python
from prefixlint.suppress import directives

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.model.sources import SourceFile
    from prefixlint.model.templates import Extraction

PYTHON = '''\
"""Answers questions."""
import uuid
from datetime import datetime

from openai import OpenAI

client = OpenAI()
RULES = """You are a careful assistant.
Answer the question of the user in {language}. Do not make things up.
"""


class Agent:
    # prefixlint: ignore[PFX101]
    prompt = RULES + "Always respond in JSON. %(style)s"

    def __init__(self, name: str, tools: list[str]) -> None:
        self.name, self.tools, self.history = name, tools, []

    def build(self, question: str, documents: list[str], *, brief: bool = False) -> str:
        text = f"Now: {datetime.now():%Y-%m-%d %H:%M}\\n{self.prompt.format(language='é漢')}"
        for number, document in enumerate(documents):
            text += f"{number}. {document!r:>{10}}\\n"
        if brief:
            text = "Be brief. " + text
        elif (long := len(documents) > 3):
            text += "\\n".join(sorted({d.strip() for d in documents}))
        match question:
            case "": text += "No question."
            case str() as asked: text += asked
        return text.replace("user", "person") + ("" if not self.tools else ", ".join(self.tools))

    async def ask(self, question: str, **options: object) -> str:
        messages = [{"role": "system", "content": self.build(question, [], **options)}, *self.history]
        messages.append({"role": "user", "content": "%s (%s)" % (question, uuid.uuid4())})
        try:
            while len(messages) > 20:
                messages.pop(1)
        except IndexError:
            pass
        return await client.chat.completions.create(model="gpt-4o", messages=messages, tools=[])
'''
YAML = """\
# prefixlint: ignore[PFX101]
system: &base |
  You are a careful assistant. Today is {date}. Your task is to answer the question.
  Do not make things up. ${language} {{ style }}
user: "Question: {question}\\n\\u00e9 \\
  more"
messages:
  - {role: system, content: *base}
  - role: user
    content: >-
      Answer the question

      {{question}}
"""
JINJA = """\
{# prefixlint: ignore #}
{%- set name = "assistant" -%}
{% macro item(x, n=1) %}- {{ x.title | upper }} {{ n }}{% endmacro %}
You are a careful {{ name }}. Today is {{ now() }}. Your task is to answer the question.
{% if style == "brief" %}Be brief.{% elif not style %}Be clear.{% else %}{{ style ~ "!" }}{% endif %}
{% for d in documents if d %}{{ loop.index }}. {{ item(d) }}{% else %}none{% endfor %}
{% raw %}{{ kept }}{% endraw %}{% include "other.jinja" ignore missing %}
Question: {{ question[:100] or "none" }}
"""
TEXT = """\
You are a careful assistant. Your task is to answer the question of the user. Do not make things up.
{{#if style}}Be {{style}}.{{else}}Be clear.{{/if}} {{#each documents}}{{this.text}}{{/each}} {{{raw}}}
Today is {date}. $name ${language} %(city)s <<old>> {question}
"""
JSON = """\
{"messages": [{"role": "system", "content": "You are a careful assistant. Today is {date}.\\n\\u00e9\\ud83d\\ude00"},
 {"role": "user", "content": [{"type": "text", "text": "Question: {question}"}]}], "model": "gpt-4o", "n": [1, null]}
"""
SOURCES = {
    "app/agent.py": PYTHON,
    "prompts/system_prompt.yaml": YAML,
    "prompts/system_prompt.jinja": JINJA,
    "prompts/system_prompt.txt": TEXT,
    "prompts/system_prompt.json": JSON,
    "prompts/system_prompt.prompty": f"---\nname: x\nmodel:\n  api: chat\n---\nsystem:\n{JINJA}\nuser:\nHello\n",
}
MARKS = b"{}%$\"'\\\r\n\x00\x0c\xff()[]#:|>-&*!\t <"
RUNS = {"app/agent.py": 25}


def changed(data: bytes, rng: random.Random) -> bytes:
    """``data`` with one change of a random kind: cut, dropped, repeated, swapped or foreign bytes and lines."""
    lines = data.split(b"\n")
    at, line = rng.randrange(len(data) + 1), rng.randrange(len(lines))
    match rng.randrange(8):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + data[at + rng.randrange(1, 30) :]
        case 2:
            return data[:at] + bytes(rng.choice(MARKS) for _ in range(rng.randrange(1, 4))) + data[at:]
        case 3:
            lines[line : line + rng.randrange(1, 6)] = []
        case 4:
            lines[line:line] = lines[line : line + rng.randrange(1, 8)] * rng.randrange(1, 12)
        case 5:
            other = rng.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
        case 6:
            return data.replace(b"\n", rng.choice([b"\r", b"\r\n"]))
        case _:
            lines[line] = b" " * rng.randrange(9) + lines[line].lstrip()
    return b"\n".join(lines)


def extracted(source: SourceFile) -> Mapping[str, Extraction]:
    if source.path.endswith(".py"):
        return python.analyse([source], lambda path: None)
    return {source.path: promptfiles.extract(source)}


@pytest.mark.parametrize("path", SOURCES)
def test_unchanged_sources_hold_a_template(path: str) -> None:
    found = extracted(decode(path, SOURCES[path].encode()))[path]
    assert (bool(found.templates), found.problems, found.faults) == (True, (), ())


@pytest.mark.parametrize("path", SOURCES)
def test_changed_sources_end_no_stage(path: str) -> None:
    for seed in range(RUNS.get(path, 60)):
        rng = random.Random(f"{path} {seed}")
        data = SOURCES[path].encode()
        for _ in range(rng.randrange(1, 5)):
            data = changed(data, rng)
        try:
            source = decode(path, data)
        except DecodeError:
            continue
        directives(source)
        for extraction in extracted(source).values():
            assert not extraction.faults, (seed, extraction.faults)
            for template in extraction.templates:
                layout.build(template, default_targets(template))
            for problem in extraction.problems:
                assert 1 <= problem.position.line <= len(source.line_starts) + 1, (seed, problem)
