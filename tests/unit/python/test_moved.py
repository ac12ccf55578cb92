"""Where code stands after an edit: each line that is still there is found with its text, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.frontends.python.moved import Lost, Moves
from prefixlint.frontends.python.project import Project
from prefixlint.model.sources import Position, Run, SourceFile, SourceMap, Span

BODIES = ("    return 1\n", "    x = 2\n    return x\n", '    """Says ü."""\n\n    # why\n    return "a"\n')
GAPS = ("", "\n", "# a comment\n\n", "\n\n\n")
OLD = """import os

RULES = "Answer briefly."


@cached
def first(a,
          b=1):
    # what it does
    text = "one"
    return text


class Shop:
    open = True

    def greet(self):
        return "two"

    def close(self): return "three"


if RULES:

    def last():
        return "four"
"""


def moves(old: str, new: str) -> Moves:
    file = SourceFile("m.py", new)
    return Moves({"m.py": old}, Project({"m.py": file}.get))


def place_of(text: str, word: str) -> Position:
    return SourceFile("m.py", text).position(text.index(word))


def edited(before: str, after: str) -> str:
    assert OLD.count(before) == 1
    return OLD.replace(before, after)


@given(st.lists(st.tuples(*[st.sampled_from(range(3))] * 4), min_size=1, max_size=6))
def test_what_stays_is_found(functions: list[tuple[int, int, int, int]]) -> None:
    old = "".join(f"{GAPS[a]}def f{n}():\n{BODIES[b]}" for n, (a, b, _, _) in enumerate(functions))
    new = "".join(f"{GAPS[a]}def f{n}():\n{BODIES[b]}" for n, (_, _, a, b) in enumerate(functions))
    found = moves(old, new)
    before, after = SourceFile("m.py", old), SourceFile("m.py", new)
    assert found.holds(("outline", "m.py"))
    for number, (_, was, _, now) in enumerate(functions):
        line = place_of(old, f"def f{number}(").line
        assert after.line(found.place(("m.py", line, 0))[1]) == f"def f{number}():\n"
        assert found.holds(("body", "m.py", line, 0)) == (was == now)
        inside = line + 1 if was < 2 else line + 4
        if was == now:
            start = before.offset(Position(inside, 1))
            length = len(before.line(inside)) - 1
            moved = found.found(SourceMap(after, (Run(0, length, start, length),)))
            span = moved.span(0, length)
            assert after.text[moved.source_offset(0) :][:length] == before.line(inside)[:-1]
            assert found.found(Span("m.py", Position(inside, 1), Position(inside, 3))).start == span.start
        else:
            with pytest.raises(Lost):
                found.place(("m.py", inside, 4))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b=1", "b=2"),
        ("@cached", "@other"),
        ("Answer briefly.", "Answer."),
        ("open = True", "open = False"),
        ("def greet", "def hail"),
        ('"three"', '"3"'),
        ('"four"', '"4"'),
        ('    text = "one"\n', '    import sys\n    text = "one"\n'),
        ("import os\n", "import os\n\ndef new():\n    return 1\n"),
        ("    def close(self): return", "    def close(self):\n        return"),
        ("import os\n", "import os, (\n"),
    ],
)
def test_more_than_the_inside_of_a_body(before: str, after: str) -> None:
    found = moves(OLD, edited(before, after))
    assert not found.holds(("outline", "m.py"))
    assert not found.holds(("body", "m.py", place_of(OLD, "def last").line, 4))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('text = "one"', 'text = "one"\n    text += "more"'),
        ("    # what it does\n", ""),
        ("import os\n", "# by hand\nimport os\n"),
        ('"four"\n', '"four"\n# the end\n'),
        ('return "two"', 'return "two" + "more"'),
    ],
)
def test_the_inside_of_a_body_and_what_is_between(before: str, after: str) -> None:
    new = edited(before, after)
    found = moves(OLD, new)
    assert found.holds(("outline", "m.py"))
    for word in ("RULES =", "@cached", "class Shop", "def close", "def last", 'return "four"'):
        at = place_of(OLD, word)
        assert found.place(("m.py", at.line, at.column)) == ("m.py", place_of(new, word).line, at.column)


def test_places_within_questions_and_answers_move_along() -> None:
    found = moves(OLD, "# one more line\n" + OLD)
    assert found.question(("small", "m.py", 7, 0, 40)) == ("small", "m.py", 8, 0, 40)
    assert found.question(("import", "m.py", 1, "n.py")) == ("import", "m.py", 1, "n.py")
    assert found.question(("around", "m.py", 7, 0, True, False)) == ("around", "m.py", 8, 0, True, False)
    assert found.answer([["m.py", 7, 0], None, ["n.py", 7, 0]]) == [["m.py", 8, 0], None, ["n.py", 7, 0]]
