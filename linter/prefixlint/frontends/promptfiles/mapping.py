"""Pieces of decoded text that keep their exact place in the file."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.model.segments import Text
from prefixlint.model.sources import Run, SourceMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.model.sources import SourceFile, Span


def verbatim(file: SourceFile, start: int = 0, end: int | None = None) -> Text:
    """Text that stands letter for letter at the offsets ``start`` to ``end`` of ``file`` (default: all of it)."""
    end = len(file.text) if end is None else end
    return Text(file.text[start:end], SourceMap.verbatim(file, start, end))


def cut(text: Text, start: int, end: int) -> Text:
    """The part ``text[start:end]``; finds its runs by bisection, so that cutting a long text many times stays cheap."""
    start = max(0, start)
    end = min(max(start, end), len(text.text))
    if not isinstance(text.source, SourceMap):
        return replace(text, text=text.text[start:end])
    runs = text.source.runs
    first = max(0, bisect_right(runs, start, key=lambda run: run.start) - 1)
    out: list[Run] = []
    for at in range(first, len(runs)):
        run = runs[at]
        if run.start >= end:
            break
        low, high = max(start, run.start), min(end, run.start + run.length)
        if low >= high:
            continue
        if run.length == run.source_length:
            out.append(Run(low - start, high - low, run.source_start + low - run.start, high - low))
        else:
            out.append(Run(low - start, high - low, run.source_start, run.source_length))
    return replace(text, text=text.text[start:end], source=SourceMap(text.source.file, tuple(out)))


def unit(text: Text, start: int, end: int, decoded: str) -> Text:
    """``decoded`` in the place of ``text[start:end]``, as one unit (an escape, a doubled brace)."""
    part = cut(text, start, end)
    if not isinstance(part.source, SourceMap) or not part.source.runs:
        return replace(part, text=decoded, source=text.span(start, end))
    if not decoded:
        return replace(part, text="", source=SourceMap(part.source.file, ()))
    first, last = part.source.runs[0], part.source.runs[-1]
    width = last.source_start + last.source_length - first.source_start
    return replace(
        part, text=decoded, source=SourceMap(part.source.file, (Run(0, len(decoded), first.source_start, width),))
    )


def span_of(text: Text, start: int, end: int) -> Span:
    """Place in the file of the characters ``start`` to ``end``; an empty text stands at the file's start."""
    if isinstance(text.source, SourceMap) and not text.source.runs:
        return text.source.file.span(0, 0)
    return text.span(start, end)


def from_pieces(file: SourceFile, pieces: Iterable[tuple[str, int, int]]) -> Text:
    """Text made of (decoded, source start, source length) pieces; neighbouring verbatim pieces become one run."""
    runs: list[Run] = []
    out: list[str] = []
    at = 0
    for decoded, start, length in pieces:
        if not decoded:
            continue
        last = runs[-1] if runs else None
        if (
            last is not None
            and last.length == last.source_length
            and len(decoded) == length
            and last.source_start + last.source_length == start
        ):
            runs[-1] = Run(last.start, last.length + length, last.source_start, last.source_length + length)
        else:
            runs.append(Run(at, len(decoded), start, length))
        out.append(decoded)
        at += len(decoded)
    return Text("".join(out), SourceMap(file, tuple(runs)))


def joined(parts: Sequence[Text]) -> Text:
    """One text of several from the same file and with the same lifetime. Raises ``ValueError`` for no parts."""
    if not parts:
        raise ValueError("nothing to join")
    if len(parts) == 1:
        return parts[0]
    head = parts[0]
    if not all(isinstance(part.source, SourceMap) for part in parts):
        return replace(head, text="".join(part.text for part in parts), source=head.span())
    runs: list[Run] = []
    at = 0
    for part in parts:
        assert isinstance(part.source, SourceMap)
        runs += (Run(at + r.start, r.length, r.source_start, r.source_length) for r in part.source.runs)
        at += len(part.text)
    assert isinstance(head.source, SourceMap)
    return replace(head, text="".join(part.text for part in parts), source=SourceMap(head.source.file, tuple(runs)))


def unix_newlines(text: Text) -> Text:
    r"""The text with ``\r\n`` and ``\r`` read as ``\n``, as template engines do; each keeps its place."""
    if "\r" not in text.text:
        return text
    parts: list[Text] = []
    at = 0
    source = text.text
    found = source.find("\r")
    while found != -1:
        end = found + 2 if source.startswith("\n", found + 1) else found + 1
        parts += (cut(text, at, found), unit(text, found, end, "\n"))
        at = end
        found = source.find("\r", at)
    parts.append(cut(text, at, len(source)))
    return joined(parts)


def dedented(text: Text) -> Text:
    """The text without the white space that all its lines begin with, and without blank lines at its ends."""
    text = unix_newlines(text)
    lines = text.text.split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    margin = min(margins, default=0)
    parts: list[Text] = []
    at = 0
    for line in lines:
        start = at + min(margin, len(line) - len(line.lstrip()) if line.strip() else len(line))
        parts.append(cut(text, start, min(at + len(line) + 1, len(text.text))))
        at += len(line) + 1
    whole = joined(parts)
    lead = len(whole.text) - len(whole.text.lstrip())
    return cut(whole, lead, len(whole.text.rstrip()))
