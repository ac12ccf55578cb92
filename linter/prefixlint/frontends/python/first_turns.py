"""What is done on an object's first turn only: later turns find it done.

``if self.turns == 0: self.messages[0] = …`` makes no two prompts: on all turns the message is the one that the first
turn has set, made of what that turn was given.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.aging import is_running_count
from prefixlint.frontends.python.lifting import lifted
from prefixlint.frontends.python.own_nodes import bound_by
from prefixlint.frontends.python.state import State, join, join_things
from prefixlint.frontends.python.syntax import adds
from prefixlint.frontends.python.values import (
    Choose,
    Const,
    DictThing,
    ListThing,
    Many,
    ObjectThing,
    Opaque,
    Ref,
    Splat,
    is_run,
)
from prefixlint.model.lifetimes import Lifetime, SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.frontends.python.values import Item, Thing, Val


def asks_for_first(test: ast.expr, evaluate: Callable[[ast.expr], Val], thing: Callable[[Val], object]) -> bool | None:
    """Whether a test holds on the first turn of an object alone (True), on all but the first (False), or neither.

    It asks for a count of turns, or whether a list that turns add to is empty. ``thing`` gives what a value refers to.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = asks_for_first(test.operand, evaluate, thing)
        return None if inner is None else not inner
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        limit = test.comparators[0]
        if isinstance(limit, ast.List) and not limit.elts and begins_empty(thing(evaluate(test.left))):
            return isinstance(test.ops[0], ast.Eq) or (False if isinstance(test.ops[0], ast.NotEq) else None)
        return _is_none_yet(test) if _is_count(test.left, evaluate, thing) else None
    if not isinstance(test, ast.Attribute | ast.Name):
        return None
    value = evaluate(test)
    return False if is_running_count(value) or begins_empty(thing(value)) else None


def _is_none_yet(test: ast.Compare) -> bool | None:
    """Whether a number is compared so that the test holds for 0 alone (True), for all but 0 (False), or neither."""
    limit, op = test.comparators[0], test.ops[0]
    number = limit.value if isinstance(limit, ast.Constant) and type(limit.value) is int else None
    if (number == 0 and isinstance(op, ast.Eq | ast.LtE)) or (number == 1 and isinstance(op, ast.Lt)):
        return True
    if (number == 0 and isinstance(op, ast.NotEq | ast.Gt)) or (number == 1 and isinstance(op, ast.GtE)):
        return False
    return None


def _is_count(node: ast.expr, evaluate: Callable[[ast.expr], Val], thing: Callable[[Val], object]) -> bool:
    """Whether an expression is a count of turns, or the length of a list that turns add to."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
        return begins_empty(thing(evaluate(node.args[0])))
    return isinstance(node, ast.Attribute) and is_running_count(evaluate(node))


def begins_empty(thing: object) -> bool:
    """Whether a list holds nothing but what turns have added: on the first turn it is empty."""
    return isinstance(thing, ListThing) and bool(thing.items) and all(map(_of_turns, thing.items))


def _of_turns(item: Item) -> bool:
    """Whether items are a conversation so far, or made of one; what a loop makes of other things is there or not."""
    if isinstance(item, Many):
        return item.over.grows or item.over.origin.kind is SourceKind.HISTORY
    return is_run(item)


def asked_empty(test: ast.expr) -> tuple[ast.expr, bool] | None:
    """What a test asks to be empty, and on which of its sides it is: ``not x`` (True), ``len(x) > 0`` (False)."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = asked_empty(test.operand)
        return None if inner is None else (inner[0], not inner[1])
    if isinstance(test, ast.Name | ast.Attribute):
        return test, False
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    asked, limit, op = test.left, test.comparators[0], test.ops[0]
    if isinstance(limit, ast.List) and not limit.elts:
        return (asked, isinstance(op, ast.Eq)) if isinstance(op, ast.Eq | ast.NotEq) else None
    called = isinstance(asked, ast.Call) and isinstance(asked.func, ast.Name) and asked.func.id == "len"
    side = _is_none_yet(test) if called else None
    return None if side is None or not isinstance(asked, ast.Call) or not asked.args else (asked.args[0], side)


