"""What code does to a conversation between two turns: the windows that it cuts, the messages that it rewrites."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Const,
    ListThing,
    Many,
    Maybe,
    Method,
    Opaque,
    Ref,
    Splat,
    Str,
    is_run,
)
from prefixlint.knowledge.phrases import phrases
from prefixlint.model.lifetimes import Confidence, Hop, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Drift, Value, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.judging import Judging
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.knowledge.libraries import Sink, Window
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

_NEW = frozenset({SourceKind.CLOCK, SourceKind.ID, SourceKind.RANDOM, SourceKind.SHUFFLED})
MOST_TAKEN = 3
"""Messages that are dropped at a time, up to which a conversation is said to slide; who drops more pays more rarely."""


def moving_start(cut: ast.Slice, start: Val | None, frame: Frame) -> tuple[int | None, str] | None:
    """How many items a slice keeps, counted from the end: their number where it is known, and its source.

    None where the slice starts at a fixed place, or at one of which nothing is known.
    """
    if cut.lower is None or (cut.step is not None):
        return None
    source = frame.module.places.source(cut.lower)
    if isinstance(start, Const) and isinstance(start.value, int):
        return (-start.value, source.lstrip("- ")) if start.value < 0 else None
    first = cut.lower
    while isinstance(first, ast.BinOp):
        first = first.left
    if isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.USub):
        return None, source.lstrip("- ")
    counted = isinstance(start, Opaque) and start.drift is not None and start.drift.kind == "counted"
    # A place that a loop looks for, from the end on, depends on the messages and not on their number alone.
    if counted and isinstance(start, Opaque) and "len(" in start.expression and "-" in start.expression:
        return None, source
    return None


def window(value: Opaque, node: ast.expr, kept: tuple[int | None, str], frame: Frame) -> Opaque:
    """The end of a conversation, cut off at ``node``; its last message alone is the message of this turn."""
    size, bound = kept
    places = frame.module.places
    here = value.but(expression=places.source(node), span=places.span(node), name="", grows=False)
    if size == 1:
        return here.but(origin=Origin(SourceKind.USER_INPUT, value.origin.hops))
    return here.but(drift=Drift("window", places.source(node), places.span(node), size, bound))


def window_of_items(
    items: tuple[Item, ...], node: ast.expr, kept: tuple[int | None, str], frame: Frame
) -> tuple[Item, ...] | None:
    """The last items of a list that holds a conversation; None where it holds none, or all that is kept is known."""
    behind = next((at for at, item in enumerate(reversed(items)) if is_run(item)), len(items))
    run = items[len(items) - 1 - behind] if behind < len(items) else None
    size = kept[0]
    if not isinstance(run, Splat) or not isinstance(run.value, Opaque) or not run.value.grows:
        return None
    if size is not None and size <= behind:
        return items[len(items) - size :]
    return (Splat(window(run.value, node, kept, frame)), *items[len(items) - behind :])


def shortened(value: Val, thing: object, drift: Drift, frame: Frame) -> Val | None:
    """A conversation that loses its front, as a value to take the place of ``value``; None where it holds none."""
    if isinstance(value, Opaque):
        return value.but(grows=False, drift=drift) if value.grows else None
    if isinstance(thing, ListThing) and isinstance(value, Ref) and frame.state is not None:
        items = tuple(shortened_item(item, drift) for item in thing.items)
        if items != thing.items:
            frame.state.heap[value.id] = replace(thing, items=items)
        return value
    return None


def holds_conversation(value: Val, thing: object) -> bool:
    """Whether a value is a conversation, or a list with one among its items."""
    if isinstance(thing, ListThing):
        return any(isinstance(item, Splat) and holds_conversation(item.value, None) for item in thing.items)
    return isinstance(value, Opaque) and (value.grows or (value.drift is not None and value.drift.kind == "window"))


def shortened_item(item: Item, drift: Drift) -> Item:
    """The same item, a conversation as one that loses its front."""
    if isinstance(item, Splat) and isinstance(item.value, Opaque) and item.value.grows:
        return Splat(item.value.but(grows=False, drift=drift))
    return item


def dropped_front(target: ast.Subscript, evaluate: Callable[[ast.expr], Val], frame: Frame) -> Drift | None:
    """What ``del`` of these items does to a conversation; None where it does not drop its first messages each turn."""
    cut, places = target.slice, frame.module.places
    counted = frame.counting or (frame.branch is not None and frame.branch.drift is not None)
    if not isinstance(cut, ast.Slice):
        first = evaluate(cut) == Const(0)
        return Drift("window", places.source(target), places.span(target)) if first and counted else None
    if cut.upper is None or cut.step is not None:
        return None
    stop = evaluate(cut.upper)
    number = stop.value if isinstance(stop, Const) and isinstance(stop.value, int) else None
    if number is not None and number < 0:
        drift = Drift("window", places.source(target), places.span(target), -number, str(-number))
    elif isinstance(cut.upper, ast.UnaryOp) and isinstance(cut.upper.op, ast.USub):
        drift = Drift("window", places.source(target), places.span(target), None, places.source(cut.upper.operand))
    elif number is not None and number <= MOST_TAKEN and counted:
        return Drift("window", places.source(target), places.span(target))
    else:
        return None
    elsewhere = frame.branch is not None and not _speaks_of(drift.bound, frame.branch.expression)
    return None if elsewhere else drift


def kept_for_long(value: Val, thing: object, frame: Frame) -> Val:
    """A shortened conversation that is stored in place of the whole one.

    When it is cut to fewer messages than those that set off the cut, it grows again for some turns, and most turns find
    what the last one has left: the branch's condition speaks of another bound than the slice.
    """
    if isinstance(value, Choose):
        return replace(value, values=tuple(_regrown(arm, value.expression) for arm in value.values))
    if frame.branch is None:
        return value
    if isinstance(value, Ref) and isinstance(thing, ListThing) and frame.state is not None:
        condition = frame.branch.expression
        items = (Splat(_regrown(item.value, condition)) if isinstance(item, Splat) else item for item in thing.items)
        return frame.state.new(replace(thing, items=tuple(items)))
    return _regrown(value, frame.branch.expression)


def _regrown(value: Val, condition: str) -> Val:
    if not isinstance(value, Opaque) or value.drift is None or value.drift.kind != "window" or not value.drift.bound:
        return value
    return value if _speaks_of(value.drift.bound, condition) else replace(value, grows=True, drift=None)


def _speaks_of(bound: str, condition: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(bound)}(?![\w.])", condition) is not None


def rewritten(segments: Iterable[Segment], sent: Span) -> Drift | None:
    """What in the form of an earlier message differs from turn to turn, or None.

    A value made while the prompt is built differs each time; a decision that counts the messages turns out otherwise
    once there are more. What is read from the message itself stays as it is. A value that stands nowhere but where the
    list is ``sent`` is none that the source shows being made.
    """
    for segment in walk(segments):
        if isinstance(segment, Value) and segment.origin.kind in _NEW and segment.lifetime in _EACH_TIME:
            if segment.confidence is not Confidence.CERTAIN or segment.span == sent:
                continue
            return Drift("renewed", segment.expression, segment.span)
        if isinstance(segment, Choice) and segment.drift is not None and segment.drift.kind == "counted":
            return Drift("rewritten", segment.expression, segment.span)
    return None


def ranked(value: Opaque, node: ast.Call) -> Opaque | None:
    """What was found, sorted by a score; None for anything else."""
    if value.origin.kind is not SourceKind.RETRIEVAL:
        return None
    keys = [keyword.value for keyword in node.keywords if keyword.arg == "key"]
    names = {
        n.attr if isinstance(n, ast.Attribute) else n.value if isinstance(n, ast.Constant) else ""
        for key in keys
        for n in ast.walk(key)
    }
    if not any(isinstance(name, str) and _SCORE.search(name) for name in names):
        return None
    return value.but(drift=Drift("ranked", value.expression, value.span))


_SCORE = re.compile(r"score|similarity|relevance|distance|rank", re.IGNORECASE)


def retells(node: ast.Call) -> bool:
    """Whether a called function is one that sums up, by its name."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    words = [word for word in name.lower().split("_") if word]
    known = phrases()
    return not known.retelling.isdisjoint(words) or ("summary" in words and words[0] in known.makers)


