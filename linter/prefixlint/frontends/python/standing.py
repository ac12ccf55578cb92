"""What stood there before a loop began: the values that its variables lead to, and where they were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import (
    BufferThing,
    Choose,
    DictThing,
    ListThing,
    Many,
    Maybe,
    Method,
    ObjectThing,
    Opaque,
    Ref,
    Splat,
    Str,
)
from prefixlint.model.lifetimes import HopKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.frontends.python.state import State
    from prefixlint.frontends.python.values import Item
    from prefixlint.model.sources import Span

_MOST = 20_000
"""So many values are looked at; what a state leads to beyond them is not known to have stood there."""


def known_in(state: State) -> frozenset[Span | str]:
    """What tells the values that the variables of a state lead to (``marks_of``)."""
    out: set[Span | str] = set()
    seen: set[int] = set()
    left: list[Item] = list(state.variables.values())
    count = 0
    while left and count < _MOST:
        item = left.pop()
        count += 1
        if isinstance(item, Ref):
            if item.id not in seen:
                seen.add(item.id)
                left.extend(_held(state.heap.get(item.id)))
        elif isinstance(item, Opaque):
            out.update(marks_of(item))
        elif isinstance(item, Str):
            for segment in walk(item.segments):
                if not isinstance(segment, Text):
                    out.update(marks_of(segment))
        elif isinstance(item, Method):
            out.add(item.expression)
            left.append(item.owner)
        else:
            left.extend(_inside(item))
    return frozenset(out)


def marks_of(value: Opaque | Value | Repeat | Choice) -> Iterator[Span | str]:
    """What tells a value wherever it is taken to: the places that it has come by, and the expressions by which it went
    there, but for single names, which mean something else elsewhere."""
    yield value.span
    expressions = [value.expression]
    for hop in value.origin.hops:
        if hop.kind is not HopKind.EACH:
            yield hop.span
            expressions.append(hop.expression)
    yield from (each for each in expressions if each and not each.isidentifier())


def _inside(item: Item) -> Iterable[Item]:
    if isinstance(item, Choose):
        return item.values
    if isinstance(item, Splat):
        return (item.value,)
    if isinstance(item, Many):
        return (*item.items, item.over)
    if isinstance(item, Maybe):
        return [inner for arm in item.arms for inner in arm]
    return ()


def _held(thing: object) -> Iterable[Item]:
    if isinstance(thing, ListThing):
        return thing.items
    if isinstance(thing, DictThing):
        return [*(value for _, value in thing.entries), *thing.rest]
    if isinstance(thing, ObjectThing):
        return list(thing.attributes.values())
    return (thing.text,) if isinstance(thing, BufferThing) else ()
