"""Source files, places in them, and maps from decoded text back to the file."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from prefixlint.model.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SEAM = re.compile(r"[\s\"'\\+()]*(?:[fFrRuUbB]{0,2}[\"']+)?")
_WIDEST_SEAM = 400
"""Characters that may stand between two literals that are one text: quotes, line breaks, indentation."""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a file; lines and columns count from 1, columns count characters (code points)."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From ``start`` up to, not including, ``end`` in the file ``path`` (as the user named it, forward slashes)."""

    path: str
    start: Position
    end: Position

    def contains(self, other: Span) -> bool:
        return self.path == other.path and self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A decoded file: ``text`` has the file's own line ends (CRLF stays), without a byte order mark."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> Sequence[int]:
        r"""Character offset of the start of each line; lines end at ``\n``, ``\r\n`` or a lone ``\r``."""
        starts = [0]
        text = self.text
        at = text.find("\n")
        while at != -1:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        if "\r" in text:
            at = text.find("\r")
            while at != -1:
                if text[at + 1 : at + 2] != "\n":
                    starts.append(at + 1)
                at = text.find("\r", at + 1)
            starts.sort()
        return array("I", starts)  # a tenth of what a tuple of numbers takes

    def position(self, offset: int) -> Position:
        """Position of the character at ``offset`` (0 to ``len(text)``)."""
        line = bisect_right(self.line_starts, offset) - 1
        return Position(line + 1, offset - self.line_starts[line] + 1)

    def offset(self, position: Position) -> int:
        """Character offset of ``position``; a line past the end gives the length of the text."""
        if position.line > len(self.line_starts):
            return len(self.text)
        return min(self.line_starts[position.line - 1] + position.column - 1, len(self.text))

    def line(self, number: int) -> str:
        """Line ``number`` (from 1) with its end; "" past the end of the file."""
        starts = self.line_starts
        if not 1 <= number <= len(starts):
            return ""
        return self.text[starts[number - 1] : starts[number] if number < len(starts) else len(self.text)]

    def span(self, start: int, end: int) -> Span:
        """Span between two character offsets."""
        return Span(self.path, self.position(start), self.position(end))


@dataclass(frozen=True, slots=True)
class Run:
    """``length`` characters of decoded text; in the file they stand at ``source_start`` and take ``source_length``.

    Where the two lengths are equal, character *i* of the run is character *i* of the source; otherwise the run is one
    unit (an escape, a doubled brace, a folded line break) and every character of it maps to the unit's start.
    """

    start: int
    length: int
    source_start: int
    source_length: int


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Maps each character of a decoded text to its place in one file.

    ``runs`` tile the text: they start at 0, follow one another without a gap, and none has length 0. Raises
    ``ValueError`` when they do not.
    """

    file: SourceFile
    runs: tuple[Run, ...]

    def __post_init__(self) -> None:
        at = 0
        for run in self.runs:
            if run.start != at or run.length <= 0 or run.source_length < 0:
                raise ValueError(f"source map does not tile its text at {at}: {run}")
            at += run.length

    @property
    def length(self) -> int:
        """Number of characters of decoded text that the map covers."""
        return self.runs[-1].start + self.runs[-1].length if self.runs else 0

    def _run(self, at: int) -> Run:
        low, high = 0, len(self.runs) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.runs[middle].start <= at:
                low = middle
            else:
                high = middle - 1
        return self.runs[low]

    def source_offset(self, at: int) -> int:
        """File offset of the text's character ``at``; for ``at == length``, the offset behind the last character."""
        if not self.runs:
            raise ValueError("an empty text has no place")
        run = self._run(min(at, self.length - 1))
        inside = at - run.start
        if run.length == run.source_length:
            return run.source_start + inside
        return run.source_start + (run.source_length if inside >= run.length else 0)

    def span(self, start: int, end: int) -> Span:
        """File span of the text's characters ``start`` to ``end``."""
        first = self.source_offset(start)
        if end <= start:
            return self.file.span(first, first)
        run = self._run(end - 1)
        if run.length == run.source_length:
            last = run.source_start + (end - run.start)
        else:
            last = run.source_start + run.source_length
        return self.file.span(first, max(first, last))

    def stretches(self) -> Iterator[tuple[int, int]]:
        """Start and end, in the text, of the parts that read in one go in the file, in order.

        Text that comes from elsewhere (a constant that is named, say) is a part of its own; neighbouring literals,
        which the language joins, are one.
        """
        start = at = 0
        behind: int | None = None
        for run in self.runs:
            if behind is not None and not self._reads_on(behind, run.source_start):
                yield start, at
                start = at
            at += run.length
            behind = run.source_start + run.source_length
        if at > start:
            yield start, at

    def _reads_on(self, end: int, start: int) -> bool:
        """Is there nothing but quotes and space between these two places of the file?"""
        return end == start or (end < start <= end + _WIDEST_SEAM and bool(_SEAM.fullmatch(self.file.text, end, start)))

    def slice(self, start: int, end: int) -> SourceMap:
        """Map of ``text[start:end]``. A unit that is cut keeps its whole source place."""
        runs = []
        for index in range(bisect_right(self.runs, start, key=lambda run: run.start + run.length), len(self.runs)):
            run = self.runs[index]
            low, high = max(start, run.start), min(end, run.start + run.length)
            if low >= high:
                break
            if run.length == run.source_length:
                runs.append(Run(low - start, high - low, run.source_start + low - run.start, high - low))
            elif high - low == run.source_length:
                # One run of this length would read as verbatim text, so each character becomes a unit of its own.
                runs.extend(Run(at - start, 1, run.source_start, run.source_length) for at in range(low, high))
            else:
                runs.append(Run(low - start, high - low, run.source_start, run.source_length))
        return SourceMap(self.file, tuple(runs))

    def through(self, outer: SourceMap) -> SourceMap:
        """The same text's map into ``outer.file``, where ``outer`` maps the text of this map's file to that one."""
        runs: list[Run] = []
        for run in self.runs:
            start, length = run.source_start, run.source_length
            if run.length == length:
                runs += [
                    replace(each, start=each.start + run.start) for each in outer.slice(start, start + length).runs
                ]
                continue
            first = outer.source_offset(start)
            last = outer.source_offset(start + length - 1) if length else first
            width = outer.slice(start + length - 1, start + length).runs[-1].source_length if length else 0
            size = last + width - first
            # A unit as long as its source would read as verbatim text.
            parts = range(run.length) if size == run.length else (0,)
            step = 1 if size == run.length else run.length
            runs += [Run(run.start + part, step, first, size) for part in parts]
        return SourceMap(outer.file, tuple(runs))

    @classmethod
    def verbatim(cls, file: SourceFile, start: int, end: int) -> SourceMap:
        """Map of text that stands letter for letter at ``start`` to ``end`` of the file."""
        return cls(file, (Run(0, end - start, start, end - start),) if end > start else ())
