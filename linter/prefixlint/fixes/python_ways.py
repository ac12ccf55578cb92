"""The way of a value through a Python file: from where it is made to the strings and lists that it is put into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.fixes.python_order import bindings, dotted
from prefixlint.fixes.python_text import string_root

if TYPE_CHECKING:
    from collections.abc import Iterator

    import libcst as cst

    from prefixlint.fixes.python_tree import PythonTree

MOST_USES = 3
"""Places where a name is used, or a function called, that are followed."""

DEEPEST = 16


def way(tree: PythonTree, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """Pairs of a container and what of the value stands in it, from the inside out.

    Containers are string expressions, list displays, calls of ``append``, ``+=`` statements and keyword arguments; the
    value in one is the node that holds it there.
    """
    seen: set[cst.CSTNode] = set()
    yield from _follow(tree, node, seen, 0)


def _follow(
    tree: PythonTree, node: cst.CSTNode, seen: set[cst.CSTNode], depth: int
) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    import libcst as cst

    if depth > DEEPEST or node in seen:
        return
    current: cst.CSTNode = node
    while current is not None:
        if current in seen:
            return
        seen.add(current)
        root = string_root(tree, current)
        if root is not None and (root is current or root not in seen):
            yield root, current
            current = root
            seen.add(root)
        parent = tree.parent(current)
        if parent is None:
            return
        if isinstance(parent, cst.Element) and isinstance(tree.parent(parent), cst.List):
            display = tree.parent(parent)
            assert display is not None
            yield display, parent
        elif isinstance(parent, cst.Arg) and _appends(tree, parent):
            call = tree.parent(parent)
            assert call is not None
            yield call, parent
            return
        elif isinstance(parent, cst.Arg) and isinstance(tree.parent(parent), cst.Call) and parent.keyword is not None:
            yield parent, current
        elif isinstance(parent, cst.AugAssign) and isinstance(parent.operator, cst.AddAssign):
            yield parent, current
            return
        elif isinstance(parent, cst.Assign | cst.AnnAssign):
            yield from _uses(tree, parent, seen, depth)
            return
        elif isinstance(parent, cst.If) and current is parent.test:
            added = _first_added(parent)
            if added is not None:
                yield added, current
            return
        elif isinstance(parent, cst.Return):
            yield from _calls(tree, parent, seen, depth)
            return
        elif isinstance(parent, cst.BaseStatement | cst.BaseSmallStatement):
            return
        current = parent


def _first_added(statement: cst.If) -> cst.CSTNode | None:
    """What the first statement under a condition adds to a list or string."""
    import libcst as cst

    first = next(iter(statement.body.body), None)
    small = first.body[0] if isinstance(first, cst.SimpleStatementLine) and first.body else None
    if isinstance(small, cst.AugAssign):
        return small
    return small.value if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) else None


def _appends(tree: PythonTree, arg: cst.Arg) -> bool:
    import libcst as cst

    call = tree.parent(arg)
    return (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "append"
        and isinstance(tree.parent(call), cst.Expr)
    )


def _uses(
    tree: PythonTree, statement: cst.Assign | cst.AnnAssign, seen: set[cst.CSTNode], depth: int
) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """Where the name that is given the value is read, if it is never given another."""
    import libcst as cst

    target = statement.targets[0].target if isinstance(statement, cst.Assign) else statement.target
    if not isinstance(target, cst.Name) or (isinstance(statement, cst.Assign) and len(statement.targets) > 1):
        return
    scope = tree.scope(statement)
    if len(list(bindings(tree, scope, target.value))) != 1:
        return
    found = []
    for name in tree.names(target.value, scope):
        parent = tree.parent(name)
        attribute = isinstance(parent, cst.Attribute) and parent.attr is name
        keyword = isinstance(parent, cst.Arg) and parent.keyword is name
        if name is not target and not attribute and not keyword:
            found.append(name)
    for name in found[:MOST_USES]:
        yield from _follow(tree, name, seen, depth + 1)


def _calls(
    tree: PythonTree, statement: cst.Return, seen: set[cst.CSTNode], depth: int
) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """Where the function that gives the value back is called in this file."""
    import libcst as cst

    function = tree.scope(statement)
    if not isinstance(function, cst.FunctionDef):
        return
    own = function.name.value
    calls = [call for call in tree.every(cst.Call) if dotted(call.func).rpartition(".")[2] == own]
    for call in calls[:MOST_USES]:
        yield from _follow(tree, call, seen, depth + 1)
