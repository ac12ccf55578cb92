"""Instructions that are a function: a framework calls it anew for each request."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

RULES = "You sell seeds by mail. Name the variety, the month of sowing and the price, and never promise a harvest."
HEAD = f'from datetime import datetime\nfrom functools import partial\nfrom agents import Agent\nRULES = "{RULES}"\n'
TEXT = 'f"It is {datetime.now()}. {RULES}"'
ASKED = {
    "function": f"def text(context, agent):\n    return {TEXT}\nagent = Agent(name='a', instructions=text)\n",
    "lambda": f"agent = Agent(name='a', instructions=lambda context, agent: {TEXT})\n",
    "lambda with a default": f"agent = Agent(name='a', instructions=lambda context, agent, end='.': {TEXT} + end)\n",
    "partial": f"def text(at, c, a):\n    return {TEXT}\nagent = Agent(name='a', instructions=partial(text, 'Ulm'))\n",
    "method": f"""
class Desk:
    def text(self, context, agent):
        return {TEXT}
    def __init__(self):
        self.agent = Agent(name="a", instructions=self.text)
""",
}


def clocks(program: str) -> list[Lifetime]:
    agents = [t for t in templates_of(HEAD + program) if t.form == "agent"]
    segments = [s for t in agents for block in t.blocks for s in walk(block.segments)]
    assert any(isinstance(s, Text) and RULES in s.text for s in segments)
    return [s.lifetime for s in segments if isinstance(s, Value) and s.expression == "datetime.now()"]


@pytest.mark.parametrize("name", ASKED)
def test_what_it_reads_is_read_for_each_request(name: str) -> None:
    assert clocks(ASKED[name]) == [Lifetime.REQUEST]


def test_a_text_that_is_made_at_import_stays_for_the_process() -> None:
    assert clocks(f"agent = Agent(name='a', instructions={TEXT})\n") == [Lifetime.PROCESS]


def test_parameters_of_a_lambda_are_judged_by_their_names() -> None:
    program = 'agent = Agent(name="a", instructions=lambda question, agent: f"{question} {RULES}")\n'
    (template,) = [t for t in templates_of(HEAD + program) if t.form == "agent"]
    first = template.blocks[0].segments[0]
    assert isinstance(first, Value)
    assert (first.expression, first.lifetime) == ("question", Lifetime.REQUEST)


def test_the_prompt_of_a_record_that_is_called_instructions_is_not_what_a_user_asks() -> None:
    program = f"""
import house
def text(context, agent):
    instructions = house.store.get("desk").value["prompt"]
    return f"{{instructions}} {RULES}"
agent = Agent(name="a", instructions=text)
"""
    (template,) = [t for t in templates_of(HEAD + program) if t.form == "agent"]
    first = template.blocks[0].segments[0]
    assert isinstance(first, Value)
    assert first.lifetime is Lifetime.DEPLOYMENT


def test_of_the_rows_that_a_loop_runs_over_each_has_another_prompt() -> None:
    program = """
from openai import OpenAI
for row in rows:
    instructions = row["prompt"]
    OpenAI().responses.create(model="gpt-4o", input=f"{instructions} {RULES}")
"""
    (template,) = [t for t in templates_of(HEAD + program) if t.form == "openai-responses"]
    first = template.blocks[0].segments[0]
    assert isinstance(first, Value)
    assert first.lifetime is Lifetime.REQUEST
