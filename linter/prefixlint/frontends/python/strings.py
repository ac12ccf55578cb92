"""String operations of Python on segments: what each does to the text, with every kept character in its place."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.model.lifetimes import HopKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, merge_text, rebuilt, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

Segments = tuple["Segment", ...]


def printed_constant(value: object) -> str:
    """``str(value)``; an integer with more digits than Python converts is shown by its size."""
    try:
        return str(value)
    except ValueError:
        return "(a very large number)"


def concat(*parts: Segments) -> Segments:
    """Strings one behind the other, texts joined where they stand in one file."""
    return merge_text([segment for part in parts for segment in part])


def constant_text(segments: Segments) -> str | None:
    """The string, where all of it is fixed text; else None."""
    if all(isinstance(segment, Text) for segment in segments):
        return "".join(segment.text for segment in segments if isinstance(segment, Text))
    return None


def fixed_texts(segments: Segments, most: int = 16) -> list[str] | None:
    """Every string that fixed text and choices of fixed texts may make; None where there are values, or too many."""
    texts = [""]
    for segment in segments:
        if isinstance(segment, Text):
            arms: list[str] | None = [segment.text]
        elif isinstance(segment, Choice):
            given = [fixed_texts(arm, most) for arm in segment.arms]
            arms = [text for arm in given if arm is not None for text in arm] if None not in given else None
        else:
            return None
        if arms is None or len(texts) * len(arms) > most:
            return None
        texts = [text + arm for text in texts for arm in arms]
    return texts


# Formatting -----------------------------------------------------------------------------------------------------------

_FIELD = re.compile(r"\{\{|\}\}|\{([^{}!:]*)((?:![rsa])?)((?::(?:[^{}]|\{[^{}]*\})*)?)\}")


def format_fields(segments: Segments, fill: Callable[[str, str, str, Span, int], Segments | None]) -> Segments:
    """``str.format`` on the fixed text of ``segments``.

    ``fill(field_name, conversion, spec, span, number)`` gives what stands in a field's place, or None to leave it as it
    is; ``number`` is that of a field without name. Text that ``str.format`` would reject is kept as it stands.
    """

    return _filled(
        segments,
        _FIELD,
        lambda match: match.group() in ("{{", "}}"),
        lambda match, span, number: fill(match.group(1), match.group(2)[1:], match.group(3)[1:], span, number),
        lambda match: match.group(1)[:1] in ("", ".", "["),
    )


def specifications(segments: Segments) -> list[str]:
    """What stands behind the colons of the named fields of ``str.format`` in the fixed text of ``segments``."""
    matches = (match for part in segments if isinstance(part, Text) for match in _FIELD.finditer(part.text))
    return [match.group(3)[1:] for match in matches if (match.group(1) or "").isidentifier()]


_PERCENT = re.compile(r"%%|%(?:\(([^)]{0,200})\))?[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?([diouxXeEfFgGcrsa])")


def percent_fields(segments: Segments, fill: Callable[[str | None, str, Span, int], Segments | None]) -> Segments:
    """``%`` formatting. ``fill(key, conversion, span, number)`` gives what stands in a field's place; no key: the one
    of that number."""

    return _filled(
        segments,
        _PERCENT,
        lambda match: match.group() == "%%",
        lambda match, span, number: fill(match.group(1), match.group(2), span, number),
        lambda match: match.group(1) is None,
    )


def dollar_fields(
    segments: Segments, fill: Callable[[str, Span], Segments | None], template: type[string.Template] = string.Template
) -> Segments:
    """``string.Template`` substitution. ``fill(name, span)`` gives what stands in a placeholder's place."""

    def named(match: re.Match[str], span: Span, _: int) -> Segments | None:
        name = match.group("named") or match.group("braced")
        return fill(name, span) if name else None

    return _filled(segments, template.pattern, lambda match: match.group("escaped") is not None, named)


