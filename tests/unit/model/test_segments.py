"""Segments: text that keeps its place when cut and joined."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import (
    Choice,
    Repeat,
    Segment,
    Text,
    Value,
    literal_length,
    merge_text,
    rebuilt,
    walk,
)
from prefixlint.model.sources import Position, Run, SourceFile, SourceMap, Span

FILE = SourceFile("a.py", 'f"one {x}\r\n\\u00e9 two {{three}} \U0001f600 four" "five six seven eight nine ten"')
OTHER = SourceFile("b.py", FILE.text)
SPAN = FILE.span(0, 1)


def verbatim(start: int, end: int, file: SourceFile = FILE, lifetime: Lifetime = Lifetime.CONSTANT) -> Text:
    return Text(file.text[start:end], SourceMap.verbatim(file, start, end), lifetime)


def value(expression: str, lifetime: Lifetime = Lifetime.UNKNOWN) -> Value:
    return Value(expression, SPAN, lifetime)


@st.composite
def texts(draw: st.DrawFn) -> Text:
    start = draw(st.integers(0, len(FILE.text)))
    end = draw(st.integers(start, len(FILE.text)))
    lifetime = draw(st.sampled_from([Lifetime.CONSTANT, Lifetime.DEPLOYMENT]))
    kind = draw(st.sampled_from(["map", "other file", "span", "unit"]))
    if kind == "span":
        return Text(FILE.text[start:end], FILE.span(start, end), lifetime)
    if kind == "unit":
        return Text("é", SourceMap(FILE, (Run(0, 1, 11, 6),)), lifetime)
    return verbatim(start, end, OTHER if kind == "other file" else FILE, lifetime)


SEGMENTS = st.lists(texts() | st.builds(value, st.sampled_from("xyz")), max_size=8)


def characters(segments: tuple[Segment, ...] | list[Segment]) -> list[tuple[str, Span, Lifetime] | Value]:
    """Every character of fixed text with its place; values as they are."""
    out: list[tuple[str, Span, Lifetime] | Value] = []
    for segment in segments:
        if isinstance(segment, Text):
            out += [(c, segment.span(at, at + 1), segment.lifetime) for at, c in enumerate(segment.text)]
        elif isinstance(segment, Value):
            out.append(segment)
    return out


@given(SEGMENTS)
def test_merging_changes_no_character_and_no_place(segments: list[Segment]) -> None:
    assert characters(merge_text(segments)) == characters(segments)


@given(SEGMENTS)
def test_merging_leaves_nothing_to_merge(segments: list[Segment]) -> None:
    merged = merge_text(segments)
    assert merge_text(merged) == merged
    for left, right in pairwise(merged):
        if (
            isinstance(left, Text)
            and isinstance(right, Text)
            and isinstance(left.source, SourceMap)
            and isinstance(right.source, SourceMap)
        ):
            assert left.source.file is not right.source.file or left.lifetime is not right.lifetime
    assert all(segment.text for segment in merged if isinstance(segment, Text))


@given(texts(), st.integers(-90, 90), st.integers(-90, 90))
def test_a_slice_is_the_slice_of_the_string_in_its_place(text: Text, start: int, end: int) -> None:
    part = text.slice(start, end)
    assert part.text == text.text[start:end]
    assert part.lifetime is text.lifetime
    if isinstance(text.source, SourceMap):
        first = slice(start, end).indices(len(text.text))[0]
        for at in range(len(part.text)):
            assert part.span(at, at + 1) == text.span(first + at, first + at + 1)
    else:
        assert part.source == text.source


@given(texts(), st.data())
def test_two_slices_make_the_whole_again(text: Text, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text.text)))
    pieces: list[Segment] = [text.slice(0, at), text.slice(at, len(text.text))]
    assert characters(merge_text(pieces)) == characters([text])


def test_a_map_must_cover_its_text() -> None:
    with pytest.raises(ValueError, match="covers 3 of 4 characters"):
        Text("four", SourceMap.verbatim(FILE, 0, 3))


def test_a_text_with_one_span_stands_there_as_a_whole() -> None:
    span = Span("a.py", Position(1, 1), Position(2, 3))
    assert Text("anything", span).span(2, 4) == span


NESTED: tuple[Segment, ...] = (
    verbatim(0, 4),
    Choice(((verbatim(0, 2),), (verbatim(0, 10), value("a", Lifetime.TURN)), ()), "if", SPAN, Lifetime.USER),
    Repeat((verbatim(5, 8), Repeat((value("b"),), "inner", SPAN, Lifetime.DAY)), "outer", SPAN, Lifetime.DAY),
)


def test_walk_goes_outside_in_and_in_order() -> None:
    names = [getattr(segment, "expression", None) or getattr(segment, "text", None) for segment in walk(NESTED)]
    text = FILE.text
    assert names == [text[0:4], "if", text[0:2], text[0:10], "a", "outer", text[5:8], "inner", "b"]


def test_literal_length_counts_the_longest_arm() -> None:
    assert literal_length(NESTED) == 4 + 10 + 3
    assert literal_length(()) == 0


def test_rebuilt_reaches_into_choices_and_repeats_and_joins_what_meets() -> None:
    choice = Choice(((value("x"),), (verbatim(0, 2), value("gone"), verbatim(2, 5))), "c", SPAN)

    def one(segment: Text | Value) -> tuple[Text | Value, ...]:
        return () if isinstance(segment, Value) and segment.expression == "gone" else (segment,)

    (found,) = rebuilt([Repeat((choice,), "r", SPAN)], one)
    assert isinstance(found, Repeat)
    (inner,) = found.body
    assert isinstance(inner, Choice)
    assert inner.arms[0] == (value("x"),)
    assert [segment.text for segment in inner.arms[1] if isinstance(segment, Text)] == [FILE.text[:5]]
    assert len(inner.arms[1]) == 1
