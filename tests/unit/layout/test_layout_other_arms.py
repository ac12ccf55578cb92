"""Values in an arm of a choice that is not the one shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from layout_support import choice, plain, text
from prefixlint.engines.targets import load_target
from prefixlint.layout import build
from prefixlint.layout.other_arms import MOST, other_arms
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Value
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

FILE = SourceFile("prompt.py", "x" * 400)
RULES = text(" answer in one short line of plain words and say so when you do not know it" * 3)
TARGET = load_target("llama-server")


def asked(name: str, at: int) -> Value:
    """A question at a place of its own: findings are told apart by their places."""
    origin = Origin(SourceKind.USER_INPUT)
    return Value(name, FILE.span(at, at + 4), Lifetime.REQUEST, origin, Confidence.HIGH, name=name)


def of_arms(*arms: tuple[Segment, ...]) -> Template:
    return replace(plain(text("Rules."), choice("deep", Lifetime.UNKNOWN, *arms), text(" End.")), form="openai-chat")


def told(made: Template) -> list[list[str]]:
    layout = build(made, (TARGET,))
    return [[each.expression for each in shown.inversions] for shown in (layout, *layout.others)]


def test_each_arm_is_told_once() -> None:
    made = of_arms((asked("one", 1), RULES, RULES), (asked("two", 20), RULES))
    assert told(made) == [["one"], ["two"]]


def test_what_an_arm_strands_is_counted_in_a_prompt_with_that_arm() -> None:
    made = of_arms((asked("one", 1), RULES, RULES), (asked("two", 20), RULES))
    alone = of_arms((asked("two", 20), RULES))
    other, same = build(made, (TARGET,)).others[0], build(alone, (TARGET,))
    assert other.total_tokens == same.total_tokens
    assert [each.stranded_tokens for each in other.inversions] == [each.stranded_tokens for each in same.inversions]


def test_an_arm_with_its_value_at_the_end_is_no_finding() -> None:
    assert told(of_arms((asked("one", 1), RULES, RULES), (RULES, asked("two", 20)))) == [["one"]]


def test_the_same_value_in_both_arms_is_told_once() -> None:
    assert told(of_arms((asked("one", 1), RULES, RULES), (asked("one", 1), RULES))) == [["one"]]


def test_arms_inside_arms() -> None:
    inner = choice("brief", Lifetime.UNKNOWN, (asked("two", 20), RULES, RULES), (asked("three", 40), RULES))
    made = of_arms((asked("one", 1), RULES, RULES, inner), (text("none"),))
    assert sorted(each for shown in told(made) for each in shown) == ["one", "three", "two"]


def test_in_a_prompt_by_its_words_an_arm_has_to_have_them() -> None:
    made = replace(of_arms((asked("one", 1), RULES, RULES), (asked("two", 20), RULES)), form="prompt-string")
    assert told(made) == [["one"]]
    words = text("You are a helpful assistant. Your task is to answer the user. Do not make things up." * 3)
    made = replace(of_arms((asked("one", 1), words, words), (asked("two", 20), words)), form="prompt-string")
    assert told(made) == [["one"], ["two"]]


def test_few_of_many_arms_are_laid_out() -> None:
    made = of_arms((asked("one", 1), RULES, RULES), *((asked(f"n{at}", 10 * at), RULES) for at in range(1, 30)))
    assert len(list(other_arms(made))) == MOST