def _filled(
    segments: Segments,
    pattern: re.Pattern[str],
    is_escape: Callable[[re.Match[str]], bool],
    fill: Callable[[re.Match[str], Span, int], Segments | None],
    is_numbered: Callable[[re.Match[str]], bool] = lambda _: False,
) -> Segments:
    """The fixed text with the fields that ``pattern`` finds filled; of an escape, the first character is kept.

    Fields that are numbered count from 0, and in each arm of a choice from the same number on.
    """
    number = 0

    def one(text: Text) -> Iterator[Segment]:
        nonlocal number
        at = 0
        for match in pattern.finditer(text.text):
            if is_escape(match):
                yield text.slice(at, match.start() + 1)
                at = match.end()
                continue
            filled = fill(match, text.span(match.start(), match.end()), number)
            number += is_numbered(match)
            if filled is None:
                continue
            yield text.slice(at, match.start())
            yield from filled
            at = match.end()
        yield text.slice(at, len(text.text))

    def each(segments: Segments) -> Segments:
        nonlocal number
        out: list[Segment] = []
        for segment in segments:
            if isinstance(segment, Text):
                out.extend(one(segment))
            elif isinstance(segment, Choice):
                start, arms, ends = number, [], [number]
                for arm in segment.arms:
                    number = start
                    arms.append(each(arm))
                    ends.append(number)
                number = max(ends)
                out.append(replace(segment, arms=tuple(arms)))
            else:
                out.append(replace(segment, body=each(segment.body)) if isinstance(segment, Repeat) else segment)
        return merge_text(out)

    return each(segments)


def replace_text(segments: Segments, old: str, new: Segments) -> Segments:
    """``str.replace(old, new)`` inside fixed text; ``old`` that only a value could hold is not found."""
    if not old:
        return segments

    def one(text: Text) -> list[Segment]:
        out: list[Segment] = []
        at = 0
        found = text.text.find(old)
        while found != -1:
            out.append(text.slice(at, found))
            out.extend(moved(new, text.span(found, found + len(old))))
            at = found + len(old)
            found = text.text.find(old, at)
        out.append(text.slice(at, len(text.text)))
        return out

    return _on_text(segments, one)


def replace_pattern(segments: Segments, pattern: re.Pattern[str], fill: Callable[[str, Span], Segments]) -> Segments:
    """``pattern.sub`` inside fixed text; ``fill`` is given the text of the group ``name``, "" without one."""

    def one(text: Text) -> list[Segment]:
        out: list[Segment] = []
        at = 0
        for match in pattern.finditer(text.text):
            span = text.span(match.start(), match.end())
            out.append(text.slice(at, match.start()))
            out.extend(moved(fill(match.groupdict().get("name") or "", span), span))
            at = match.end()
        out.append(text.slice(at, len(text.text)))
        return out

    return _on_text(segments, one)


def split(segments: Segments, marker: str, *, keep: bool = False, most: int = -1) -> list[Segments]:
    """``str.split(marker, most)`` inside fixed text; there is always one part at least. ``keep``: with the markers."""
    parts: list[list[Segment]] = [[]]
    for segment in segments:
        if not isinstance(segment, Text):
            parts[-1].append(segment)
            continue
        at = 0
        while len(parts) - 1 != most and (found := segment.text.find(marker, at)) >= 0:
            parts[-1].append(segment.slice(at, found + len(marker) * keep))
            parts.append([])
            at = found + len(marker)
        parts[-1].append(segment.slice(at, len(segment.text)))
    return [merge_text(part) for part in parts]


def moved(segments: Segments, span: Span) -> Segments:
    """The same segments; a value alone, or one of several, stands at ``span``, the place of the placeholder it fills.

    Values in a text of their own stay there: that is the template in which they would be moved.
    """
    if len(segments) == 1 and isinstance(segments[0], Value):
        return (replace(segments[0], span=span),)
    if len(segments) != 1 or not isinstance(segments[0], Choice) or any(isinstance(s, Text) for s in walk(segments)):
        return segments

    def one(segment: Text | Value) -> Segments:
        if not isinstance(segment, Value) or segment.span == span:
            return (segment,)
        return (
            replace(
                segment, span=span, origin=segment.origin.passed(HopKind.CREATED, segment.span, segment.expression)
            ),
        )

    return rebuilt(segments, one)


