"""Notebooks: a JSON file whose code cells, one behind the other, are a Python module."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from prefixlint.model.frozen import dataclass
from prefixlint.model.sources import Position, Run, SourceFile, SourceMap, Span
from prefixlint.model.templates import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its number among all cells of the notebook (from 1), and its first line in the module."""

    number: int
    first_line: int


@dataclass(frozen=True, eq=False)
class Notebook(SourceFile):
    """``text`` is the JSON; ``code`` is the module (of the same path), and ``origin`` maps it to the JSON.

    ``cells`` are the code cells in order.
    """

    code: SourceFile = field(repr=False)
    origin: SourceMap = field(repr=False)
    cells: tuple[Cell, ...] = field(repr=False)

    def code_line(self, position: Position) -> int:
        """Line of the module that holds what stands at ``position`` of the JSON."""
        runs = self.origin.runs
        at = self.offset(position)
        index = bisect_right(runs, at, key=lambda run: run.source_start) - 1
        if index < 0:
            return 1
        run = runs[index]
        inside = min(at - run.source_start, run.length - 1) if run.length == run.source_length else 0
        return self.code.position(run.start + inside).line

    def cell_line(self, position: Position) -> tuple[int, int] | None:
        """Number of the cell and line in it (both from 1) of ``position``; None outside of the code cells."""
        line = self.code_line(position)
        index = bisect_right(self.cells, line, key=lambda cell: cell.first_line) - 1
        return (self.cells[index].number, line - self.cells[index].first_line + 1) if index >= 0 else None

    def placed(self, found: T) -> T:
        """What was found in ``code``, each of its places now one of the JSON: an extraction, a fact of code, …"""
        known: dict[int, Any] = {}

        def moved(value: Any) -> Any:
            if isinstance(value, tuple):
                return tuple(moved(each) for each in value)
            if not is_dataclass(value) or isinstance(value, type | SourceFile):
                return value
            key = id(value)
            if key not in known:
                # The value is kept with the result: its id must not be given to another one.
                known[key] = value, self._moved(value, moved)
            return known[key][1]

        result: T = moved(found)
        return result

    def _moved(self, value: Any, moved: Any) -> Any:
        if isinstance(value, Span):
            if value.path != self.path:
                return value
            return self.origin.span(self.code.offset(value.start), self.code.offset(value.end))
        if isinstance(value, SourceMap):
            return value.through(self.origin) if value.file.path == self.path else value
        if isinstance(value, Problem):
            return replace(value, position=self.origin.span(at := self.code.offset(value.position), at).start)
        changes = {}
        for each in fields(value):
            old = getattr(value, each.name)
            new = moved(old)
            if new is not old:
                changes[each.name] = new
        return replace(value, **changes) if changes else value


def joined(file: SourceFile, parts: Sequence[tuple[str, SourceMap | tuple[int, int]]]) -> tuple[str, SourceMap]:
    """One text of several, with its map. A part that stands for something else in ``file`` names that place, as
    offset and length."""
    runs: list[Run] = []
    at = 0
    for text, source in parts:
        if isinstance(source, SourceMap):
            runs.extend(Run(run.start + at, run.length, run.source_start, run.source_length) for run in source.runs)
        elif text:
            runs.append(Run(at, len(text), *source))
        at += len(text)
    return "".join(text for text, _ in parts), SourceMap(file, tuple(runs))
