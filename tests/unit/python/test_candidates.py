"""Calls of one of several functions: only those that can take what is given are called."""

from __future__ import annotations

from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

HEAD = """
from openai import OpenAI
client = OpenAI()
RULES = "Answer from the catalogue of the library alone, in one sentence, and name the shelf on which the book stands."


def plain(question, topic, style="short"):
    return f"{RULES} In {style} style: {question}"


def brief(question, topic, style="brief"):
    return f"{RULES} Be brief, in {style} style: {question} ({topic})"


NAMED = {"plain": plain, "brief": brief}


def pick(kind):
    return NAMED[kind]


def send(prompt):
    return client.responses.create(model="gpt-4o", input=prompt)

"""


def lifetimes(call: str) -> dict[str, Lifetime]:
    program = f"{HEAD}\ndef ask(kind, question, topic, headers, notes):\n    make = pick(kind)\n    send({call})\n"
    return {
        s.expression: s.lifetime
        for template in templates_of(program)
        if template.form == "openai-responses"
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Value)
    }


def test_a_function_that_cannot_take_what_is_given_is_another_times() -> None:
    # Both take two values and ``style``: with four more they would raise, so the call is of a function not seen here.
    assert "style" not in lifetimes("make(question, topic, headers, notes, style='apa')")


def test_one_that_can_is_called() -> None:
    # The twin: what the caller gives stands in the prompt that ``plain`` makes.
    assert lifetimes("make(question, topic, style=notes)")["style"] is not Lifetime.CONSTANT
    assert lifetimes("make(question, topic)")["question"] is Lifetime.REQUEST
