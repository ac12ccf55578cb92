"""A prompt's text as a fix sees it: characters and values in a row, in lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    from collections.abc import Mapping

VALUE: Final = "\ufffc"
"""Stands for one value in a flow's text."""

CHANGING: Final = float(Lifetime.USER.rank)
"""How long the longest-lived value lives that differs between requests: one of a user."""

FIXED: Final = float(Lifetime.CONSTANT.rank)
"""How long fixed text lives; see ``Lifetime.rank``."""


@dataclass(frozen=True)
class Line:
    """``start`` to ``end`` without the line end; ``after`` is where the next line starts."""

    start: int
    end: int
    after: int


@dataclass(frozen=True)
class Flow:
    """``text`` has ``VALUE`` for each value; ``lives`` says how long the value at an offset lives (a lifetime's rank).

    A value that ``lives`` does not know may hold anything, a page of rules as well: it is taken for fixed text.
    """

    text: str
    lives: Mapping[int, float] = field(default_factory=dict)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        out, at = [], 0
        for match in re.finditer("\r\n|\n|\r", self.text):
            out.append(Line(at, match.start(), match.end()))
            at = match.end()
        out.append(Line(at, len(self.text), len(self.text)))
        return tuple(out)

    def content(self, number: int) -> str:
        """The line without white space around it."""
        line = self.lines[number]
        return self.text[line.start : line.end].strip()

    def blank(self, number: int) -> bool:
        return not self.content(number)

    def line_of(self, at: int) -> int:
        return next(
            number for number, line in enumerate(self.lines) if at < line.after or number == len(self.lines) - 1
        )

    def values(self, start: int, end: int) -> list[int]:
        """Offsets of the values between two offsets."""
        return [match.start() + start for match in re.finditer(VALUE, self.text[start:end])]

    def rank(self, at: int) -> float:
        """How long the value at ``at`` lives."""
        return self.lives.get(at, FIXED)

    def weight(self, start: int, end: int, rank: float) -> int:
        """Characters of fixed text between two offsets; a value that lives longer than ``rank`` counts 1,000.

        What differs between requests counts nothing, whatever ``rank`` is.
        """
        text = self.text[start:end]
        longer = sum(1 for at in self.values(start, end) if self.rank(at) > max(rank, CHANGING))
        return len("".join(text.replace(VALUE, "").split())) + 1000 * longer


Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Move:
    """A new order of a flow: its ``ranges`` one after the other. ``unit`` is what has moved, ``what`` names it."""

    ranges: tuple[Range, ...]
    unit: Range
    what: str
