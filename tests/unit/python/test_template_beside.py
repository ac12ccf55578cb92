"""A template that something is made with, and beside it a dictionary of what fills it."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = '''
from dataclasses import dataclass
from parts import Outside

@dataclass(frozen=True)
class Section:
    template: str
    props: dict

class Builder:
    def __init__(self):
        self.sections = {}

    def add(self, name, template, props):
        self.sections[name] = MAKER(template=template, props=props)
        return self

class Clerk:
    def ask(self, letter, strict):
        choices = "".join(f"- {choice}" for choice in WHAT)
        builder = Builder()
        builder.add("choices", """You are the clerk of a harbour. Your task is to answer what the captain asks for.
You must choose among these:
{choices}
Never name a berth that stands in no list, and never name two. Respond only with the berth, in one line. If none is
free then say so, and tell when the next one will be. Do not promise what you cannot know.
""", KEY)
        return self.send(builder)
'''


def lifetimes(what: str, key: str = '{"choices": choices, "more": 1}', maker: str = "Section") -> set[Lifetime]:
    program = PROGRAM.replace("WHAT", what).replace("KEY", key).replace("MAKER", maker)
    return {
        s.lifetime
        for template in templates_of(program)
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Value)
    }


@pytest.mark.parametrize("maker", ["Section", "Outside"])
def test_a_placeholder_is_what_stands_under_its_name_beside_the_template(maker: str) -> None:
    assert lifetimes('(["here", "there"] if strict else ["nowhere"])', maker=maker) == {Lifetime.CONSTANT}
    assert lifetimes("letter.choices", maker=maker) == {Lifetime.REQUEST}


def test_a_dictionary_without_its_name_says_nothing_of_it() -> None:
    assert lifetimes('["here", "there"]', '{"others": choices}') == {Lifetime.REQUEST}
