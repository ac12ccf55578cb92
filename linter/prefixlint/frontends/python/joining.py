"""What joins messages that follow one another in one role, for providers that take none such.

``if out[-1]["role"] == m["role"]: out[-1]["content"] += m["content"]``, ``else: out.append(m)``: either way the text of
the one stands right behind that of the other, so both sides make the same prompt.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import adds, is_last

if TYPE_CHECKING:
    from collections.abc import Iterator


def joins_neighbours(node: ast.If) -> bool:
    """Whether a branch asks for the role of the last message of a list, adds to the end of that message where it is the
    one that is to come, and otherwise adds a message of its own."""
    to_message = [_adds_to_message(inner) for inner in node.body]
    if True not in to_message or False in to_message:
        return False
    lists = {ast.unparse(last.value) for last in _asked_for_role(node.test)}
    changed = (_last_item(part) for inner in node.body for part in ast.walk(inner))
    if not lists.issuperset({ast.unparse(last.value) for last in changed if last is not None}):
        return False
    if isinstance(node.body[-1], ast.Continue):
        return True
    return any(_adds_to_list(inner, lists) for other in node.orelse for inner in ast.walk(other))


def _asked_for_role(test: ast.expr) -> Iterator[ast.Subscript]:
    """The last items of lists whose role, or whose class, a test compares."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                owner = _owner_of_role(side)
                last = _last_item(owner)
                if last is not None:
                    yield last
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            last = _last_item(node.args[0]) if node.args else None
            if last is not None:
                yield last


def _last_item(node: ast.AST | None) -> ast.Subscript | None:
    """``out[-1]``; None for anything else."""
    return node if isinstance(node, ast.Subscript) and is_last(node.slice) else None


def _owner_of_role(node: ast.expr) -> ast.expr | None:
    """``m`` of ``m["role"]``, ``m.get("role")``, ``m.role``."""
    if isinstance(node, ast.Attribute):
        return node.value if node.attr in _ROLES else None
    key: ast.expr | None = None
    owner: ast.expr | None = None
    if isinstance(node, ast.Subscript):
        owner, key = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        owner, key = node.func.value, node.args[0]
    return owner if isinstance(key, ast.Constant) and key.value in _ROLES else None


_ROLES = frozenset({"role", "type"})
_BEHIND = frozenset({"append", "extend"})


def _adds_to_message(node: ast.stmt) -> bool | None:
    """Whether a statement adds to the end of the last item of a list (True), or does something else (False); None for
    what does nothing to any."""
    if isinstance(node, ast.Continue | ast.Pass | ast.Assert):
        return None
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add) and _is_within(node.target)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return _is_within(node.targets[0]) and _begins_with(node.value, ast.unparse(node.targets[0]))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return adds(node.value.func) and node.value.func.attr in _BEHIND and _is_within(node.value.func.value)
    if isinstance(node, ast.If):
        found = {_adds_to_message(inner) for inner in (*node.body, *node.orelse)}
        return False if False in found else True if True in found else None
    return False


def _is_within(target: ast.expr) -> bool:
    """Whether a target is a part of the last item of a list."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
        if _last_item(target) is not None:
            return True
    return False


def _begins_with(value: ast.expr, source: str) -> bool:
    """Whether what is put back begins with what was there."""
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        value = value.left
    if isinstance(value, ast.JoinedStr) and value.values:
        first = value.values[0]
        return isinstance(first, ast.FormattedValue) and ast.unparse(first.value) == source
    if isinstance(value, ast.List) and value.elts and isinstance(value.elts[0], ast.Starred):
        value = value.elts[0].value
    return ast.unparse(value) == source


def _adds_to_list(node: ast.AST, lists: set[str]) -> bool:
    return isinstance(node, ast.Call) and adds(node.func) and ast.unparse(node.func.value) in lists
