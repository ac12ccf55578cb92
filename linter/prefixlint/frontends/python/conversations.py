"""What code does to a conversation between two turns: the windows that it cuts, the messages that it rewrites."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from prefixlint.frontends.python.loop_shapes import marks_cache
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.thresholds import (
    MOST_TAKEN,
    asks_for_older,
    measured,
    slides,
    speaks_of,
    weighs,
)
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
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.names import expression_words, split_words
from prefixlint.knowledge.roles import names_of
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Drift, Value, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.judging import Judging
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.positions import Places
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.knowledge.libraries import Sink, Window
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

_NEW = frozenset({SourceKind.CLOCK, SourceKind.ID, SourceKind.RANDOM, SourceKind.SHUFFLED})


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
    # A place that a loop looks for, from the end on, depends on the messages and not on their number alone.
    for place in start.values if isinstance(start, Choose) else (start,):
        drift = place.drift if isinstance(place, Opaque) else None
        if drift is not None and drift.kind == "counted" and drift.bound:
            return None, drift.bound
        if isinstance(place, Opaque) and place.expression.startswith("-"):
            return None, place.expression.lstrip("- ")  # as a caller gives it: ``start=-self.keep``
    return None


def window(value: Opaque, node: ast.expr, kept: tuple[int | None, str], frame: Frame) -> Opaque:
    """The end of a conversation, cut off at ``node``; its last message alone is the message of this turn."""
    size, bound = kept
    places = frame.module.places
    here = value.but(expression=places.source(node), span=places.span(node), name="", grows=False)
    if size == 1:
        return here.but(origin=Origin(SourceKind.USER_INPUT, value.origin.hops))
    drift = Drift("window", places.source(node), places.span(node), size, bound)
    # Who cuts may give back what is left: whether that is kept, the caller alone knows.
    return here.but(drift=replace(drift, seldom=not slides(drift, _own_conditions(frame))))


def tail(value: Opaque, node: ast.expr, kept: tuple[int | None, str], frame: Frame) -> Opaque:
    """The end of something that no name calls a conversation, cut off at ``node``: it is one if messages of both sides
    are made of it."""
    places = frame.module.places
    drift = value.drift
    may_be = value.lifetime not in _FIXED and value.origin.kind is not SourceKind.RETRIEVAL
    if (
        kept[0] != 1
        and may_be
        and value.drift is None
        and not expression_words().samples.intersection(split_words(places.source(node)))
    ):
        drift = Drift("tail", places.source(node), places.span(node), *kept)
    return value.but(expression=places.source(node), span=places.span(node), name="", drift=drift)


_FIXED = frozenset({Lifetime.CONSTANT, Lifetime.DEPLOYMENT, Lifetime.PROCESS})


def end_of_text(value: Opaque, node: ast.expr, kept: tuple[int | None, str], frame: Frame) -> Opaque:
    """The end of a text that each pass of a loop writes on: the conversation of one run, without its front."""
    places = frame.module.places
    drift = Drift("window", places.source(node), places.span(node), *kept, within=True)
    return replace(
        value,
        expression=places.source(node),
        span=places.span(node),
        lifetime=Lifetime.TURN,
        origin=Origin(SourceKind.HISTORY, value.origin.hops),
        confidence=Confidence.HIGH,
        name="",
        grows=False,
        drift=drift,
    )


def told_by_roles(drift: Drift | None, roles: Iterable[str | None]) -> Drift | None:
    """How messages drift that are made of the end of something, one or several of each item; ``roles`` are theirs, None
    for one that the item gives. Both sides of a conversation speak in one."""
    if drift is None or drift.kind != "tail":
        return drift
    known = set(roles)
    both = None in known or bool(known & names_of("assistant") and known & names_of("user"))
    return replace(drift, kind="window") if both else None


def window_of_items(
    items: tuple[Item, ...], node: ast.expr, kept: tuple[int | None, str], frame: Frame
) -> tuple[Item, ...] | None:
    """The last items of a list that holds a conversation; None where it holds none, or all that is kept is known."""
    behind = next((at for at, item in enumerate(reversed(items)) if is_run(item)), len(items))
    run = items[len(items) - 1 - behind] if behind < len(items) else None
    size = kept[0]
    over = run.over if isinstance(run, Many) else run.value if isinstance(run, Splat) else None
    if not isinstance(over, Opaque) or not holds_conversation(over, None):
        return None
    if size is not None and size <= behind:
        return items[len(items) - size :]
    cut = window(over, node, kept, frame) if over.grows else over
    run = Many(run.items, cut) if isinstance(run, Many) else Splat(cut)
    return (run, *items[len(items) - behind :])


def cut_here(thing: ListThing, node: ast.expr, kept: tuple[int | None, str] | None, frame: Frame) -> Drift | None:
    """Where a list that is sliced at ``node`` loses its front on each turn, if it is kept; None where it does not."""
    if kept is None or kept[0] == 1:
        return thing.window
    drift = Drift("window", frame.module.places.source(node), frame.module.places.span(node), *kept)
    return drift if slides(drift, conditions(frame)) else thing.window


def shortened(value: Val, thing: object, drift: Drift, frame: Frame) -> Val | None:
    """A conversation that loses its front, as a value to take the place of ``value``; None where it holds none."""
    if isinstance(value, Opaque):
        return value.but(grows=False, drift=drift) if value.grows else None
    if isinstance(thing, ListThing) and isinstance(value, Ref) and frame.state is not None:
        items = tuple(shortened_item(item, drift) for item in thing.items)
        frame.state.heap[value.id] = replace(thing, items=items, window=drift)
        return value
    return None


def holds_conversation(value: Val, thing: object) -> bool:
    """Whether a value is a conversation, or a list with one among its items."""
    if isinstance(thing, ListThing):
        return thing.window is not None or any(
            (isinstance(item, Splat) and holds_conversation(item.value, None))
            or (isinstance(item, Many) and holds_conversation(item.over, None))
            for item in thing.items
        )
    drift = value.drift if isinstance(value, Opaque) else None
    return isinstance(value, Opaque) and (value.grows or (drift is not None and drift.kind not in ("counted", "tail")))


def shortened_item(item: Item, drift: Drift) -> Item:
    """The same item, a conversation as one that loses its front."""
    if isinstance(item, Splat) and isinstance(item.value, Opaque) and item.value.grows:
        return Splat(item.value.but(grows=False, drift=drift))
    if isinstance(item, Many) and item.over.grows:
        return Many(item.items, item.over.but(grows=False, drift=drift))
    if isinstance(item, Many) and item.over.lifetime is not Lifetime.CONSTANT and item.over.drift is None:
        # A conversation, if messages of both sides are among them.
        return Many(item.items, item.over.but(drift=replace(drift, kind="tail")))
    return item


def unless_marking(condition: Val, arms: Iterable[ast.AST]) -> Val:
    """A condition, which counts no messages where one of its arms sets the marker up to which a provider caches a
    prompt: the marker moves on with each turn, and the texts stay."""
    if not isinstance(condition, Opaque) or condition.drift is None or condition.drift.kind != "counted":
        return condition
    # Of an ``elif`` its own test decides.
    marking = any(marks_cache(arm) for arm in arms if not isinstance(arm, ast.If))
    return replace(condition, drift=None) if marking else condition


def is_counted(frame: Frame) -> bool:
    """Whether what is run now depends on how many messages there are."""
    around = frame.guards if frame.branch is None else (*frame.guards, frame.branch)
    counted = frame.counting or any(choice.drift is not None for choice in around)
    return not frame.seldom and (counted or any(measured(choice.expression) for choice in around))


def is_measured(frame: Frame) -> bool:
    """Whether what is run now is repeated while there is too much."""
    return frame.measuring and not frame.seldom


def cut_like(source: Opaque, thing: ListThing) -> Opaque:
    """What a list holds again and again: the end of a conversation, where the list has lost its front."""
    return source.but(grows=False, drift=thing.window) if source.grows and thing.window is not None else source


def cut_at(node: ast.expr, frame: Frame) -> tuple[str, Span]:
    """Source and place of what cuts a conversation: the call that led there, where the function itself does not
    count."""
    own = frame.branch is not None and frame.branch.drift is not None
    given = frame.function.parameters if own and frame.function is not None else ()
    # ``if index < len(messages)`` asks whether there is such a message: that it goes was the caller's decision.
    own = own and frame.branch is not None and not any(speaks_of(name, frame.branch.expression) for name in given)
    if frame.cause is not None and not own:
        return frame.cause
    return frame.module.places.source(node), frame.module.places.span(node)


def conditions(frame: Frame) -> Iterator[str]:
    """Conditions under which a cut runs: that of the branch, and those of what led there that compare some amount."""
    if frame.branch is not None:
        yield _condition(frame.branch)
    yield from (_condition(guard) for guard in frame.guards if weighs(guard.expression))


def _own_conditions(frame: Frame) -> Iterator[str]:
    """Those conditions of a cut that compare some amount and stand in the function itself: its callers' name limits
    otherwise."""
    caller = frame.caller
    given = 0 if caller is None else len(caller.guards) + (caller.branch is not None)
    own = (*frame.guards[given:], *(() if frame.branch is None else (frame.branch,)))
    return (_condition(guard) for guard in own if weighs(guard.expression))


def _condition(choice: Choose) -> str:
    """The source of a condition; of a number that was counted before, what it was counted from."""
    drift = choice.drift
    if drift is None or not drift.bound or "len(" in choice.expression:
        return choice.expression
    return f"{drift.expression} > {drift.bound}"


def dropped_front(
    owner: ast.expr, cut: ast.expr, node: ast.expr, evaluate: Callable[[ast.expr], Val], frame: Frame
) -> Drift | None:
    """What ``del owner[cut]`` at ``node`` does to a conversation; None where it does not drop its first messages each
    turn."""
    places = frame.module.places
    here, span = places.source(node), places.span(node)
    counted = is_counted(frame)
    if not isinstance(cut, ast.Slice):
        at = evaluate(cut)
        first = isinstance(at, Const) and type(at.value) is int and 0 <= at.value <= MOST_TAKEN
        return Drift("window", here, span) if first and counted else None
    start = Const(0) if cut.lower is None else evaluate(cut.lower)
    if cut.upper is None or cut.step is not None or not isinstance(start, Const) or type(start.value) is not int:
        return None
    stop = evaluate(cut.upper)
    number = stop.value if isinstance(stop, Const) and type(stop.value) is int else None
    if start.value < 0:
        return None
    if number is not None and number < 0:
        drift = Drift("window", here, span, -number, str(-number))
    elif isinstance(cut.upper, ast.UnaryOp) and isinstance(cut.upper.op, ast.USub):
        drift = Drift("window", here, span, None, places.source(cut.upper.operand))
    elif number is not None and 0 < number - start.value <= MOST_TAKEN and counted:
        return Drift("window", here, span)
    elif isinstance(stop, Opaque) and stop.drift is not None and stop.drift.kind == "counted" and stop.drift.bound:
        # As many as there are too many.
        return Drift("window", here, span, None, stop.drift.bound) if _is_excess(stop, owner, frame) else None
    else:
        return None
    return drift if slides(drift, conditions(frame)) else None


def _is_excess(stop: Opaque, owner: ast.expr, frame: Frame) -> bool:
    """Whether a number is the one of a list's entries less some bound."""
    return stop.drift is not None and f"len({frame.module.places.source(owner)})" in stop.drift.expression


