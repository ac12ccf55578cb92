"""Matches a tokenizer's pattern on text whose continuation is unknown.

``OpenPattern.ends`` gives every place where the match that starts at a character can end, over all continuations. The
set can be too large, never too small: a test that depends on what follows counts both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from prefixlint.tokens.regex_syntax import Alternation, Char, End, LookAhead, Node, Repeat, Sequence

if TYPE_CHECKING:
    from prefixlint.tokens.charsets import CharTest

MOST_LOOKS = 8
"""Ways in which a look-ahead is tried before it is taken to be possible and not sure."""

MOST_ENDS = 64
"""Ends of one match before it is taken to be able to end anywhere."""

BEYOND = -1
"""An end behind the known text."""


@dataclass(frozen=True, slots=True)
class Known:
    """Known text; ``closed`` says that nothing follows it. ``looked`` remembers what look-aheads found in it."""

    text: str
    closed: bool = False
    looked: dict[tuple[Matcher, int], tuple[bool, bool]] = field(default_factory=dict, compare=False, repr=False)


# Paths in the order in which a backtracking matcher tries them: where the path ends, and whether it is sure to
# succeed once all paths before it have failed.
Path = tuple[int, bool]
Matcher = Callable[[Known, int], Iterator[Path]]


@dataclass(frozen=True, slots=True, eq=False)
class OpenPattern:
    """A parsed pattern. ``adjacent`` answers whether one match attempt can look at two neighbouring characters."""

    node: Node
    _match: Matcher = field(init=False)
    _neighbours: tuple[tuple[CharTest, CharTest], ...] = field(init=False)
    _adjacent: dict[tuple[str, str], bool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_match", _compile(_relaxed(self.node, last=True)))
        object.__setattr__(self, "_neighbours", tuple(_reach(self.node).pairs))

    def ends(self, known: Known, start: int) -> tuple[frozenset[int], bool]:
        """All ends of the match at ``start`` (character offsets, or ``BEYOND``), and whether it can fail."""
        found = set()
        try:
            for end, certain in self._match(known, start):
                found.add(end)
                if certain:
                    return frozenset(found), False
                if len(found) > MOST_ENDS:
                    return _anywhere(known, start), True
        except RecursionError:  # a group repeated hundreds of times
            return _anywhere(known, start), True
        return frozenset(found), True

    def adjacent(self, first: str, second: str) -> bool:
        """Whether one attempt can pass ``first`` and then look at ``second`` behind it."""
        pair = first, second
        answer = self._adjacent.get(pair)
        if answer is None:
            answer = any(a(first) is not False and b(second) is not False for a, b in self._neighbours)
            self._adjacent[pair] = answer
        return answer


def _anywhere(known: Known, start: int) -> frozenset[int]:
    return frozenset((BEYOND, *range(start, len(known.text) + 1)))


def _relaxed(node: Node, *, last: bool) -> Node:
    """``node`` with possessive repetitions made greedy where that is the same: all that follows succeeds anyway, so
    that no path goes back into them. ``last`` says that nothing in the pattern that can fail follows ``node``."""
    if isinstance(node, Sequence):
        items: list[Node] = []
        for item in reversed(node.items):
            items.insert(0, _relaxed(item, last=last))
            last = last and isinstance(item, Repeat) and item.least == 0
        return Sequence(tuple(items))
    if isinstance(node, Alternation):
        return Alternation(tuple(_relaxed(arm, last=last) for arm in node.arms))
    if isinstance(node, Repeat) and node.mode == "possessive" and last:
        return replace(node, mode="greedy")
    return node


def _compile(node: Node) -> Matcher:
    if isinstance(node, Char):
        return _repeat_char(node.test, 1, 1, "greedy")
    if isinstance(node, Sequence):
        return _sequence([_compile(item) for item in node.items])
    if isinstance(node, Alternation):
        return _alternation([_compile(arm) for arm in node.arms])
    if isinstance(node, LookAhead):
        return _look_ahead(_compile(node.item), node.negative)
    if isinstance(node, End):
        return _end
    if isinstance(node.item, Char):
        return _repeat_char(node.item.test, node.least, node.most, node.mode)
    return _repeat(_compile(node.item), node)


def _end(known: Known, at: int) -> Iterator[Path]:
    if at == len(known.text):
        yield at, known.closed


def _alternation(arms: list[Matcher]) -> Matcher:
    def match(known: Known, at: int) -> Iterator[Path]:
        for arm in arms:
            yield from arm(known, at)

    return match


def _sequence(items: list[Matcher]) -> Matcher:
    def match_from(index: int, known: Known, at: int) -> Iterator[Path]:
        if index == len(items):
            yield at, True
            return
        for end, certain in items[index](known, at):
            if end == BEYOND:
                yield BEYOND, False
                continue
            for last, rest_certain in match_from(index + 1, known, end):
                yield last, certain and rest_certain

    return lambda known, at: match_from(0, known, at)


def _look_ahead(inner: Matcher, negative: bool) -> Matcher:
    def match(known: Known, at: int) -> Iterator[Path]:
        found = known.looked.get((inner, at))
        if found is None:
            paths = list(islice(inner(known, at), MOST_LOOKS))
            found = known.looked[inner, at] = bool(paths), any(certain for _, certain in paths)
        possible, sure = found
        if negative:
            if not sure:
                yield at, not possible
        elif possible:
            yield at, sure

    return match


def _repeat(item: Matcher, node: Repeat) -> Matcher:
    def match_from(count: int, known: Known, at: int) -> Iterator[Path]:
        if node.mode == "lazy" and count >= node.least:
            yield at, True
        if node.most is None or count < node.most:
            for end, certain in item(known, at):
                if end == BEYOND:
                    yield BEYOND, False
                elif end > at:
                    for last, rest_certain in match_from(count + 1, known, end):
                        yield last, certain and rest_certain
        if node.mode != "lazy" and count >= node.least:
            yield at, True

    return lambda known, at: match_from(0, known, at)


def _repeat_char(test: CharTest, least: int, most: int | None, mode: str) -> Matcher:
    def match(known: Known, start: int) -> Iterator[Path]:
        text, size = known.text, len(known.text)
        limit = size if most is None else min(size, start + most)
        doubtful: list[int] = []
        stop = start
        while stop < limit and (answer := test(text[stop])) is not False:
            if answer is None:
                doubtful.append(stop)
            stop += 1
        sure_up_to = doubtful[0] if doubtful else stop
        open_end = stop == size and not known.closed and (most is None or size - start < most)
        if mode == "possessive":
            # No second chance for a possessive run: whether a path is the one taken depends on the doubtful tests.
            if open_end:
                yield BEYOND, False
            for end in (stop, *reversed(doubtful)):
                if end - start >= least:
                    yield end, not open_end and not doubtful
            return
        ends = range(start + least, stop + 1)
        if mode == "lazy":
            yield from ((end, end <= sure_up_to) for end in ends)
            if open_end:
                yield BEYOND, False
            return
        if open_end:
            yield BEYOND, False
        yield from ((end, end <= sure_up_to) for end in reversed(ends))

    return match


@dataclass(frozen=True, slots=True)
class _Reach:
    """Which character tests can come first and last, whether the node can pass without a character, and which tests can
    follow one another. Look-aheads count with what they look at."""

    first: list[CharTest]
    last: list[CharTest]
    empty: bool
    pairs: list[tuple[CharTest, CharTest]]


def _reach(node: Node) -> _Reach:
    if isinstance(node, Char):
        return _Reach([node.test], [node.test], False, [])
    if isinstance(node, End):
        return _Reach([], [], True, [])
    if isinstance(node, LookAhead):
        inner = _reach(node.item)
        return _Reach(inner.first, [], True, inner.pairs)
    if isinstance(node, Alternation):
        arms = [_reach(arm) for arm in node.arms]
        return _Reach(
            [test for arm in arms for test in arm.first],
            [test for arm in arms for test in arm.last],
            any(arm.empty for arm in arms),
            [pair for arm in arms for pair in arm.pairs],
        )
    if isinstance(node, Repeat):
        inner = _reach(node.item)
        again = [(a, b) for a in inner.last for b in inner.first] if node.most is None or node.most > 1 else []
        return _Reach(inner.first, inner.last, inner.empty or node.least == 0, [*inner.pairs, *again])
    whole = _Reach([], [], True, [])
    for part in map(_reach, node.items):
        whole = _Reach(
            [*whole.first, *part.first] if whole.empty else whole.first,
            [*part.last, *whole.last] if part.empty else part.last,
            whole.empty and part.empty,
            [*whole.pairs, *part.pairs, *((a, b) for a in whole.last for b in part.first)],
        )
    return whole
