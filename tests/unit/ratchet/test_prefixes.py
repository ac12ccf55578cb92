"""Layouts of real templates: what the hash of a prefix depends on."""

from __future__ import annotations

import pytest
from prefixlint.engines import load_target
from prefixlint.layout import build
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Choice, Segment, Text, Value
from prefixlint.model.sources import Position, Span
from prefixlint.model.templates import Block, Template
from prefixlint.ratchet.prefixes import Place, State, state_of


def span(line: int) -> Span:
    return Span("a.py", Position(line, 1), Position(line, 9))


def text(content: str, line: int = 1) -> Text:
    return Text(content, span(line))


def value(name: str, line: int, lifetime: Lifetime = Lifetime.REQUEST) -> Value:
    return Value(name, span(line), lifetime)


def state(*segments: Segment, role: str = "system", target: str = "vllm") -> State:
    template = Template("openai-chat", "ask", span(1), (Block(role, "system", segments, span(1)),))
    return state_of([build(template, (load_target(target, {}),))], "a.py")


def digest(*segments: Segment, role: str = "system", target: str = "vllm") -> str:
    return state(*segments, role=role, target=target).prefixes[0].digest


RULES = text("Answer briefly and never invent a price.")
QUESTION = value("question", 5)


def test_state() -> None:
    config = value("settings.name", 2, Lifetime.DEPLOYMENT)
    found = state(RULES, config, QUESTION, text(" and "), value("now()", 6), QUESTION)
    assert found.values == ("question", "now()")
    assert found.end == Place("question", "a.py", 5)
    assert found.prefixes[0].target == "vllm"
    assert state(RULES).end is None
    assert state(RULES).values == ()


def test_what_stands_behind_does_not_matter() -> None:
    assert digest(RULES, QUESTION) == digest(RULES, QUESTION, text("Be kind.")) == digest(RULES, value("now()", 9))


def test_where_it_stands_and_how_it_is_cut_does_not_matter() -> None:
    halves = text("Answer briefly and", 70), text(" never invent a price.", 90)
    assert digest(*halves, QUESTION) == digest(RULES, QUESTION)
    assert digest(RULES, QUESTION, target="openai:gpt-4o") == digest(RULES, QUESTION)


@pytest.mark.parametrize(
    "segments",
    [
        (text("Answer briefly and never invent a prize."), QUESTION),
        (RULES, value("settings.name", 2, Lifetime.DEPLOYMENT), QUESTION),
        (value("settings.name", 2, Lifetime.DEPLOYMENT), RULES, QUESTION),
        (RULES,),
        (RULES, Choice(((text("Yes."),), (text("No."),)), "flag", span(3), Lifetime.DEPLOYMENT), QUESTION),
    ],
)
def test_what_stands_in_front_matters(segments: tuple[Segment, ...]) -> None:
    plain = (text("Answer briefly and never invent a price. "), QUESTION)
    assert digest(*segments) != digest(*plain)


def test_every_arm_of_a_choice_and_the_role_matter() -> None:
    def with_arm(other: str) -> str:
        return digest(
            RULES,
            Choice(((text("A long arm that is laid out."),), (text(other),)), "flag", span(3), Lifetime.DEPLOYMENT),
            QUESTION,
        )

    assert with_arm("No.") == with_arm("No.")
    assert with_arm("No.") != with_arm("Never.")
    assert digest(RULES, QUESTION, role="user") != digest(RULES, QUESTION)


def test_long_expressions_are_cut() -> None:
    (shown,) = state(value("f(\n    " + "x" * 100 + ")", 1)).values
    assert shown == "f( " + "x" * 56 + "…"
