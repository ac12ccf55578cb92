"""Attributes of one object: what varies of it and what only seems to be configuration."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Repeat, Value, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
client = OpenAI()

def judge(OWNER):
    text = f"You judge what a boat brings. {A} It must be one of {B}. Answer in one line, with the reason."
    client.responses.create(model="gpt-4o", input=text)
"""
LISTED = """
from openai import OpenAI
client = OpenAI()

def judge(catch):
    text = f"You judge what a boat brings. {catch.query} "
    for rule in catch.rules:
        text += f"- {rule.label} "
    client.responses.create(model="gpt-4o", input=text + "Answer in one line, with the reason.")
"""


def lifetimes(program: str) -> dict[str, Lifetime]:
    return {
        segment.expression: segment.lifetime
        for template in templates_of(program)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value | Repeat)
    }


@pytest.mark.parametrize(
    ("owner", "first", "second", "expected"),
    [
        # The categories are those of this catch, as the question is.
        ("catch", "catch.query", "catch.categories", Lifetime.UNKNOWN),
        ("find", "find.catch.query", "find.catch.categories", Lifetime.UNKNOWN),
        # Nothing of the object is known to vary, or another object does.
        ("catch", "catch.weather", "catch.categories", Lifetime.DEPLOYMENT),
        ("catch, query", "query", "catch.categories", Lifetime.DEPLOYMENT),
        # What holds settings beside what is asked.
        ("request", "request.query", "request.categories", Lifetime.DEPLOYMENT),
        ("state", "state.query", "state.categories", Lifetime.DEPLOYMENT),
        ("config", "config.query", "config.categories", Lifetime.DEPLOYMENT),
    ],
)
def test_what_only_its_name_holds_to_be_configuration(owner: str, first: str, second: str, expected: Lifetime) -> None:
    program = PROGRAM.replace("OWNER", owner).replace("{A}", f"{{{first}}}").replace("{B}", f"{{{second}}}")
    assert lifetimes(program)[second] is expected


def test_what_stands_in_a_list_of_the_object() -> None:
    assert lifetimes(LISTED) == {
        "catch.query": Lifetime.REQUEST,
        "catch.rules": Lifetime.UNKNOWN,
        "rule.label": Lifetime.UNKNOWN,
    }
    other = lifetimes(LISTED.replace("catch.rules", "book.rules").replace("judge(catch)", "judge(catch, book)"))
    assert other["book.rules"] is Lifetime.DEPLOYMENT
