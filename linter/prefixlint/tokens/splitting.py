"""Cuts text into the pieces inside which byte pairs are merged, for every continuation of the text at once.

A *stage* finds the matches of one pattern; what lies between matches is a piece too. A splitter runs its stages one
after another, each on the pieces of the one before, as Hugging Face's ``Sequence`` of ``Split`` does; tiktoken has
one stage.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING

from prefixlint.tokens.open_match import BEYOND, MOST_ENDS, Known, OpenPattern
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
        for cut in self._cuts(Known(text, closed), 0, {}):
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

    def _cuts(self, known: Known, stage: int, done: dict[tuple[int, Known], list[Cut]]) -> Iterator[Cut]:
        """``done`` are the ways to cut parts by later stages."""
        if stage == len(self.stages):
            yield Cut((known.text,), "") if known.closed else Cut((), known.text)
            return
        for parts in _walk(self.stages[stage], known):
            if stage + 1 == len(self.stages):
                closed = tuple(part.text for part in parts if part.closed)
                yield Cut(closed, "" if not parts or parts[-1].closed else parts[-1].text)
                continue
            for part in parts:
                if (stage, part) not in done:
                    done[stage, part] = list(islice(self._cuts(part, stage + 1, done), MOST_WAYS + 1))
            for ways in product(*(done[stage, part] for part in parts)):
                yield Cut(tuple(piece for way in ways for piece in way.closed), ways[-1].open if ways else "")


def _walk(stage: OpenPattern, known: Known) -> Iterator[list[Known]]:
    """Each way to cut ``known`` by one stage; only the last part can be open."""
    waiting: list[_Place] = [_Place(0, None)]
    steps: dict[int, list[int]] = {}
    while waiting:
        place = waiting.pop()
        if place.at == len(known.text):
            yield place.parts(known.text)
            continue
        if place.at not in steps:
            steps[place.at] = sorted(_steps(stage, known, place.at), reverse=True)
        for end in steps[place.at]:
            if end == BEYOND:
                yield [*place.parts(known.text), Known(known.text[place.at :])]
            else:
                waiting.append(_Place(end, place))


@dataclass(frozen=True, slots=True)
class _Place:
    """The end of a part, and the one before it."""

    at: int
    before: _Place | None

    def parts(self, text: str) -> list[Known]:
        parts = []
        place = self
        while place.before is not None:
            parts.append(Known(text[place.before.at : place.at], closed=True))
            place = place.before
        return parts[::-1]


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
        if len(steps) > MOST_ENDS:
            return frozenset((BEYOND, *range(at + 1, len(known.text) + 1)))
    steps.add(len(known.text))
    if not known.closed:
        steps.add(BEYOND)
    return frozenset(steps)
