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
        f"self.llm.invoke({TEXT})",
        f"self.agent.run_sync({TEXT})",
        f"chart_agent({TEXT})",
        f"Runner.run(self.agent, {TEXT})",
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


MADE = [
    ("from agents import Agent", "Agent(instructions='You mark charts.')", "run"),
    ("from camel.agents import ChatAgent", "ChatAgent('You mark charts.')", "step"),
    ("from autogen import ConversableAgent", "ConversableAgent('marks')", "initiate_chat"),
    ("from langchain_openai import ChatOpenAI", "ChatOpenAI()", "invoke"),
    ("from some_models import AzureChatModel", "AzureChatModel()", "ask"),
]


@pytest.mark.parametrize(("imports", "made", "method"), MADE)
def test_what_a_class_of_a_model_or_an_agent_makes_is_asked(imports: str, made: str, method: str) -> None:
    program = f"{HEAD}{imports}\ndef mark(code):\n    judge = {made}\n    return judge.{method}({TEXT})\n"
    values = [s for t in templates_of(program) for b in t.blocks for s in b.segments if isinstance(s, Value)]
    assert "code" in [value.expression for value in values]


@pytest.mark.parametrize(
    "call",
    [
        f"logger.info({TEXT})",
        f"self.board.put({TEXT})",
        f"self.llm_log.debug({TEXT})",
        f"load_model({TEXT})",
        f"self.agent.log({TEXT})",
        f"create_agent({TEXT})",
        f"self.engine.run({TEXT})",
        f"ChatLog().write({TEXT})",
    ],
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
