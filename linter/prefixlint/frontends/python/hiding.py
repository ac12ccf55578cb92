"""Loops that change the messages of a conversation but for its last ones.

``for m in messages[1:-4]: m["content"] = "…"``: each turn changes the one that has just become old, so all that stands
behind it is another text.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.conversations import conditions, holds_conversation, shortened, shortened_item
from prefixlint.frontends.python.loop_shapes import (
    asks_for_roles,
    changed_but_last,
    changed_by_number,
    changes_in_place,
    newest_first,
    rebuilt_list,
)
from prefixlint.frontends.python.thresholds import slides
from prefixlint.frontends.python.values import Const, ListThing, Opaque, Splat
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter


def hides_old(interpreter: Interpreter, loop: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    """Whether a loop is one of these; the conversation that it changes is marked."""
    found = changed_but_last(loop)
    if found is None or frame.seldom:
        return False
    listed, last = found
    owner = interpreter.evaluate_quietly(listed, frame)
    thing = interpreter.thing(owner, frame)
    if not holds_conversation(owner, thing) and not isinstance(listed, ast.Attribute):
        return False
    places = frame.module.places
    number = interpreter.evaluate_quietly(last, frame)
    size = number.value if isinstance(number, Const) and isinstance(number.value, int) else None
    if size is not None and size < _FEWEST:
        return False
    place = loop.iter
    drift = Drift("rewritten", places.source(place), places.span(place), size, places.source(last))
    if not slides(drift, conditions(frame)):
        return False
    value = shortened(owner, thing, drift, frame)
    if isinstance(value, Opaque):
        interpreter.assignments.assign(listed, value, frame)
    return value is not None


_FEWEST = 2
"""The last message alone is often another's: what is changed when it is no longer the last was never sent otherwise."""


def rebuilds_old(interpreter: Interpreter, loop: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    """Whether a loop from the newest message on puts the messages of a conversation into another list, those behind the
    first few in another form; that list is then the conversation, marked so."""
    newest, made = newest_first(loop.iter), rebuilt_list(loop)
    test = changed_by_number(loop) if newest is not None and made is not None and not frame.seldom else None
    if newest is None or made is None or test is None or frame.state is None:
        return False
    name, front = made
    empty, owner = frame.state.variables.get(name), interpreter.evaluate_quietly(newest, frame)
    new, thing = interpreter.thing(empty, frame) if empty is not None else None, interpreter.thing(owner, frame)
    if not isinstance(new, ListThing) or new.items:
        return False
    places, messages = frame.module.places, interpreter.calls.requests.messages
    drift = Drift("rewritten", places.source(test), places.span(test))
    if isinstance(thing, ListThing):
        if not holds_conversation(owner, thing) and not any(messages.is_message(item, frame) for item in thing.items):
            return False
        items = tuple(shortened_item(item, drift) for item in thing.items)
        copied = interpreter.expressions.copied((owner,), frame)
    elif isinstance(owner, Opaque) and (owner.grows or asks_for_roles(loop)):
        lifetime = owner.lifetime if owner.lifetime.known else Lifetime.TURN
        items, copied = (Splat(owner.but(lifetime=lifetime, grows=False, drift=drift)),), ()
    else:
        return False
    made_of = ListThing(items if front else items[::-1], window=drift, copied=copied)
    frame.state.variables[name] = frame.state.new(made_of)
    return True


def by_number(
    interpreter: Interpreter, loop: ast.For | ast.AsyncFor, newest: ast.expr, source: Opaque, frame: Frame
) -> Opaque:
    """What a loop from the newest message on runs over, marked where those behind the first few get another form;
    ``newest`` is the whole conversation, which is marked where it is changed itself."""
    owner = interpreter.evaluate_quietly(newest, frame)
    thing = interpreter.thing(owner, frame)
    whole = source.grows or holds_conversation(owner, thing)
    test = changed_by_number(loop) if whole and not frame.seldom else None
    if test is None:
        return source
    places = frame.module.places
    drift = Drift("rewritten", places.source(test), places.span(test))
    if changes_in_place(loop):
        changed = shortened(owner, thing, drift, frame)
        if isinstance(changed, Opaque):
            interpreter.assignments.assign(newest, changed, frame)
    return source.but(grows=False, drift=drift)
