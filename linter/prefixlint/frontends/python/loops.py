"""What a loop does to strings and lists: what each pass adds is repeated, once for each item."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING, TypeVar

from prefixlint.frontends.python.conversations import shortened_item
from prefixlint.frontends.python.indexed import run_by_places
from prefixlint.frontends.python.state import State, join_lists, join_segments
from prefixlint.frontends.python.strings import constant_text
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.turns import drift_of, lists_of
from prefixlint.frontends.python.values import (
    DATA,
    Choose,
    Const,
    DictThing,
    ListThing,
    Many,
    Maybe,
    ObjectThing,
    Opaque,
    Ref,
    Str,
    arms_of,
)
from prefixlint.knowledge.names import meaning
from prefixlint.knowledge.roles import standard_role
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind, shortest
from prefixlint.model.segments import Choice, Repeat, Text, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

REPLIES = ("assistant", "tool")
"""Roles of what does not come from whoever makes a request."""
_VIEWS = frozenset({"items", "values", "keys", "copy"})
_PASSING = frozenset({"enumerate", "sorted", "reversed", "list", "tuple", "iter", "tqdm"})
_Item = TypeVar("_Item", Value, Repeat, Opaque)
ORDERS = frozenset({SourceKind.UNORDERED, SourceKind.LISTING, SourceKind.SHUFFLED})
# What is said of a collection, and of none of its items: whose it is, and the order in which it comes.
_OF_THE_WHOLE = ORDERS | {SourceKind.PARAMETER, SourceKind.CONFIGURATION, SourceKind.ENVIRONMENT}


def loop_item(
    interpreter: Interpreter, target: ast.expr, iter_node: ast.expr, over: Val, frame: Frame
) -> tuple[Val, Opaque]:
    """The loop variable's value inside the body, and what the loop runs over.

    Inside the body the item differs from pass to pass: a prompt sent there differs too. What the body adds to something
    that outlives the loop is as stable as the thing run over (see ``repeated_state``).
    """
    places = frame.module.places
    source = run_by_places(interpreter, iter_node, frame) or interpreter.expressions.as_opaque(over, iter_node, frame)
    source = source.but(expression=places.source(iter_node), span=places.span(iter_node))
    if not source.lifetime.known and not source.type:
        # A collection that was put together out of what is not known is what its own name says.
        told = meaning(_run_over(iter_node))
        if told.lifetime.known:
            origin = Origin(told.kind, source.origin.hops)
            source = source.but(lifetime=told.lifetime, origin=origin, confidence=told.confidence, grows=told.grows)
    if not source.grows and frame.function is not None and source.expression in frame.function.emptied:
        source = source.but(lifetime=shortest([source.lifetime, Lifetime.TURN]), confidence=Confidence.HIGH)
    span = places.span(target)
    if isinstance(target, ast.Tuple | ast.List):
        name = ""
    else:
        name = places.source(target)
    return item_of(source, name, name or places.source(target), span), source


def _run_over(node: ast.expr) -> str:
    """The name of what a loop runs over: ``changes`` of ``enumerate(self.changes.items())``; "" where none is told."""
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _VIEWS:
            node = node.func.value
        elif isinstance(node.func, ast.Name) and node.func.id in _PASSING and node.args:
            node = node.args[0]
        else:
            return ""
    return last_name(node)


def item_of(source: Opaque, name: str, expression: str, span: Span) -> Opaque:
    """One of the items of ``source``, called ``name``, as what is done for each of them sees it."""
    kind = source.origin.kind
    if kind in _OF_THE_WHOLE:
        suggested = meaning(name).kind if name else SourceKind.USER_INPUT
        kind = SourceKind.USER_INPUT if suggested in (SourceKind.PARAMETER, SourceKind.CONFIGURATION) else suggested
    origin = Origin(kind, (*source.origin.hops, Hop(HopKind.EACH, span)))
    type_ = DATA if source.type == DATA else ""
    return Opaque(expression, span, Lifetime.REQUEST, origin, Confidence.HIGH, type=type_)


def of_system(item: Opaque) -> Opaque:
    """One of many messages where a test has found it to be the system's: the same one each time."""
    return item.but(lifetime=Lifetime.DEPLOYMENT, origin=Origin(SourceKind.CONFIGURATION), grows=False)