def retold(result: Val, given: Iterable[Val], node: ast.Call, expressions: Judging, frame: Frame) -> Val:
    """What a function that sums up gives: of a conversation, another text once that has grown.

    Under a condition it may be made once in many turns.
    """
    if not isinstance(result, Opaque | Str | Method):
        return result
    found = (expressions.as_opaque(value, node, frame) for value in given)
    whole = expressions.as_opaque(result, node, frame)
    if whole.origin.kind not in _RETOLD or not any(value.origin.kind is SourceKind.HISTORY for value in found):
        return result
    places = frame.module.places
    here, span = places.source(node), places.span(node)
    seldom = frame.branch is not None or frame.counting
    confidence = Confidence.LOW if seldom else Confidence.CERTAIN
    return Opaque(here, span, Lifetime.TURN, Origin(SourceKind.SUMMARY, (Hop("summed up here", span),)), confidence)


_RETOLD = frozenset({SourceKind.USER_INPUT, SourceKind.HISTORY, SourceKind.SUMMARY})


def windowed(path: str, entry: Window, given: Val | None, node: ast.Call, expressions: Judging, frame: Frame) -> Opaque:
    """The end of a conversation that a library gives or keeps; one that is called later is known by its type."""
    places = frame.module.places
    here, span = places.source(node), places.span(node)
    if entry.messages and given is None:
        return Opaque(here, span, type=path)
    confidence = Confidence.LOW if entry.limit == "tokens" else Confidence.HIGH
    origin = Origin(SourceKind.HISTORY)
    if entry.messages and given is not None:
        value = expressions.as_opaque(given, node, frame)
        if not value.grows:
            return value.but(expression=here, span=span, name="")
        origin = Origin(SourceKind.HISTORY, value.origin.hops)
    return Opaque(here, span, Lifetime.TURN, origin, confidence, "list", drift=Drift("window", here, span))


def kept_end(entry: Sink, given: Mapping[str, Val], nodes: Mapping[str, ast.expr], frame: Frame) -> Opaque | None:
    """An argument by which an agent keeps only the end of its conversation."""
    for value in given.values():
        if isinstance(value, Opaque) and value.drift is not None and value.drift.kind == "window":
            return value
    for name in entry.windows:
        if name in given and name in nodes and given[name] != NONE:
            places, node, size = frame.module.places, nodes[name], given[name]
            number = size.value if isinstance(size, Const) and isinstance(size.value, int) else None
            expression, span = f"{name}={places.source(node)}", places.span(node)
            drift = Drift("window", expression, span, number)
            return Opaque(expression, span, confidence=Confidence.HIGH, drift=drift)
    return None


_EACH_TIME = (Lifetime.TURN, Lifetime.REQUEST)


def counting(items: Iterable[Item]) -> Drift | None:
    """The decision among the items of a list that counts the messages, or None."""
    for item in items:
        if isinstance(item, Maybe) and item.choice.drift is not None and item.choice.drift.kind == "counted":
            return Drift("rewritten", item.choice.expression, item.choice.span)
        if isinstance(item, Many):
            inner = counting(item.items)
            if inner is not None:
                return inner
    return None