def _on_text(segments: Segments, one: Callable[[Text], Iterable[Segment]]) -> Segments:
    """Applies ``one`` to every text, inside choices and repeats too."""
    return rebuilt(segments, lambda segment: one(segment) if isinstance(segment, Text) else (segment,))


# White space and slices ----------------------------------------------------------------------------------------------


def strip(segments: Segments, characters: str | None = None, *, left: bool = True, right: bool = True) -> Segments:
    """``str.strip``, ``lstrip`` and ``rstrip`` on the outer texts; values at the ends are taken as not stripped."""
    out = list(segments)
    if left:
        while out and isinstance(out[0], Text):
            text = out[0]
            kept = text.text.lstrip(characters)
            if kept:
                out[0] = text.slice(len(text.text) - len(kept), len(text.text))
                break
            out.pop(0)
    if right:
        while out and isinstance(out[-1], Text):
            text = out[-1]
            kept = text.text.rstrip(characters)
            if kept:
                out[-1] = text.slice(0, len(kept))
                break
            out.pop()
    return tuple(out)


def dedent(segments: Segments) -> Segments:
    """``textwrap.dedent``: the margin that all lines of fixed text share is taken away; white lines become empty."""
    sketch = "".join(s.text if isinstance(s, Text) else "\0" for s in segments)
    margin: str | None = None
    for line in sketch.split("\n"):
        body = line.lstrip(" \t")
        if not body:
            continue
        indent = line[: len(line) - len(body)]
        if margin is None:
            margin = indent
        else:
            while not indent.startswith(margin):
                margin = margin[:-1]
    margin = margin or ""
    out: list[Segment] = []
    line_start = True
    for index, segment in enumerate(segments):
        if not isinstance(segment, Text):
            out.append(segment)
            line_start = False
            continue
        at = 0
        last_text = index == len(segments) - 1
        for line in segment.text.splitlines(keepends=True) if "\r" not in segment.text else [segment.text]:
            body = line.rstrip("\n")
            begin, end = at, at + len(line)
            at = end
            blank = not body.strip(" \t") and (line.endswith("\n") or last_text) and line_start
            if blank:
                begin = end - (len(line) - len(body))
            elif line_start and margin and body.startswith(margin):
                begin += len(margin)
            out.append(segment.slice(begin, end))
            line_start = line.endswith("\n")
    return merge_text(out)


def cleandoc(segments: Segments) -> Segments:
    """``inspect.cleandoc``: the first line is stripped, the others are dedented, blank lines at the ends go."""
    for index, segment in enumerate(segments):
        cut = segment.text.find("\n") if isinstance(segment, Text) else -1
        if isinstance(segment, Text) and cut >= 0:
            head = (*segments[:index], segment.slice(0, cut))
            tail = merge_text((segment.slice(cut, len(segment.text)), *segments[index + 1 :]))
            return strip(concat(strip(head, right=False), dedent(tail)), "\n")
    return strip(segments, right=False)


def compiled_docstring(segments: Segments) -> Segments:
    """``__doc__`` as the compiler makes it since Python 3.13: the first line without its blanks in front, the others
    without the margin that they share; a text with tabs is left as it is.

    Source: What's New In Python 3.13, "Other Language Changes"; ``_PyCompile_CleanDoc`` in CPython's Python/compile.c.
    """
    whole = constant_text(segments)
    if whole is None or "\t" in whole:
        return segments
    first, *rest = whole.split("\n")
    margin = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip(" ")), default=0)
    lines: list[Segments] = []
    at = 0
    for number, line in enumerate((first, *rest)):
        blanks = len(line) - len(line.lstrip(" "))
        taken = blanks if number == 0 else min(margin, blanks)
        lines.append(_cut(segments, at + taken, at + len(line) + 1))
        at += len(line) + 1
    return concat(*lines)