def read_of(record: DictThing, key: str) -> Val | None:
    """What a record holds under a key: of a system message of which nothing is known, the same in each request."""
    value = record.get(key)
    if key != "content" or not isinstance(value, Opaque) or value.lifetime.known or value.type:
        return value
    role = record.get("role")
    return of_system(value) if isinstance(role, Str) and constant_text(role.segments) == "system" else value


def is_of_system(choice: Choice | Choose) -> bool:
    """Whether a condition asks if a message is the system's."""
    return choice.origin.kind is SourceKind.CONFIGURATION


def _adds_for_system(added: Sequence[object]) -> bool:
    """Whether a pass over messages adds something for the system's message alone: of all passes, one does."""
    for item in added:
        if not isinstance(item, Choice | Maybe):
            return False
        choice = item.choice if isinstance(item, Maybe) else item
        if (any(item.arms[1:]) or not is_of_system(choice)) and not all(map(_adds_for_system, item.arms)):
            return False
    return True


def turns(source: Opaque) -> Opaque:
    """What a loop runs over whose passes are the turns of a conversation: what each adds stays, and nobody knows how
    often."""
    return replace(source, lifetime=Lifetime.UNKNOWN, confidence=Confidence.LOW, grows=True, drift=None)


def repeated_state(
    before: State, after: State, source: Opaque, rebuilds: Callable[[str], bool], *, asks: bool = False
) -> State:
    """State at the start of a later pass: what the first pass added, repeated any number of times. ``asks`` where a
    pass sends requests; ``rebuilds`` says of a variable whether a pass only ever makes it out of itself."""
    variables = dict(after.variables)
    lists = {key: (before.heap.get(key), after.heap.get(key)) for key in before.heap.changed(after.heap)[1]}
    for name, old in before.variables.items():
        new = after.variables.get(name)
        if isinstance(old, Const) and type(old.value) is int and new is not None and _is_counted(old, new):
            # A counter: another number on each pass.
            origin = Origin(SourceKind.SESSION, (Hop(HopKind.EACH, source.span),))
            variables[name] = Opaque(name, source.span, Lifetime.REQUEST, origin, Confidence.HIGH, "integer")
        if isinstance(old, Str) and isinstance(new, Str) and new != old:
            variables[name] = _repeated_text(old, new, source)
        if isinstance(old, Ref) and new != old and new is not None and _is_cut(old, new, before, after):
            variables[name] = old
        elif isinstance(old, Ref) and new is not None and new != old:
            thing = before.heap.get(old.id)
            longer = _going_on(old, thing, new, after, partial(rebuilds, name))
            # ``messages = clean(messages)``: another list, with what stood in the one before.
            if longer is not None:
                variables[name], lists[old.id] = old, (thing, longer)
    heap = after.heap.fork()
    for key, (thing, later) in lists.items():
        if isinstance(thing, ListThing) and isinstance(later, ListThing) and later != thing:
            # What is sent in each pass and added to is a conversation, whatever the loop runs over; so is what was sent
            # before the loop, and is added to now. A copy of it may be sent, or each message in another form.
            talks = later.sent and (later.sent != thing.sent or (asks and thing.items[: len(later.sent)] == later.sent))
            talks = talks or (asks and _adds_reply(later.items[len(thing.items) :], after))
            over = turns(source) if talks else source
            heap[key] = replace(later, items=_repeat_items(thing.items, later.items, over))
        if isinstance(thing, DictThing) and isinstance(later, DictThing) and len(later.rest) > len(thing.rest):
            heap[key] = replace(later, rest=_repeat_rest(thing.rest, later.rest, source))
        if isinstance(thing, ObjectThing) and isinstance(later, ObjectThing) and thing.attributes != later.attributes:
            heap[key] = replace(later, attributes=_repeat_attributes(thing.attributes, later.attributes, source))
    return State(variables, heap)