def bound_of_caller(result: Val, info: FunctionInfo, bound: bool, node: ast.expr, frame: Frame) -> Val:
    """What a called function gives, with the limits of what it cut named as its caller names them: the caller's
    conditions speak of ``self.keep``, and not of a parameter. ``bound`` is true for a method of an object."""
    if isinstance(result, Choose):
        arms = tuple(bound_of_caller(arm, info, bound, node, frame) for arm in result.values)
        return result if arms == result.values else replace(result, values=arms)
    drift = result.drift if isinstance(result, Opaque) else None
    if drift is None or not drift.bound or not isinstance(node, ast.Call) or not isinstance(result, Opaque):
        return result
    takes = info.positional[1:] if bound and "staticmethod" not in info.decorators else info.positional
    told = named_by_caller(drift, takes, node, frame.module.places)
    return result if told is drift else result.but(drift=told)


def named_by_caller(drift: Drift, takes: Sequence[str], node: ast.Call, places: Places) -> Drift:
    """A cut with its limit as the call names it that is given the parameters that a function ``takes``."""
    given = dict(zip(takes, node.args, strict=False)) | {k.arg: k.value for k in node.keywords if k.arg}
    told = {name: places.source(value) for name, value in given.items()}
    limit = _NAME.sub(lambda found: told.get(found[0], found[0]), drift.bound)
    return drift if limit == drift.bound else replace(drift, bound=limit)


