"""Loops that change the messages of a conversation but for its last ones.

``for m in messages[1:-4]: m["content"] = "…"``: each turn changes the one that has just become old, so all that stands
behind it is another text.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.conversations import conditions, holds_conversation, shortened, shortened_item
from prefixlint.frontends.python.loop_shapes import (
    asks_for_roles,
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
    from prefixlint.frontends.python.older_places import Older
    from prefixlint.frontends.python.values import Val


def hides_old(interpreter: Interpreter, loop: ast.For | ast.AsyncFor, older: Older, frame: Frame) -> bool:
    """Whether a loop changes the ``older`` messages of a conversation; that, or the list that it puts them into, is
    marked."""
    drift = _drift_of(interpreter, older, frame)
    if drift is None:
        return False
    owner, made = interpreter.evaluate_quietly(older.listed, frame), rebuilt_list(loop)
    if made is not None and not changes_in_place(loop):
        return _puts_into(interpreter, made, owner, drift, frame)
    value = shortened(owner, interpreter.thing(owner, frame), drift, frame)
    if isinstance(value, Opaque):
        interpreter.assignments.assign(older.listed, value, frame)
    return value is not None


def without_old(interpreter: Interpreter, older: Older, frame: Frame) -> ListThing | None:
    """The list that a comprehension makes of a conversation of which it leaves out or changes the ``older`` messages;
    None where it is no conversation."""
    drift = _drift_of(interpreter, older, frame)
    if drift is None:
        return None
    return _marked(interpreter, interpreter.evaluate_quietly(older.listed, frame), drift, frame)


def _drift_of(interpreter: Interpreter, older: Older, frame: Frame) -> Drift | None:
    """What is to be said of a conversation whose older messages are changed; None where they are not, or seldom."""
    if frame.seldom:
        return None
    owner = interpreter.evaluate_quietly(older.listed, frame)
    if not holds_conversation(owner, interpreter.thing(owner, frame)) and not isinstance(older.listed, ast.Attribute):
        return None
    places = frame.module.places
    number = interpreter.evaluate_quietly(older.last, frame)
    size = number.value if isinstance(number, Const) and isinstance(number.value, int) else None
    if size is not None and size < FEWEST:
        return None
    drift = Drift("rewritten", places.source(older.place), places.span(older.place), size, places.source(older.last))
    return drift if slides(drift, conditions(frame)) else None


FEWEST = 2
"""The last message alone is often another's: what is changed when it is no longer the last was never sent otherwise."""


def rebuilds_old(interpreter: Interpreter, loop: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    """Whether a loop from the newest message on puts the messages of a conversation into another list, those behind the
    first few in another form; that list is marked."""
    newest, made = newest_first(loop.iter), rebuilt_list(loop)
    test = changed_by_number(loop) if newest is not None and made is not None and not frame.seldom else None
    if newest is None or made is None or test is None or changes_in_place(loop):
        return False
    owner, places = interpreter.evaluate_quietly(newest, frame), frame.module.places
    if isinstance(owner, Opaque) and not owner.lifetime.known and asks_for_roles(loop):
        owner = owner.but(lifetime=Lifetime.TURN, grows=True)
    drift = Drift("rewritten", places.source(test), places.span(test))
    name, front = made
    return _puts_into(interpreter, (name, not front), owner, drift, frame)


def _puts_into(interpreter: Interpreter, made: tuple[str, bool], owner: Val, drift: Drift, frame: Frame) -> bool:
    """Makes an empty list the conversation that is put into it item by item, each in front of the one before if so
    ``made``; False where it is none."""
    name, front = made
    assert frame.state is not None
    empty = frame.state.variables.get(name)
    new = None if empty is None else interpreter.thing(empty, frame)
    marked = _marked(interpreter, owner, drift, frame) if isinstance(new, ListThing) and not new.items else None
    if marked is None:
        return False
    frame.state.variables[name] = frame.state.new(replace(marked, items=marked.items[::-1]) if front else marked)
    return True


def _marked(interpreter: Interpreter, owner: Val, drift: Drift, frame: Frame) -> ListThing | None:
    """A list of the messages of a conversation; None where ``owner`` is none."""
    thing = interpreter.thing(owner, frame)
    if isinstance(thing, ListThing):
        is_message = interpreter.calls.requests.messages.is_message
        if not holds_conversation(owner, thing) and not any(is_message(item, frame) for item in thing.items):
            return None
        items = tuple(shortened_item(item, drift) for item in thing.items)
        return ListThing(items, window=drift, copied=interpreter.expressions.copied((owner,), frame))
    if isinstance(owner, Opaque) and owner.grows:
        return ListThing((Splat(owner.but(grows=False, drift=drift)),), window=drift)
    return None


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
