"""Which code seems to shorten a conversation, as it is written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.additions import is_message
from prefixlint.frontends.python.loop_shapes import (
    asks_for_roles,
    changed_by_number,
    from_the_end,
    stops_early,
)
from prefixlint.frontends.python.older_places import changed_older
from prefixlint.frontends.python.own_nodes import list_parts
from prefixlint.frontends.python.syntax import adds, last_name
from prefixlint.knowledge.names import meaning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.python.own_nodes import OwnNodes

_SHIFTS = frozenset({"popleft"})
_SHORTENS = _SHIFTS | {"pop", "remove"}


def cuts_conversation(nodes: OwnNodes) -> bool:
    """Whether code seems to shorten a list whose name says that it is a conversation, to which it adds messages, or
    which it makes of a conversation, in pairs of messages perhaps."""
    names = {last_name(node) for node in shortened_lists(nodes)}
    if not names:
        return False
    if any(meaning(name).grows for name in names) or _hides_messages(nodes):
        return True
    added = (call.func.value for call in nodes.of(ast.Call) if adds(call.func) and any(map(is_message, call.args)))
    return any(last_name(each) in names for each in (*added, *_made_of_conversations(nodes)))


def _hides_messages(nodes: OwnNodes) -> bool:
    """Whether a loop changes all but the last items of a list, and asks for their roles: messages, whatever the list is
    called."""
    return any(
        changed_by_number(loop) is not None or changed_older(loop, nodes.definitions()) is not None
        for loop in nodes.loops()
        if asks_for_roles(loop)
    )


def _made_of_conversations(nodes: OwnNodes) -> Iterator[ast.expr]:
    """What is made item by item of what a name calls a conversation."""
    for target, value in nodes.bindings():
        if isinstance(value, ast.ListComp) and _names_conversation(value.generators[0].iter):
            yield target
    for loop in nodes.loops():
        if _names_conversation(loop.iter):
            yield from (
                node.func.value
                for statement in loop.body
                for node in ast.walk(statement)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and adds(node.func)
            )


def _names_conversation(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Name | ast.Attribute) and meaning(last_name(each)).grows for each in ast.walk(node))


def finds_place(nodes: OwnNodes) -> bool:
    """Whether code counts back from the end of a conversation: it may give the place at which that is cut."""
    if not any(map(_counts_messages, nodes.of(ast.Call))):
        return False
    kept = {last_name(target) for target, value in nodes.bindings() if _counts_messages(value)}
    lefts = (node.left for node in nodes.of(ast.BinOp) if isinstance(node.op, ast.Sub))
    return any(_counts_messages(left) or last_name(left) in kept for left in map(_first, lefts))


def _first(node: ast.expr) -> ast.expr:
    """What a difference begins with: ``a`` of ``a - b - c``."""
    while isinstance(node, ast.BinOp):
        node = node.left
    return node


def _counts_messages(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
    return called and isinstance(node, ast.Call) and bool(node.args) and meaning(last_name(node.args[0])).grows


def shortened_lists(nodes: OwnNodes) -> Iterator[ast.expr]:
    """What is shortened: by a method, by ``del``, by a slice that starts at a place counted from the end or computed,
    or by a loop that takes the newest items until a budget is spent; and what a loop changes but for its last items."""
    for call in nodes.of(ast.Call):
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in (_SHORTENS if call.args else _SHIFTS):
            yield function.value
    for statement in nodes.of(ast.Delete):
        yield from (target.value for target in statement.targets if isinstance(target, ast.Subscript))
    for node in nodes.of(ast.Subscript):
        if isinstance(node.slice, ast.Slice) and not isinstance(node.slice.lower, ast.Constant | None):
            yield from list_parts(node.value)
    for target, value in nodes.bindings():
        kept = put_back(value)
        if kept is not None and last_name(target) == last_name(kept):
            yield kept
    for loop in nodes.loops():
        whole = from_the_end(loop)
        if whole is not None and stops_early(loop, ast.unparse) is not None:
            yield whole
        changed = changed_older(loop, nodes.definitions())
        if changed is not None:
            yield changed.listed
        if whole is not None and changed_by_number(loop) is not None:
            yield whole


def put_back(node: ast.expr) -> ast.expr | None:
    """The list of which an expression gives all but some: ``m`` of ``m[2:]``, ``[m[0]] + m[2:]``, ``[m[0], *m[2:]]``
    and ``[one for one in m if one.turn != oldest]``; None for others."""
    if isinstance(node, ast.ListComp):
        return node.generators[0].iter if filters(node) else None
    rest = slice_behind(node)
    return None if rest is None else rest.value


def slice_behind(node: ast.expr) -> ast.Subscript | None:
    """The slice that stands last in what a list is put together of."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return slice_behind(node.right) or slice_behind(node.left)
    if isinstance(node, ast.List) and node.elts and isinstance(node.elts[-1], ast.Starred):
        return slice_behind(node.elts[-1].value)
    return node if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) else None


def filters(node: ast.ListComp) -> bool:
    """Whether a comprehension gives the items of a list as they are but for those that equal something computed."""
    only = node.generators[0]
    same = isinstance(node.elt, ast.Name) and isinstance(only.target, ast.Name) and node.elt.id == only.target.id
    return len(node.generators) == 1 and same and any(map(_differs, only.ifs))


def _differs(test: ast.expr) -> bool:
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.NotEq | ast.IsNot | ast.NotIn):
        return False
    return not any(isinstance(side, ast.Constant) for side in (test.left, *test.comparators))
