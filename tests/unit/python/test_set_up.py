"""Attributes that a method other than ``__init__`` gives an object, and prompts that a function names in a module."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

PROGRAM = """
from jinja2 import Template
from openai import OpenAI
SORT = '''You sort letters in a post office on an island.
{{ context }}
Letters without a stamp are delivered too. Say nothing but the name of the road, and nothing at all where there is none.
Question: {{ question }}
'''
class Sorter:
    def __init__(self):
        self.client = OpenAI()
        self.context = "The island has four roads."
        %s
    def load(self, path=None):
        %s
    %s
    def sort(self, question):
        text = self.template.render(context=%s, question=question)
        return self.client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
"""


def varying(program: str) -> list[str]:
    (template,) = (t for t in templates_of(program))
    values = (s for b in template.blocks for s in walk(b.segments) if isinstance(s, Value))
    return [value.expression for value in values if value.lifetime is Lifetime.REQUEST]


@pytest.mark.parametrize("first", ["pass", "self.template = None", "self.template: Template | None = None"])
@pytest.mark.parametrize(
    "given", ["self.template = Template(SORT)", "print(path)\n        self.template = Template(SORT)"]
)
def test_a_template_set_up_later_is_filled_with_what_it_is_given(first: str, given: str) -> None:
    assert varying(PROGRAM % (first, given, "", "self.context")) == ["question"]


def test_what_varies_there_is_seen() -> None:
    program = PROGRAM % ("pass", "self.template = Template(SORT)", "", "find_passages(question)")
    assert varying(program) == ["find_passages(question)", "question"]


@pytest.mark.parametrize(
    ("given", "other"),
    [
        ("self.template = Template(path.read())", ""),
        ("text = path or SORT\n        self.template = Template(text)", ""),
        ("self.template = Template(SORT)", "def other(self):\n        self.template = Template('{{ letter }}')"),
    ],
)
def test_one_of_which_that_is_not_known_is_not(given: str, other: str) -> None:
    program = PROGRAM % ("pass", given, other, "self.context")
    templates = templates_of(program)
    assert all(t.form != "openai-chat" or len(t.blocks[0].segments) == 1 for t in templates)


PROMPTS = '''
from langchain_core.prompts import PromptTemplate
pick = PromptTemplate.from_template("""
You are a helpful search assistant of a library. Choose from the sources below, and from no others, where to search:
{sources}
Answer with a list of names in JSON. Choose at least one of them and at most three, the most useful ones first.
Question: {query}
""")
'''
HELPERS = """
import prompts
from sending import ask
def choose(query, index):
    lines = "- web: all pages\\n- notes: what you have written"
    return ask(prompts.pick.format(query=query, sources=%s))
"""


@pytest.mark.parametrize(
    ("sources", "expected"), [("lines", ["query"]), ("index.search(query)", ["index.search(query)", "query"])]
)
def test_a_prompt_of_a_module_is_filled_with_what_a_function_gives_it(sources: str, expected: list[str]) -> None:
    files = [SourceFile("prompts.py", PROMPTS), SourceFile("helpers.py", HELPERS % sources)]
    found = analyse(files, lambda _: None)
    (template,) = [t for extraction in found.values() for t in extraction.templates]
    values = (s for b in template.blocks for s in walk(b.segments) if isinstance(s, Value))
    assert [value.expression for value in values if value.lifetime is Lifetime.REQUEST] == expected


SHARED = """
from openai import OpenAI
client = OpenAI()
RULES = "You sort letters in a post office on an island. Letters without a stamp are delivered too."
ROADS = "The island has four roads, which are called after the points of the compass, and one harbour."
def ask(text):
    return client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
def sort(letter, notes):
    return ask(f"{notes} {RULES} {letter}")
def sort_by_road(letter):
    return ask(f"{ROADS} {RULES} {letter}")
"""


def test_what_is_sent_from_one_place_is_not_one_prompt_because_of_that() -> None:
    templates = templates_of(SHARED)
    first = [t.blocks[0].segments[0] for t in templates]
    assert sorted(s.expression if isinstance(s, Value) else "text" for s in first) == ["notes", "text"]