_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def kept_for_long(value: Val, frame: Frame) -> Val:
    """A shortened conversation that is stored in place of the whole one.

    When it is cut to fewer messages than those that set off the cut, it grows again for some turns, and most turns find
    what the last one has left: the branch's condition speaks of another bound than the slice.
    """
    if isinstance(value, Choose):
        cut = {_cut_in(arm, frame) for arm in value.values}
        # Where each arm was cut at the same place, the choice between them is about something else.
        found = (*(() if None not in cut and len(cut) == 1 else (value.expression,)), *conditions(frame))
        arms = tuple(_regrown_value(arm, found, frame) for arm in value.values)
        return value if arms == value.values else replace(value, values=arms)
    return _regrown_value(value, tuple(conditions(frame)), frame)


def _cut_in(value: Val, frame: Frame) -> Span | None:
    """Where the conversation in a value was cut."""
    thing = frame.state.heap.get(value.id) if isinstance(value, Ref) and frame.state is not None else None
    drift = thing.window if isinstance(thing, ListThing) else value.drift if isinstance(value, Opaque) else None
    if drift is None and isinstance(thing, ListThing):
        held = (item.value if isinstance(item, Splat) else getattr(item, "over", None) for item in thing.items)
        drift = next((one.drift for one in held if isinstance(one, Opaque) and one.drift is not None), None)
    return drift.span if drift is not None and drift.kind == "window" else None


