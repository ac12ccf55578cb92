"""Cuts text into the pieces inside which byte pairs are merged, for every continuation of the text at once.

A *stage* finds the matches of one pattern; what lies between matches is a piece too. A splitter runs its stages one
after another, each on the pieces of the one before, as Hugging Face's ``Sequence`` of ``Split`` does; tiktoken has
one stage.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from prefixlint.tokens.open_match import BEYOND, Known, OpenPattern
from prefixlint.tokens.regex_syntax import parse

if TYPE_CHECKING:
    from collections.abc import Iterator


class TooManyWays(Exception):
    """The text can be cut in more ways than are worth looking at."""


MOST_WAYS = 512


@dataclass(frozen=True, slots=True)
class Cut:
    """One way to cut a text: the closed pieces, and the start of a piece that goes on behind the known text, or ""."""

    closed: tuple[str, ...]
    open: str


@dataclass(frozen=True, slots=True)
class Splitter:
    """The stages of a tokenizer. Without any, the whole text is one piece."""

    stages: tuple[OpenPattern, ...]

    @classmethod
    def of(cls, patterns: list[str], *, dollar_is_end: bool) -> Splitter:
        """Raises ``UnsupportedPattern`` for a pattern that is not analysed."""
        return cls(tuple(OpenPattern(parse(pattern, dollar_is_end=dollar_is_end)) for pattern in patterns))

    def settled(self, text: str) -> int:
        """A character offset up to which the pieces do not depend on what follows ``text``, and where a piece starts.

        It lies between two characters that no match attempt can look at together, in no stage, and behind it a match is
        sure to start in some stage. So no attempt that starts before it sees the end of the text.
        """
        for at in range(len(text) - 1, 0, -1):
            first, second = text[at - 1], text[at]
            if any(stage.adjacent(first, second) for stage in self.stages):
                continue
            known = Known(text[at:])
            if any(not stage.ends(known, 0)[1] for stage in self.stages):
                return at
        return 0

    def cuts(self, text: str, *, closed: bool = False) -> list[Cut]:
        """All ways to cut ``text`` into pieces, over all continuations, or, ``closed``, with nothing behind it.

        Also then there can be several: for characters whose class depends on the Unicode version. Raises
        ``TooManyWays``.
        """
        cuts: list[Cut] = []
        for cut in self._cuts(Known(text, closed), 0):
            cuts.append(cut)
            if len(cuts) > MOST_WAYS:
                raise TooManyWays(text)
        return cuts

    def goes_on(self, piece: str, more: str) -> bool:
        """Whether an open piece that starts with ``piece`` can go on at least to the end of ``more``."""
        if not self.stages:
            return True
        text = piece + more
        ends = _steps(self.stages[-1], Known(text), 0)
        return BEYOND in ends or len(text) in ends

    def _cuts(self, known: Known, stage: int) -> Iterator[Cut]:
        if stage == len(self.stages):
            yield Cut((known.text,), "") if known.closed else Cut((), known.text)
            return
        for ends, open_start in _walk(self.stages[stage], known, 0):
            starts = [0, *ends]
            parts = [Known(known.text[a:b], closed=True) for a, b in pairwise(starts)]
            if open_start is not None:
                parts.append(Known(known.text[open_start:]))
            yield from self._joined(parts, stage + 1)

    def _joined(self, parts: list[Known], stage: int) -> Iterator[Cut]:
        if not parts:
            yield Cut((), "")
            return
        for head in self._cuts(parts[0], stage):
            for rest in self._joined(parts[1:], stage):
                yield Cut(head.closed + rest.closed, head.open or rest.open)


def _walk(stage: OpenPattern, known: Known, at: int) -> Iterator[tuple[tuple[int, ...], int | None]]:
    """Each way to cut ``known.text[at:]``: the ends of the closed pieces, and where an open piece starts, or None."""
    if at == len(known.text):
        yield (), None
        return
    for end in sorted(_steps(stage, known, at)):
        if end == BEYOND:
            yield (), at
            continue
        for ends, open_start in _walk(stage, known, end):
            yield (end, *ends), open_start


def _steps(stage: OpenPattern, known: Known, at: int) -> frozenset[int]:
    """All places where the piece that starts at ``at`` can end: a match there, or what lies before the next match."""
    steps: set[int] = set()
    for start in range(at, len(known.text)):
        ends, can_fail = stage.ends(known, start)
        longer = {end for end in ends if end == BEYOND or end > start}
        if start == at:
            steps |= longer
        elif longer:
            steps.add(start)
        if longer and not can_fail:
            return frozenset(steps)
    steps.add(len(known.text))
    if not known.closed:
        steps.add(BEYOND)
    return frozenset(steps)
