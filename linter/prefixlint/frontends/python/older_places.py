"""Loops that treat the last messages of a conversation otherwise than those in front of them, by their places.

``for m in messages[1:-4]: m["content"] = "…"``, ``if i < len(messages) - keep``, ``if i not in kept`` where ``kept =
places[-keep:]``: each turn another message is no longer among the last. What a name stands for is looked up among all
that its function sets it to.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.frontends.python.loop_shapes import item_of, marks_cache, message_of, rebuilt_list, takes_away
from prefixlint.frontends.python.nested_statements import statements_in
from prefixlint.frontends.python.own_nodes import bound_by, is_same
from prefixlint.frontends.python.syntax import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.python.own_nodes import Definitions

    Loop = ast.For | ast.AsyncFor

_ORDERS = ast.Lt | ast.LtE | ast.Gt | ast.GtE
_DEPTH = 4
"""Names that are looked up one behind the other."""


@dataclass(frozen=True, slots=True)
class Older:
    """What a loop does to all but the last messages of ``listed``: ``place`` is what tells them from the ``last`` ones,
    which are so many."""

    listed: ast.expr
    place: ast.expr
    last: ast.expr


def changed_older(loop: Loop, definitions: Definitions) -> Older | None:
    """What a loop does to the older messages of a list; None for a loop that treats all alike."""
    return _run_over(loop, definitions) or _asked_for(loop, definitions)


def taken_out_older(loop: Loop, definitions: Definitions) -> Older | None:
    """Of a loop over all but the last of some messages that takes them out of a list: ``for m in pictured[:-2]:
    messages.remove(m)``."""
    found = _left_out_of(loop.iter, definitions)
    for node in (node for statement in loop.body for node in ast.walk(statement)) if found is not None else ():
        function = node.func if isinstance(node, ast.Call) and len(node.args) == 1 else None
        if not isinstance(function, ast.Attribute) or function.attr != "remove" or not isinstance(node, ast.Call):
            continue
        if found is not None and is_same(node.args[0], loop.target):
            return Older(function.value, loop.iter, found[1])
    return None


def left_out_or_changed(node: ast.ListComp, definitions: Definitions) -> Older | None:
    """What a comprehension does to the older messages of a list: ``[m for i, m in enumerate(xs) if i not in old]``,
    ``[m if m in kept else {**m, "content": "…"} for m in xs]``; None for others."""
    made, element = node.generators[0], node.elt
    message = item_of(made.target)
    kept = (element.body, element.orelse) if isinstance(element, ast.IfExp) else (element,)
    tests = [*made.ifs, *([element.test] if isinstance(element, ast.IfExp) else [])]
    if len(node.generators) > 1 or not tests or not any(is_same(one, message) for one in kept) or marks_cache(element):
        return None
    listed = _whole(made.iter)
    for test in tests if listed is not None else ():
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], _ORDERS) and len(kept) == 1:
            continue  # all in front of a place go: a window
        last = _last_by(test, made.target, listed, definitions) if listed is not None else None
        if last is not None and listed is not None:
            return Older(listed, test, last)
    return None


def _run_over(loop: Loop, definitions: Definitions) -> Older | None:
    """Of a loop that changes all that it runs over, which is all but the last: ``m`` of ``m[1:-4]``, of the places
    ``tools[:-4]`` where it changes ``m[at]``, of ``range(len(m) - 4)``."""
    over, target = loop.iter, loop.target
    if isinstance(over, ast.Call) and last_name(over.func) == "enumerate" and over.args:
        over, target = over.args[0], item_of(target)
    found = _left_out_of(over, definitions) if isinstance(target, ast.Name) else None
    if found is None or not isinstance(target, ast.Name):
        return None
    listed, last = found
    for node in (node for statement in loop.body for node in ast.walk(statement)):
        for assigned, _ in bound_by(node):
            owner = message_of(assigned)
            if isinstance(owner, ast.Name) and owner.id == target.id and listed is not None:
                return Older(listed, loop.iter, last)
            owner = owner or assigned
            if isinstance(owner, ast.Subscript) and last_name(owner.slice) == target.id:
                return Older(owner.value, loop.iter, last)
    return None


def _left_out_of(over: ast.expr, definitions: Definitions) -> tuple[ast.expr | None, ast.expr] | None:
    """The list of which a loop leaves out some of the last items, and how many; no list where it runs over places."""
    if isinstance(over, ast.Call) and last_name(over.func) == "range":
        last = _from_end(over.args[-1], definitions) if 0 < len(over.args) <= 2 else None
        return None if last is None else (None, last)
    for part in _aliases(over, definitions):
        last = _left_out(part, definitions)
        if last is not None and isinstance(part, ast.Subscript):
            return part.value, last
    return None


def _asked_for(loop: Loop, definitions: Definitions) -> Older | None:
    """Of a loop over a whole list that tests the places of its items."""
    listed = _whole(loop.iter)
    if listed is None:
        return None
    for branch in statements_in(loop.body):
        last = _last_by(branch.test, loop.target, listed, definitions) if isinstance(branch, ast.If) else None
        if last is not None and isinstance(branch, ast.If) and _touches(branch, loop, listed):
            return Older(listed, branch.test, last)
    return None


def _whole(over: ast.expr) -> ast.expr | None:
    """The list that is run over item by item, or place by place."""
    if isinstance(over, ast.Call) and last_name(over.func) == "enumerate" and over.args:
        over = over.args[0]
    elif isinstance(over, ast.Call) and last_name(over.func) == "range" and len(over.args) == 1:
        count = over.args[0]
        over = count.args[0] if isinstance(count, ast.Call) and last_name(count.func) == "len" and count.args else over
    return over if isinstance(over, ast.Name | ast.Attribute) else None


def _last_by(test: ast.expr, target: ast.expr, listed: ast.expr, definitions: Definitions) -> ast.expr | None:
    """How many last ones a test tells from the others, by the place of an item or by the item itself; None for one
    that does not."""
    names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    for node in ast.walk(test):
        last = _last_of(node, names, listed, definitions) if isinstance(node, ast.Compare) else None
        if last is not None:
            return last
    return None


def _last_of(test: ast.Compare, names: set[str], listed: ast.expr, definitions: Definitions) -> ast.expr | None:
    left, right, order = test.left, test.comparators[0], test.ops[0]
    if not any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(left)):
        return None
    itself = _is_place(left, names)
    if isinstance(order, ast.In | ast.NotIn):
        # ``m["id"] in ids[-4:]``: not in a text of which a part is cut, ``m["name"] in path[:-4]``.
        found = (
            _left_out(part, definitions) or _held(part, definitions)
            for part in _resolved(right, definitions)
            if isinstance(part, ast.Subscript) and (itself or _is_list_of(part.value, listed, definitions))
        )
        return next(filter(None, found), None)
    return _from_end(right, definitions, listed) if itself and isinstance(order, _ORDERS) else None


def _is_place(node: ast.expr, names: set[str]) -> bool:
    """``i``, ``i + 1``, ``xs.index(m)``, or an item itself: no part of it, as ``len(m["content"])`` is."""
    if isinstance(node, ast.BinOp):
        return _is_place(node.left, names) or _is_place(node.right, names)
    if isinstance(node, ast.Call) and last_name(node.func) == "index" and node.args:
        return _is_place(node.args[0], names)
    return isinstance(node, ast.Name) and node.id in names


def _is_list_of(node: ast.expr, listed: ast.expr, definitions: Definitions) -> bool:
    """Whether a list is made of another one, both of the same, or filled by the function."""
    parts = [part for part in _resolved(listed, definitions) if isinstance(part, ast.Name | ast.Attribute)]
    return any(
        isinstance(part, ast.List | ast.ListComp)
        or any(is_same(part, other) and last_name(other) != "self" for other in parts)
        for part in _resolved(node, definitions)
    )


def _touches(branch: ast.If, loop: Loop, listed: ast.expr) -> bool:
    """Whether what a test decides is done to messages: in its branches, or behind a ``continue`` in them; or whether
    the loop puts them into another list. Markers of caches are no part of them."""
    leaves = any(isinstance(node, ast.Continue) for statement in branch.body for node in ast.walk(statement))
    body = (*branch.body, *branch.orelse, *(loop.body if leaves else ()))
    unmarked = [statement for statement in body if not marks_cache(statement)]
    if rebuilt_list(loop) is not None:
        return len(unmarked) == len(body)
    return any(_changes(node, listed) for statement in unmarked for node in ast.walk(statement))


def _changes(node: ast.AST, listed: ast.expr) -> bool:
    for target, _ in bound_by(node):
        if message_of(target) is not None or (isinstance(target, ast.Subscript) and is_same(target.value, listed)):
            return True
    return takes_away(node)


def _aliases(node: ast.expr, definitions: Definitions) -> Iterator[ast.expr]:
    """An expression and, of a name, what it stands for; a list made of it in another order or kind is the same."""
    seen, left = set[str](), [node]
    for _ in range(_DEPTH):
        names = list[str]()
        for one in left:
            while isinstance(one, ast.Call) and last_name(one.func) in _PASSING and one.args:
                one = one.args[0]
            yield one
            if isinstance(one, ast.Name) and one.id not in seen:
                seen.add(one.id)
                names.append(one.id)
        left = [value for name in names for value in definitions.get(name, ())]


_PASSING = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed"})


def _resolved(node: ast.expr, definitions: Definitions) -> Iterator[ast.expr]:
    """All parts of an expression and of what its names stand for."""
    seen, left = set[str](), [node]
    for _ in range(_DEPTH):
        names = list[str]()
        for part in (part for one in left for part in ast.walk(one) if isinstance(part, ast.expr)):
            yield part
            if isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                names.append(part.id)
        left = [value for name in names for value in definitions.get(name, ())]


def _left_out(node: ast.expr, definitions: Definitions) -> ast.expr | None:
    """``4`` of ``xs[:-4]``."""
    cut = node.slice if isinstance(node, ast.Subscript) else None
    if not isinstance(cut, ast.Slice) or cut.upper is None or cut.step is not None:
        return None
    return _negative(cut.upper) or _from_end(cut.upper, definitions)


def _held(node: ast.expr, definitions: Definitions) -> ast.expr | None:
    """``4`` of ``xs[-4:]``."""
    cut = node.slice if isinstance(node, ast.Subscript) else None
    if not isinstance(cut, ast.Slice) or cut.lower is None or cut.upper is not None or cut.step is not None:
        return None
    return _negative(cut.lower) or _from_end(cut.lower, definitions)


def _negative(node: ast.expr) -> ast.expr | None:
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else None


def _from_end(node: ast.expr, definitions: Definitions, listed: ast.expr | None = None) -> ast.expr | None:
    """``4`` of ``len(xs) - 4``, if a list is ``listed`` of one that has to do with it."""
    for part in _resolved(node, definitions):
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub):
            counted = _counted(part.left)
            if counted is not None and (listed is None or _is_list_of(counted, listed, definitions)):
                return part.right
    return None


def _counted(node: ast.expr) -> ast.expr | None:
    """``xs`` of ``len(xs)``."""
    return node.args[0] if isinstance(node, ast.Call) and last_name(node.func) == "len" and node.args else None
