"""What moves with a value, and where to; ``{v}`` stands for one of a request, ``{u}`` for one of a user,
``{h}`` for one of an hour."""

from __future__ import annotations

import pytest
from prefixlint.fixes.flow import VALUE, Flow
from prefixlint.fixes.moves import moves, tied
from prefixlint.fixes.proposals import fixable
from prefixlint.model.lifetimes import Lifetime

LIVES = {"v": Lifetime.REQUEST, "u": Lifetime.USER, "h": Lifetime.HOUR}
RULES = "Bread is baked at two. The oven is never opened before the bell.\nWhoever is late carries the flour."


def best(text: str, at: int = 0) -> str | None:
    """The text in the order that is offered first for its value number ``at``; None where none is offered."""
    names, lives, plain, rest = [], {}, "", text
    while "{" in rest:
        before, _, rest = rest.partition("{")
        name, _, rest = rest.partition("}")
        plain += before
        if name in LIVES:
            lives[len(plain)] = float(LIVES[name].rank)
        plain += VALUE
        names.append(name)
    flow = Flow(plain + rest, lives)
    places = [number for number, char in enumerate(flow.text) if char == VALUE]
    move = next(moves(flow, places[at]), None)
    if move is None:
        return None
    out = []
    for start, end in move.ranges:
        for number in range(start, end):
            char = flow.text[number]
            out.append(f"{{{names[places.index(number)]}}}" if char == VALUE else char)
    return "".join(out)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"Now: {{v}}\n\n{RULES}", f"{RULES}\n\nNow: {{v}}"),
        (f"Now: {{v}}\n{RULES}\n", f"{RULES}\nNow: {{v}}\n"),
        ("Now: {v}\n{rules}", "{rules}\nNow: {v}"),
        ("Date: {v}\n\n{rules}\n\nQuestion: {v}\nAnswer:", "{rules}\n\nDate: {v}\n\nQuestion: {v}\nAnswer:"),
        (f"Files:\n{{v}}\n\n{RULES}", f"{RULES}\n\nFiles:\n{{v}}"),
        (f"Files:\n\n{{v}}\n\n{RULES}", f"{RULES}\n\nFiles:\n\n{{v}}"),
        (f"<files>\nAll:\n{{v}}\n</files>\n\n{RULES}", f"{RULES}\n\n<files>\nAll:\n{{v}}\n</files>"),
        (f"## State\nTime: {{v}}\n\n## Rules\n{RULES}", f"## Rules\n{RULES}\n\n## State\nTime: {{v}}"),
        (f"User: {{u}}\nTime: {{v}}\n{RULES}", f"{RULES}\nUser: {{u}}\nTime: {{v}}"),
        (
            "You keep the log. It is {v}. Write down what is told.\nNames stand in capitals.",
            "You keep the log. Write down what is told.\nNames stand in capitals.\nIt is {v}.",
        ),
        ("Today is {v}. {rules}", "{rules} Today is {v}."),
        (f"It is {{v}}.\n\n{RULES}\n- one\n- two", f"{RULES}\n- one\n- two\n\nIt is {{v}}."),
    ],
)
def test_what_moves(before: str, after: str) -> None:
    assert best(before) == after
    assert sorted(before.split()) == sorted(after.split())


@pytest.mark.parametrize(
    "text",
    [
        f"- {'one ' * 80}\n- now {{v}}\n- two\n\n{RULES}",
        f"1. Look at {{v}}.\n2. {'Write. ' * 60}\n\n{RULES}",
        f"```\nrun {{v}}\n```\n\n{RULES}",
        f"You are {{v}}, the baker of this town.\n\n{RULES}",
        f"Make a list of the very last {{v}} messages that stand in the log and keep it.\n\n{RULES}",
        f"Log: {{v}}\n\nUse this information to answer.\n\n{RULES}",
        f"The policy of {{x}}:\n{{v}}\n\n{RULES}",
        "only {v}",
    ],
)
def test_what_does_not_move(text: str) -> None:
    assert best(text, 1 if "{x}" in text else 0) is None


def test_a_value_of_an_hour_is_shared_and_passed_over() -> None:
    assert best(f"Time: {{v}}\n\nHour: {{h}}\n\n{RULES}") == f"Hour: {{h}}\n\n{RULES}\n\nTime: {{v}}"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("PFX101", "unsafe fixes"),
        ("PFX201", "safe and unsafe fixes"),
        ("PFX204", "unsafe fixes"),
        ("PFX206", "unsafe fixes"),
        ("PFX207", ""),
        ("PFX301", ""),
        ("PFX401", "unsafe fixes"),
    ],
)
def test_rules_say_what_fixes_they_have(code: str, said: str) -> None:
    assert fixable(code) == said


def test_a_run_of_labelled_lines_is_not_torn_apart() -> None:
    text = f"Name: {{u}}\nFloor: {{x}}\nTime: {{v}}\n{RULES}"
    assert best(text) == best(text, 2) == f"{RULES}\nName: {{u}}\nFloor: {{x}}\nTime: {{v}}"


@pytest.mark.parametrize(
    ("unit", "jumped", "is_tied"),
    [
        ("Articles:\n⟦a⟧", "Answer from the articles above.", True),
        ("⟦history⟧", "Answer questions on the debate above. Be brief.", True),
        ("Level: ⟦l⟧", "The level in centimetres above the sill, and above two hundred the gate opens.", False),
        ("⟦n⟧ messages right before this one", "Be brief.", True),
        ("Now: ⟦n⟧", "Be brief.\n---\nBe kind.", True),
        ("Now: ⟦n⟧", "Be brief.<|im_end|>", True),
        ("Now: ⟦n⟧", "Be brief.", False),
        ("<now>⟦n⟧</now>", "<rules>Be brief.</rules>", False),
        ("<now>⟦n⟧", "Be brief.</now>", True),
        ("Now: ⟦n⟧", "</now>\n<rules>\nBe brief.", True),
        ("It is ⟦n⟧.", "Given this, answer.", True),
    ],
)
def test_text_that_speaks_of_a_place_keeps_what_it_speaks_of_there(unit: str, jumped: str, is_tied: bool) -> None:
    assert tied(unit, jumped) is is_tied
