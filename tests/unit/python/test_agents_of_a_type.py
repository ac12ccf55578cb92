"""Agents that are told the type of their run's context, and what instructions take from that."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
from agents import Agent, RunContextWrapper
def instructions(run_context: RunContextWrapper[Voyage], agent: Agent[Voyage]):
    state = run_context.context.state
    told = state.{field} or "[unknown]"
    return f"Of the traveller is known: {{told}}. Answer briefly, and offer the map of seats."
clerk = Agent[Voyage](name="clerk", model="gpt-4o", instructions=instructions)
"""


@pytest.mark.parametrize(
    ("field", "lifetime"),
    [
        ("confirmation_number", Lifetime.SESSION),
        ("seat_number", Lifetime.USER),
        ("harbour", Lifetime.SESSION),
        ("max_number", Lifetime.DEPLOYMENT),
    ],
)
def test_fields_of_the_context_last_as_long_as_the_session(field: str, lifetime: Lifetime) -> None:
    (found,) = templates_of(PROGRAM.format(field=field))
    system = next(block for block in found.blocks if block.role == "system")
    values = [one for one in walk(system.segments) if isinstance(one, Value)]
    assert [(one.expression, one.lifetime) for one in values] == [("told", lifetime)]


MEMBERS = """
from enum import Enum
from openai import OpenAI
class Tone(Enum):
    SHORT = "Answer in a line. "
    LONG = "Answer in two pages. "
def ask(question, tone):
    text = f"{Tone[tone].value} You keep the gate of a harbour. {question}"
    return OpenAI().chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
"""


def test_a_member_by_a_key_that_is_not_known_is_no_class_with_a_type() -> None:
    (found,) = templates_of(MEMBERS)
    values = [one.expression for block in found.blocks for one in walk(block.segments) if isinstance(one, Value)]
    assert values == ["Tone[tone].value", "question"]