def slice_text(segments: Segments, start: int | None, stop: int | None) -> Segments | None:
    """``s[start:stop]`` where the cut falls into fixed text; None where it would cut a value."""
    whole = constant_text(segments)
    if whole is not None:
        low, high, _ = slice(start, stop).indices(len(whole))
        return _cut(segments, low, high)
    if (start or 0) == 0 and stop is not None and stop < 0:
        last = _end_cut(segments[-1], None, stop)
        return None if last is None else merge_text((*segments[:-1], last))
    if stop is None and start is not None and start >= 0:
        first = _end_cut(segments[0], start, None)
        return None if first is None else merge_text((first, *segments[1:]))
    return None


def _end_cut(segment: Segment, start: int | None, stop: int | None) -> Segment | None:
    """The first or the last segment of a text without so many characters at that end; None where it is too short."""
    if isinstance(segment, Text):
        size = len(segment.text)
        return segment.slice(start or 0, size + (stop or 0)) if size >= max(start or 0, -(stop or 0)) else None
    if not isinstance(segment, Choice) or not all(segment.arms):
        return None
    arms = [slice_text(arm, start, stop) for arm in segment.arms]
    known = tuple(arm for arm in arms if arm is not None)
    return replace(segment, arms=known) if len(known) == len(arms) else None


def _cut(segments: Segments, low: int, high: int) -> Segments:
    out: list[Segment] = []
    at = 0
    for segment in segments:
        assert isinstance(segment, Text)
        size = len(segment.text)
        if low < at + size and high > at:
            out.append(segment.slice(max(low - at, 0), min(high - at, size)))
        at += size
    return merge_text(out)


def map_case(segments: Segments, change: Callable[[str], str]) -> Segments | None:
    """A method such as ``upper`` on fixed text that keeps each character's place; None where the length changes."""
    out: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Text):
            changed = change(segment.text)
            if len(changed) != len(segment.text):
                return None
            out.append(replace(segment, text=changed))
        else:
            out.append(segment)
    return tuple(out)


def indent(segments: Segments, prefix: Text) -> Segments:
    """``textwrap.indent`` with fixed text: ``prefix`` in front of each line that holds more than white space."""
    out: list[Segment] = []
    line_start = True
    for segment in segments:
        if not isinstance(segment, Text):
            if line_start:
                out.append(prefix)
            out.append(segment)
            line_start = False
            continue
        at = 0
        for line in segment.text.splitlines(keepends=True):
            if line_start and line.strip():
                out.append(prefix)
            out.append(segment.slice(at, at + len(line)))
            at += len(line)
            line_start = line.endswith("\n")
    return merge_text(out)


def open_names(segments: Segments) -> dict[str, Value]:
    """Open placeholders by name, first occurrence."""
    out: dict[str, Value] = {}
    for segment in walk(segments):
        if isinstance(segment, Value) and segment.name:
            out.setdefault(segment.name, segment)
    return out


def bind_names(segments: Segments, values: Mapping[str, Segments]) -> Segments:
    """Fills open placeholders by name; what fills them stands at the placeholder's place."""

    def one(segment: Text | Value) -> Segments:
        if not isinstance(segment, Value) or segment.name not in values:
            return (segment,)
        filling = values[segment.name]
        if segment.expression == segment.name:
            return moved(filling, segment.span)
        inner = filling[0] if len(filling) == 1 else None
        if not isinstance(inner, Value):
            return (segment,)
        return (
            replace(
                segment,
                lifetime=inner.lifetime,
                origin=inner.origin,
                confidence=inner.confidence,
                name=inner.name,
            ),
        )

    return rebuilt(segments, one)
