"""Texts that are handed to what is called a model, where nothing shows how it sends them."""

from __future__ import annotations

import ast

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.prompt_text import role_of
from prefixlint.frontends.python.sending import asks_model
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.segments import Text, Value
from prefixlint.model.sources import SourceFile
from python_support import templates_of

HEAD = '''\
"""Marks for charts, given by a model."""
RUBRIC = """0: the chart is poorly formatted: it misses titles, labels of axes, or has text that nobody can read.
1: the basic elements are there, and yet the chart is cluttered, confusing or hard to read for whoever sees it first.
2: the chart is mostly clean and can be read, with few things to complain of, none of them grave in any way.
3: the chart is well formatted, with titles, labels, scales, legends, and is clean throughout; nothing is missing.
"""
'''
TEXT = 'f"Mark this chart: {code}\\n{RUBRIC}"'


@pytest.mark.parametrize(
    "call",
    [
        f"call_llm({TEXT})",
        f"self.llm.ask_json({TEXT})",
        f"get_completion({TEXT}, temperature=0)",
        f"self.model.generate_content({TEXT})",
        f"self.backend.rate(system='You give marks.', user={TEXT})",
        f"query_model(self.name, {TEXT})",
    ],
)
def test_a_long_text_that_a_model_is_asked_with_is_a_prompt(call: str) -> None:
    program = f"{HEAD}class Marks:\n    def mark(self, code):\n        return {call}\n"
    found = analyse([SourceFile("app.py", program)], lambda path: None)["app.py"]
    (template,) = found.templates
    assert template.confidence is Confidence.HIGH
    first, code, rubric = template.blocks[0].segments
    assert isinstance(code, Value)
    assert code.expression == "code"
    assert isinstance(first, Text)
    assert isinstance(rubric, Text)
    assert (first.text, rubric.text.strip()[:12]) == ("Mark this chart: ", "0: the chart")


@pytest.mark.parametrize(
    "call", [f"logger.info({TEXT})", f"self.board.put({TEXT})", f"self.llm_log.debug({TEXT})", f"load_model({TEXT})"]
)
def test_a_long_text_that_goes_elsewhere_is_none(call: str) -> None:
    program = f"{HEAD}class Marks:\n    def mark(self, code):\n        return {call}\n"
    assert templates_of(program) == ()


@pytest.mark.parametrize(
    ("call", "asks"),
    [
        ("call_llm()", True),
        ("ask_gpt_json()", True),
        ("self.openai.json_call()", True),
        ("model.generate()", True),
        ("get_model()", False),
        ("model.load()", False),
        ("llm_log.write()", False),
        ("task()", False),
        ("handlers[0]()", False),
    ],
)
def test_what_asks_a_model(call: str, asks: bool) -> None:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    assert asks_model(node.func) is asks


def test_the_role_that_a_name_tells() -> None:
    names = ("system", "user_prompt", "sys_msg", "human_message", "user_name", "user", "system_user", "prompt")
    assert [role_of(name) for name in names] == ["system", "user", "system", "user", None, "user", None, None]