def _regrown_value(value: Val, found: tuple[str, ...], frame: Frame) -> Val:
    thing = frame.state.heap.get(value.id) if isinstance(value, Ref) and frame.state is not None else None
    if isinstance(thing, ListThing) and frame.state is not None:
        items = tuple(_regrown_item(item, found) for item in thing.items)
        window = thing.window if thing.window is None or _goes_on(thing.window, found) else None
        if _cut_in(value, frame) is not None and items == thing.items:
            items = tuple(_made_as_often(item) for item in items)
        same = items == thing.items and window is thing.window
        return value if same else frame.state.new(replace(thing, items=items, window=window))
    return _regrown(value, found)


def _made_as_often(item: Item) -> Item:
    """A summary that was made under the conditions under which the conversation behind it is cut on each turn."""
    made = isinstance(item, Opaque) and item.origin.kind is SourceKind.SUMMARY and item.origin.hops
    return item.but(confidence=Confidence.CERTAIN) if made and isinstance(item, Opaque) else item


def _regrown_item(item: Item, conditions: tuple[str, ...]) -> Item:
    if isinstance(item, Many):
        over = _regrown(item.over, conditions)
        return Many(item.items, over) if isinstance(over, Opaque) else item
    return Splat(_regrown(item.value, conditions)) if isinstance(item, Splat) else item


def _regrown(value: Val, conditions: tuple[str, ...]) -> Val:
    if not isinstance(value, Opaque) or value.drift is None or value.drift.kind != "window":
        return value
    return value if _goes_on(value.drift, conditions) else replace(value, grows=True, drift=None)


def _goes_on(drift: Drift, conditions: tuple[str, ...]) -> bool:
    """Whether what is kept of a window is cut again on the next turn."""
    return not drift.seldom and slides(drift, conditions)


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
        counted = isinstance(segment, Choice) and segment.drift is not None and segment.drift.kind == "counted"
        if counted and isinstance(segment, Choice) and not _comes_later(segment.arms, segment.expression):
            return Drift("rewritten", segment.expression, segment.span)
    return None


def _comes_later(arms: Sequence[Sequence[object]], condition: str) -> bool:
    """Whether a decision that counts the messages only leaves out the newest: these come later, behind the others."""
    return len(arms) == 2 and not all(arms) and asks_for_older(condition) is bool(arms[0])


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
    return _says_retold(last_name(node.func))


@lru_cache(maxsize=4096)
def _says_retold(name: str) -> bool:
    words = [word for word in name.lower().split("_") if word]
    known = call_names()
    return not known.retelling.isdisjoint(words) or ("summary" in words and words[0] in known.summary_makers)


def retold(result: Val, given: Iterable[Val], node: ast.Call, expressions: Judging, frame: Frame) -> Val:
    """What a function that sums up gives: of a conversation, another text once that has grown.

    Under a condition it may be made once in many turns.
    """
    if not isinstance(result, Opaque | Str | Method):
        return result
    found = (expressions.as_opaque(value, node, frame) for value in given)
    whole = expressions.as_opaque(result, node, frame)
    # The name has to say that it is a text, whatever is known of it: a conversation that is compressed stays one.
    summary = (not whole.lifetime.known or whole.lifetime.varies) and "summar" in last_name(node.func).lower()
    if (not summary and whole.origin.kind not in _RETOLD) or not any(
        value.origin.kind is SourceKind.HISTORY for value in found
    ):
        return result
    places = frame.module.places
    here, span = places.source(node), places.span(node)
    seldom = frame.branch is not None or frame.counting
    confidence = Confidence.LOW if seldom else Confidence.CERTAIN
    return Opaque(here, span, Lifetime.TURN, Origin(SourceKind.SUMMARY, (Hop(HopKind.SUMMED_UP, span),)), confidence)


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
            if _comes_later(item.arms, item.choice.expression):
                continue
            return Drift("rewritten", item.choice.expression, item.choice.span)
        if isinstance(item, Many):
            inner = counting(item.items)
            if inner is not None:
                return inner
    return None
