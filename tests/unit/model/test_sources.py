"""Positions and source maps, as properties over any text with any line ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.model.sources import Position, Run, SourceFile, SourceMap, Span

# Line ends of all kinds next to one another, characters outside the basic plane, combining marks, form feeds.
TEXTS = st.text(st.sampled_from("ab \n\r\t\f\v\u2028\x85é𝔘\U0001f600\u0301"), max_size=40)


def lines_of(text: str) -> list[str]:
    """Lines with their ends: LF, CRLF and a lone CR end one, nothing else does (unlike ``str.splitlines``)."""
    lines = [""]
    at = 0
    while at < len(text):
        if text.startswith("\r\n", at):
            lines[-1] += "\r\n"
            at += 2
        else:
            lines[-1] += text[at]
            at += 1
        if lines[-1][-1:] in ("\n", "\r"):
            lines.append("")
    return lines


@given(TEXTS)
def test_line_starts(text: str) -> None:
    starts = [0]
    for line in lines_of(text)[:-1]:
        starts.append(starts[-1] + len(line))
    assert list(SourceFile("a", text).line_starts) == starts


@given(TEXTS)
def test_lines_with_their_ends(text: str) -> None:
    file = SourceFile("a", text)
    count = len(lines_of(text))
    assert [file.line(number) for number in range(1, count + 1)] == lines_of(text)
    assert (file.line(0), file.line(count + 1)) == ("", "")


@given(TEXTS)
def test_position_counts_lines_and_characters(text: str) -> None:
    file = SourceFile("a", text)
    places = [Position(n, column) for n, line in enumerate(lines_of(text), 1) for column in range(1, len(line) + 1)]
    assert [file.position(offset) for offset in range(len(text))] == places


@given(TEXTS)
def test_offset_is_the_inverse_of_position(text: str) -> None:
    file = SourceFile("a", text)
    for offset in range(len(text) + 1):
        assert file.offset(file.position(offset)) == offset


@given(TEXTS, st.integers(1, 60), st.integers(1, 60))
def test_offset_never_leaves_the_text(text: str, line: int, column: int) -> None:
    assert 0 <= SourceFile("a", text).offset(Position(line, column)) <= len(text)


def test_positions_by_hand() -> None:
    file = SourceFile("a", "x\r\n\U0001f600y\rz\n")
    assert file.position(0) == Position(1, 1)
    assert file.position(2) == Position(1, 3)
    assert file.position(3) == Position(2, 1)
    assert file.position(4) == Position(2, 2)
    assert file.position(6) == Position(3, 1)
    assert file.position(8) == Position(4, 1)


def test_span_contains() -> None:
    outer = Span("a", Position(2, 5), Position(4, 1))
    assert outer.contains(outer)
    assert outer.contains(Span("a", Position(3, 1), Position(3, 90)))
    assert not outer.contains(Span("a", Position(2, 4), Position(3, 1)))
    assert not outer.contains(Span("a", Position(3, 1), Position(4, 2)))
    assert not outer.contains(Span("b", Position(3, 1), Position(3, 2)))


@st.composite
def maps(draw: st.DrawFn) -> tuple[str, SourceMap, list[tuple[int, int]]]:
    """Decoded text, its map, and for each character the part of the source that it comes from."""
    source, text, runs, origin = "", "", [], []
    for kind in draw(st.lists(st.sampled_from(["plain", "unit", "gap"]), max_size=8)):
        if kind == "plain":
            part = draw(st.text("abc\n𝔘", min_size=1, max_size=5))
            runs.append(Run(len(text), len(part), len(source), len(part)))
            origin += [(len(source) + i, len(source) + i + 1) for i in range(len(part))]
            source += part
            text += part
        elif kind == "unit":
            decoded = draw(st.text("xyz", min_size=1, max_size=3))
            spellings = ("\\n", "{{", "\\u00e9", "\r\n", "")
            written = draw(st.sampled_from([spelling for spelling in spellings if len(spelling) != len(decoded)]))
            runs.append(Run(len(text), len(decoded), len(source), len(written)))
            origin += [(len(source), len(source) + len(written))] * len(decoded)
            source += written
            text += decoded
        else:
            source += draw(st.sampled_from(['" "', "\\\n", "    "]))
    file = SourceFile("a", source)
    return text, SourceMap(file, tuple(runs)), origin


@given(maps())
def test_each_character_has_its_place(case: tuple[str, SourceMap, list[tuple[int, int]]]) -> None:
    text, source, origin = case
    assert source.length == len(text)
    for at, (start, end) in enumerate(origin):
        assert source.source_offset(at) == start
        assert source.span(at, at + 1) == source.file.span(start, end)


@given(maps())
def test_a_span_reaches_from_its_first_character_to_its_last(
    case: tuple[str, SourceMap, list[tuple[int, int]]],
) -> None:
    text, source, origin = case
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            assert source.span(start, end) == source.file.span(origin[start][0], origin[end - 1][1])


@given(maps())
def test_an_empty_span_stands_where_its_character_does(case: tuple[str, SourceMap, list[tuple[int, int]]]) -> None:
    text, source, origin = case
    for at in range(len(text)):
        assert source.span(at, at) == source.file.span(origin[at][0], origin[at][0])
    if text:
        assert source.source_offset(len(text)) == origin[-1][1]


@given(maps(), st.data())
def test_a_slice_keeps_every_place(case: tuple[str, SourceMap, list[tuple[int, int]]], data: st.DataObject) -> None:
    text, source, _ = case
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    part = source.slice(start, end)
    assert part.length == end - start
    for at in range(end - start):
        assert part.span(at, at + 1) == source.span(start + at, start + at + 1)


@pytest.mark.parametrize(
    "runs",
    [
        [Run(1, 2, 0, 2)],
        [Run(0, 2, 0, 2), Run(3, 1, 2, 1)],
        [Run(0, 2, 0, 2), Run(1, 1, 2, 1)],
        [Run(0, 0, 0, 2)],
        [Run(0, 1, 0, -1)],
    ],
    ids=["not from 0", "gap", "overlap", "empty", "negative source"],
)
def test_runs_must_tile_the_text(runs: list[Run]) -> None:
    with pytest.raises(ValueError, match="tile"):
        SourceMap(SourceFile("a", "xyz"), tuple(runs))


def test_empty_map() -> None:
    source = SourceMap.verbatim(SourceFile("a", "xyz"), 1, 1)
    assert source.length == 0
    with pytest.raises(ValueError, match="empty"):
        source.source_offset(0)


@given(TEXTS, st.data())
def test_verbatim(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    source = SourceMap.verbatim(SourceFile("a", text), start, end)
    assert source.length == end - start
    assert all(source.source_offset(at) == start + at for at in range(end - start))


def test_stretches_of_a_text_put_together_from_several_places() -> None:
    text = 'RULES = "be brief"\nname = f"Hello " "dear " f"{who} " + RULES\n'
    file = SourceFile("a.py", text)

    def run(start: int, part: str) -> Run:
        return Run(start, len(part), text.index(part), len(part))

    # "Hello " and "dear " are neighbours, with quotes between; RULES stands above.
    joined = SourceMap(file, (run(0, "Hello "), run(6, "dear "), run(11, "be brief")))
    assert list(joined.stretches()) == [(0, 11), (11, 19)]
    assert [joined.span(*each).start.line for each in joined.stretches()] == [2, 1]
    assert list(SourceMap(file, ()).stretches()) == []
    # What stands between is code.
    apart = SourceMap(file, (run(0, "be brief"), run(8, "Hello ")))
    assert list(apart.stretches()) == [(0, 8), (8, 14)]