def begins_list(body: list[ast.stmt], name: str) -> bool:
    """Whether statements give a variable its first items: ``x = [m]``, ``x.append(m)``."""
    for node in body:
        for target, value in bound_by(node):
            if isinstance(target, ast.Name) and target.id == name and isinstance(value, ast.List) and value.elts:
                return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and adds(node.value.func):
            owner = node.value.func.value
            if isinstance(owner, ast.Name) and owner.id == name:
                return True
    return False


def join_begun(start: State, first: State, later: State, name: str, choice: Choose) -> State | None:
    """State of a later turn behind a branch that, on the first turn alone, begins the list that a variable holds; None
    where it is no list there. Later turns find those items in front of what they are given."""
    ref, given = first.variables.get(name), later.variables.get(name)
    begun = first.heap.get(ref.id) if isinstance(ref, Ref) else None
    if not isinstance(begun, ListThing) or not begun.items or not isinstance(given, Opaque | Choose):
        return None
    joined = join_turns(start, first, later, choice)
    assert joined is not None
    kept = _kept(begun)
    assert isinstance(kept, ListThing)
    joined.variables[name] = joined.new(replace(kept, items=(*kept.items, Splat(given))))
    return joined


def sets_flag(test: ast.expr, before: Callable[[ast.expr], Val], after: Callable[[ast.expr], Val]) -> bool | None:
    """True for ``if not self.started:`` where the branch sets that flag: it runs on the first turn alone."""
    if not isinstance(test, ast.UnaryOp) or not isinstance(test.op, ast.Not):
        return None
    flag = test.operand
    if not isinstance(flag, ast.Attribute) or isinstance(before(flag), Const):
        return None
    return True if after(flag) == Const(True) else None


def join_turns(start: State, first: State | None, later: State | None, choice: Choose) -> State | None:
    """State of a later turn, behind a branch that runs ``first`` on the first turn and ``later`` on the others."""
    if first is None or later is None:
        return join(first, later, choice)
    joined = join(first, later, choice)
    assert joined is not None
    heap = joined.heap.fork()
    for key in start.heap.changed(first.heap)[1]:
        before, one, other = start.heap.get(key), first.heap.get(key), later.heap.get(key)
        if one is None or one is before:
            continue
        done = _in_front(_kept(one), before)
        if other is None or other is before:
            heap[key] = done
        elif isinstance(done, ListThing) and isinstance(other, ListThing) and isinstance(before, ListThing):
            heap[key] = replace(other, items=_both(done.items, before.items, other.items))
        else:
            heap[key] = join_things(done, other, choice)
    return State(joined.variables, heap)


def _kept(thing: Thing) -> Thing:
    """A thing made of what the first turn was given: it lasts as long as the object."""
    if isinstance(thing, ListThing):
        items = tuple(item if is_run(item) else lifted(item, Lifetime.SESSION) for item in thing.items)
        return replace(thing, items=items)
    if isinstance(thing, DictThing):
        return replace(thing, entries=tuple((key, lifted(value, Lifetime.SESSION)) for key, value in thing.entries))
    if isinstance(thing, ObjectThing):
        # A counter that has run on is none that the first turn has set.
        known = thing.attributes.items()
        attributes = {
            name: value if isinstance(value, Const) or is_running_count(value) else lifted(value, Lifetime.SESSION)
            for name, value in known
        }
        return replace(thing, attributes=attributes)
    return thing


def _in_front(thing: Thing, before: Thing | None) -> Thing:
    """A list with what was added to it in front of what earlier turns have added."""
    if not isinstance(thing, ListThing) or not isinstance(before, ListThing):
        return thing
    return replace(thing, items=_both(thing.items, before.items, before.items))


def _both(first: tuple[Item, ...], before: tuple[Item, ...], later: tuple[Item, ...]) -> tuple[Item, ...]:
    """What the first turn has added, in front of the run of earlier items, and what later turns add behind it."""
    run = next((at for at, item in enumerate(before) if is_run(item)), None)
    if run is None or first[: len(before)] != before:
        return first if later == before else later
    return (*later[:run], *first[len(before) :], *later[run:])