def _going_on(old: Ref, thing: object, new: Val, after: State, rebuilt: Callable[[], bool]) -> ListThing | None:
    """The list that a variable holds which held ``old`` before, one of several perhaps, if all go on from that; else
    None."""
    longer = lists_of(new, after.heap)
    arms = arms_of(new)
    if not longer or len(longer) < len(arms) or not all(_goes_on(old, thing, one, rebuilt) for one in longer):
        return None
    choice = replace(new, values=()) if isinstance(new, Choose) else None
    return longer[0] if choice is None else reduce(partial(join_lists, choice=choice), longer)


def _goes_on(old: Ref, thing: object, later: object, rebuilt: Callable[[], bool]) -> bool:
    """Whether a list holds what stood in another one, and more: it was put together of that, or begins with it and is
    ``rebuilt`` of it."""
    if not isinstance(thing, ListThing) or not isinstance(later, ListThing) or thing.kind != later.kind:
        return False
    had, has = thing.items, later.items
    if len(has) <= len(had):
        return False
    made = any(ref == old for ref, _ in later.copied)
    if made and (has[: len(had)] == had or has[len(has) - len(had) :] == had):
        return True
    return bool(had) and has[: len(had)] == had and rebuilt()


def _adds_reply(added: Sequence[Item], state: State) -> bool:
    """Whether a pass has added what a model has said, as a message."""
    for item in added:
        if isinstance(item, Many | Maybe):
            arms = item.arms if isinstance(item, Maybe) else (item.items,)
            if any(_adds_reply(arm, state) for arm in arms):
                return True
        thing = state.heap.get(item.id) if isinstance(item, Ref) else None
        role = thing.get("role") if isinstance(thing, DictThing) else None
        if isinstance(role, Str) and standard_role(constant_text(role.segments) or "") in REPLIES:
            return True
    return False


def _repeat_attributes(old: Mapping[str, Val], new: Mapping[str, Val], source: Opaque) -> dict[str, Val]:
    """What an object keeps, with the texts that a pass has added to."""
    attributes = dict(new)
    for name, value in new.items():
        kept = old.get(name)
        if isinstance(kept, Str) and isinstance(value, Str) and kept != value:
            attributes[name] = _repeated_text(kept, value, source)
    return attributes


def _is_counted(old: Const, new: Val) -> bool:
    """Whether a number is another one after a pass, on one way through it at least."""
    if isinstance(new, Choose):
        return all(isinstance(arm, Const) for arm in new.values) and any(_is_counted(old, arm) for arm in new.values)
    return isinstance(new, Const) and type(new.value) is int and new != old


def _is_cut(old: Ref, new: Val, before: State, after: State) -> bool:
    """Whether a variable that held a list holds the end of it: what a pass has added is all the same behind it."""
    if not isinstance(before.heap.get(old.id), ListThing):
        return False
    return any(thing.window is not None for thing in lists_of(new, after.heap))


def with_drifts(start: State, widened: State, after: State) -> State:
    """``widened`` with the lists that a further pass from there, ending in ``after``, has cut."""
    variables, heap = dict(widened.variables), widened.heap.fork()
    names = {value.id: name for name, value in widened.variables.items() if isinstance(value, Ref)}
    for key in {*start.heap.changed(after.heap)[1], *names}:
        thing = widened.heap.get(key)
        if not isinstance(thing, ListThing):
            continue
        value = after.variables.get(names[key], Ref(key)) if key in names else Ref(key)
        drift = drift_of(value, thing, after.heap)
        if drift is not None:
            heap[key] = replace(thing, items=tuple(shortened_item(item, drift) for item in thing.items), window=drift)
    return State(variables, heap)


