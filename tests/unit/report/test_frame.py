from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.model.sources import Position, SourceFile, Span
from prefixlint.report.escape import plain, width
from prefixlint.report.frame import Gutter, line_text, marked_line, show
from prefixlint.report.style import Style


def under(text: str, start: int, end: int, room: int = 60) -> list[str]:
    shown = show(text, start, end, room)
    return [shown.text, " " * shown.start + "^" * shown.cells]


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("abc", 1, 2, ["abc", " ^"]),
        ("\tx = {a}", 5, 8, ["    x = {a}", "        ^^^"]),
        ("ab\tc", 3, 4, ["ab  c", "    ^"]),
        # A wide character takes two cells, a combining one none.
        ("日本 {a}", 3, 6, ["日本 {a}", "     ^^^"]),
        ("e\u0301 {a}", 3, 6, ["e\u0301 {a}", "  ^^^"]),
        ("{日}", 0, 3, ["{日}", "^^^^"]),
        # What is invisible is written out, and the mark covers what is seen.
        ("a\x1b{b}", 2, 5, ["a\\x1b{b}", "     ^^^"]),
        ("{\u200b}", 0, 3, ["{\\u200b}", "^^^^^^^^"]),
        # Nothing at all still shows where.
        ("abc", 3, 3, ["abc", "   ^"]),
        ("", 0, 0, ["", "^"]),
    ],
)
def test_mark_stands_under_its_text(text: str, start: int, end: int, expected: list[str]) -> None:
    assert under(text, start, end) == expected


def test_long_line_is_clipped_around_the_mark() -> None:
    text = "a" * 100 + "{now}" + "b" * 100
    shown = show(text, 100, 105, 30)
    assert len(shown.text) == 30
    assert shown.text[0] == shown.text[-1] == "…"
    assert shown.text[shown.start : shown.start + shown.cells] == "{now}"


def test_mark_near_either_end_uses_the_whole_room() -> None:
    assert show("{now}" + "b" * 100, 0, 5, 30).text == "{now}" + "b" * 23 + "…"
    assert show("a" * 100 + "{now}", 100, 105, 30).text == "…" + "a" * 23 + "{now}"


def test_mark_that_is_too_long_keeps_its_beginning() -> None:
    shown = show("x{" + "a" * 100 + "}", 1, 103, 20)
    assert shown.text.startswith("…{aaa")
    assert width(shown.text) <= 20
    assert shown.start + shown.cells <= 20


def test_a_line_of_ten_million_characters() -> None:
    text = "a" * 5_000_000 + "{now}" + "\t" * 5_000_000
    shown = show(text, 5_000_000, 5_000_005, 80)
    assert width(shown.text) <= 80
    assert shown.text[shown.start : shown.start + shown.cells] == "{now}"


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80), st.integers(20, 60))
def test_any_line_fits_and_is_printable(text: str, start: int, length: int, room: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    shown = show(text, start, end, room)
    assert width(shown.text) <= room
    assert plain(shown.text) == shown.text
    assert shown.cells >= 1
    marked = plain(text[start:end])
    if end > start and "\t" not in text and width(marked) <= room - 2:
        assert shown.cells == max(1, width(marked))


def test_lines_end_as_python_sees_them() -> None:
    file = SourceFile("a.py", "a\r\nb\rc\nd\u2028e")
    assert [line_text(file, number) for number in range(7)] == ["", "a", "b", "c", "d\u2028e", "", ""]


def test_mark_over_several_lines_and_note_without_room() -> None:
    file = SourceFile("a.py", "x = f(1,\n      2)\n")
    span = Span("a.py", Position(1, 5), Position(2, 9))
    gutter = Gutter(3, Style(width=40))
    assert marked_line(file, span, gutter, "-", "frame", "sent here") == ("  1 │ x = f(1,\n    │     ----… sent here\n")
    long = "a note that is too long to stand there"
    assert marked_line(file, span, gutter, "-", "frame", long) == (f"  1 │ x = f(1,\n    │     ----…\n    │ {long}\n")
