"""Which values of a prompt change from one pass of a loop to the next, where the loop sends a conversation of its own.

What was computed before such a loop stays the same until its end, so it strands nothing of what the passes add. What
they carry over, count or make anew does.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from prefixlint.frontends.python.own_nodes import bound_by
from prefixlint.frontends.python.standing import known_in, marks_of
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.values import ListThing, Ref
from prefixlint.knowledge.libraries import libraries
from prefixlint.model.lifetimes import Confidence, HopKind, Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, rebuilt, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.frontends.python.positions import Places
    from prefixlint.frontends.python.state import State
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Block

    Loop = ast.For | ast.AsyncFor | ast.While

_MADE = frozenset({SourceKind.CLOCK, SourceKind.ID, SourceKind.RANDOM, SourceKind.SHUFFLED})
_EACH_TIME = (Lifetime.TURN, Lifetime.REQUEST)
_KEPT = re.compile(r"self(?:\.\w+)+")
_NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Pass:
    """A loop that is being run: ``source`` is the place of what it runs over, ``before`` what was known in front of it,
    ``later`` at the start of a later pass, ``first`` the first line of the function around it (that of the loop in a
    module). The rest is found when it is asked for, which is seldom."""

    source: Span
    node: Loop
    places: Places
    before: State
    later: State
    first: int

    @property
    def variables(self) -> Mapping[str, Val]:
        return self.before.variables

    @property
    def header(self) -> Span:
        return self.places.span(self.node.test if isinstance(self.node, ast.While) else self.node.target)

    @property
    def body(self) -> Span:
        return replace(self.places.span(self.node.body[0]), end=self.places.span(self.node.body[-1]).end)

    @property
    def carried(self) -> frozenset[str]:
        """Variables that a pass finds changed by the one before, and reads before it sets them anew."""
        names = self.before.variables.keys() & _read_first(self.node)
        return frozenset(name for name in names if _differs(name, self.before, self.later))


@dataclass(frozen=True, slots=True)
class Listing:
    """A comprehension that is being run for one of its items: what it binds to that, and what was known before."""

    node: ast.expr
    target: ast.expr
    places: Places
    variables: Mapping[str, Val]

    @property
    def header(self) -> Span:
        return self.places.span(self.target)

    @property
    def body(self) -> Span:
        return self.places.span(self.node)


def _differs(name: str, before: State, later: State) -> bool:
    old, new = before.variables[name], later.variables.get(name)
    if isinstance(old, Ref) and old == new:
        return isinstance(later.heap.get(old.id), ListThing) and before.heap.get(old.id) != later.heap.get(old.id)
    return new is not None and old != new


def _read_first(node: Loop) -> frozenset[str]:
    """Names that a pass of the loop reads before it sets them, if it does."""
    read: dict[str, tuple[int, int]] = {}
    bound: dict[str, tuple[int, int]] = {}
    for statement in node.body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
                _first(read, inner.target.id, (inner.lineno, inner.col_offset))
            elif isinstance(inner, ast.Assign | ast.AnnAssign | ast.NamedExpr):
                # What is assigned is evaluated before it is bound.
                end = (inner.end_lineno or inner.lineno, inner.end_col_offset or 0)
                for target, _ in bound_by(inner):
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                            _first(bound, name.id, end)
            elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                _first(read, inner.id, (inner.lineno, inner.col_offset))
    return frozenset(name for name, at in read.items() if name not in bound or at < bound[name])


def _first(found: dict[str, tuple[int, int]], name: str, at: tuple[int, int]) -> None:
    found[name] = min(at, found.get(name, at))


def lies_in(place: Span, body: Span) -> bool:
    """Whether one place lies in the other."""
    return place.path == body.path and body.start <= place.start and place.end <= body.end


def with_changes(blocks: tuple[Block, ...], running: Sequence[Pass]) -> tuple[Block, ...]:
    """The blocks of a request that is sent within these loops: a conversation that one of them adds to knows which
    values in front of it change from pass to pass."""
    if not any(map(_is_run, walk(segment for block in blocks for segment in block.segments))):
        return blocks
    out: list[Block] = []
    for block in blocks:
        segments = rebuilt(block.segments, partial(_with_changes, front=tuple(out), running=running))
        out.append(block if segments == block.segments else replace(block, segments=segments))
    return tuple(out)


def is_same_in_each(segments: Sequence[Segment], source: Span, running: Sequence[Pass]) -> bool:
    """Whether what stands there is the same in each pass of the loop over ``source``, if that is being run."""
    of = next((each for each in running if each.source == source), None)
    return of is not None and next(_Passing(of).changing(segments), None) is None


def _is_run(segment: Segment) -> bool:
    return isinstance(segment, Value) and segment.drift is not None and segment.drift.kind == "run"


def _with_changes(segment: Text | Value, front: Sequence[Block], running: Sequence[Pass]) -> tuple[Segment, ...]:
    if not isinstance(segment, Value) or segment.drift is None or segment.drift.kind != "run":
        return (segment,)
    of = next((each for each in running if each.source == segment.drift.span), None)
    changing: tuple[Span, ...] = ()
    if of is not None:
        passing = _Passing(of)
        changing = tuple(span for block in front for span in passing.changing(block.segments))
    return (replace(segment, drift=replace(segment.drift, changing=changing) if changing else None),)


class _Passing:
    """What changes from pass to pass of the loop ``of``."""

    def __init__(self, of: Pass) -> None:
        self._of = of
        self._fresh = _bound_anew(of.node, of.carried)

    @cached_property
    def _standing(self) -> frozenset[Span | str]:
        return known_in(self._of.before)

    def changing(self, segments: Sequence[Segment], *, within: bool = False) -> Iterator[Span]:
        """Places of the values and decisions that change, or stand ``within`` something that does."""
        for segment in segments:
            if isinstance(segment, Text):
                continue
            changes = within or self._changes(segment)
            if changes:
                yield segment.span
            inner = (
                segment.arms if isinstance(segment, Choice) else (segment.body,) if isinstance(segment, Repeat) else ()
            )
            for part in inner:
                yield from self.changing(part, within=changes)

    def _changes(self, segment: Value | Repeat | Choice) -> bool:
        of, at, hops = self._of, segment.span, segment.origin.hops
        if at == of.source:
            return True
        # What the function around the loop has made in front of it keeps what the variables were then.
        own = at.path == of.body.path and of.first <= at.start.line <= of.body.end.line
        earlier = own and at.start.line < of.node.lineno
        if not earlier and not self._fresh.isdisjoint(_NAME.findall(segment.expression)):
            return True
        if any(hop.kind is HopKind.EACH and hop.span in (of.source, of.header) for hop in hops):
            return True
        made = segment.origin.kind in _MADE and segment.confidence is Confidence.CERTAIN
        if made and lies_in(hops[0].span if hops else at, of.body):
            return True
        return not own and self._is_new(segment)

    def _is_new(self, segment: Value | Repeat | Choice) -> bool:
        """Whether a value that another function puts there is made anew in each pass: it varies, and nothing that
        stood there before leads to it."""
        if segment.lifetime not in _EACH_TIME or segment.confidence is Confidence.LOW or isinstance(segment, Choice):
            return False
        if (isinstance(segment, Value) and segment.name) or _KEPT.fullmatch(segment.expression):
            return False
        return self._standing.isdisjoint(marks_of(segment))


def _bound_anew(node: Loop, carried: frozenset[str]) -> frozenset[str]:
    """Names that hold something else in each pass: those ``carried`` over, what is read in, and what is made of it."""
    bound = [
        (target, value)
        for statement in node.body
        for inner in ast.walk(statement)
        if isinstance(inner, ast.stmt | ast.NamedExpr)
        for target, value in bound_by(inner)
    ]
    if isinstance(node, ast.While):
        bound += [pair for inner in ast.walk(node.test) if isinstance(inner, ast.NamedExpr) for pair in bound_by(inner)]
    asking = libraries().asking_in_loops
    told = [
        (set(_names(target, ast.Store)), set(_names(value, ast.Load)), _reads_in(value, asking))
        for target, value in bound
    ]
    found = set(carried)
    while True:
        more = {
            name
            for names, of, reads in told
            if reads or not found.isdisjoint(of)
            for name in names
            if name not in found
        }
        if not more:
            return frozenset(found)
        found |= more


def _names(node: ast.expr, context: type[ast.expr_context]) -> Iterator[str]:
    return (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, context))


def _reads_in(node: ast.expr, asking: frozenset[str]) -> bool:
    """Whether something is read in there by a call of one of these names."""
    return any(isinstance(inner, ast.Call) and last_name(inner.func) in asking for inner in ast.walk(node))