def _repeated_text(old: Str, new: Str, source: Opaque) -> Str:
    """A text that a pass has changed: what it has added is repeated; set anew, it is either of both."""
    segments = _repeat_segments(old.segments, new.segments, source)
    if segments != new.segments or constant_text(old.segments) is None or constant_text(segments) is None:
        return Str(segments)
    return Str(join_segments(old.segments, segments, Choose((), source.expression, source.span)))


def _repeat_segments(old: tuple[Segment, ...], new: tuple[Segment, ...], source: Opaque) -> tuple[Segment, ...]:
    from prefixlint.frontends.python.state import split_prefix

    added = split_prefix(old, new)
    if added is None:
        return new
    if _adds_for_system(added):
        return (*old, *settled(added, source))
    return (*old, repeat(added, source))


def repeat(body: tuple[Segment, ...], source: Opaque) -> Repeat:
    """``body`` once for each item of ``source``."""
    return Repeat(
        settled(body, source),
        source.expression,
        source.span,
        source.lifetime,
        source.origin,
        source.confidence,
        source.grows,
        None if source.drift is not None and source.drift.kind == "tail" else source.drift,
    )


def _repeat_rest(old: tuple[Val, ...], new: tuple[Val, ...], source: Opaque) -> tuple[Val, ...]:
    """Values under keys of the thing run over, which stand in its order."""
    added = tuple(settled_opaque(value, source) if isinstance(value, Opaque) else value for value in new[len(old) :])
    return (*old, source, *added) if new[: len(old)] == old else new


def _repeat_items(old: tuple[Item, ...], new: tuple[Item, ...], source: Opaque) -> tuple[Item, ...]:
    if new[: len(old)] == old:
        added = new[len(old) :]
        if _adds_for_system(added):
            return new
        return (*old, Many(added, source))
    if old and new[len(new) - len(old) :] == old:
        return (Many(new[: len(new) - len(old)], source), *old)
    return new


def settled(segments: tuple[Segment, ...], source: Opaque) -> tuple[Segment, ...]:
    """Segments added inside a loop, seen from behind it: items are as stable as what was run over."""
    out: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Text):
            out.append(segment)
        elif isinstance(segment, Choice):
            arms = tuple(settled(arm, source) for arm in segment.arms)
            condition = source.lifetime if is_item(segment.origin) else segment.lifetime
            out.append(replace(segment, arms=arms, lifetime=condition))
        elif isinstance(segment, Repeat):
            inner = replace(segment, body=settled(segment.body, source))
            out.append(_settled_item(inner, source) if is_item(segment.origin) else inner)
        elif isinstance(segment, Value) and is_item(segment.origin):
            out.append(_settled_item(segment, source))
        else:
            out.append(segment)
    return tuple(out)


def _settled_item(item: _Item, source: Opaque) -> _Item:
    """An item, or what is made of one, as behind the loop over ``source``; an item still where that is one itself."""
    kind = source.origin.kind if source.lifetime.known else item.origin.kind
    hops: list[Hop] = [hop for hop in item.origin.hops if hop.kind is not HopKind.EACH]
    hops += [hop for hop in source.origin.hops if hop.kind is HopKind.EACH]
    origin = Origin(kind, tuple(hops))
    return replace(item, lifetime=source.lifetime, origin=origin, confidence=source.confidence)


def settled_opaque(value: Opaque, source: Opaque) -> Opaque:
    """A value computed from an item, seen from behind the loop: as stable as what was run over."""
    return _settled_item(value, source) if is_item(value.origin) else value


def is_item(origin: Origin) -> bool:
    """Whether a value is the item of a loop, or made of one."""
    return any(hop.kind is HopKind.EACH for hop in origin.hops)
