"""The syntax nodes of a function or module without those of what is defined inside it, sorted by kind."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Definitions = Mapping[str, Sequence[ast.expr]]

Node = TypeVar("Node", bound=ast.AST)

# Fields that hold no nodes, or none that anything here asks for: operators, and whether a name is read or bound.
_BARE = frozenset({"ctx", "op", "ops", "id", "attr", "name", "arg", "module", "names", "kind", "type_comment"})
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field for field in kind._fields if field not in _BARE)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
_MOST = 10
"""Values that are kept of a variable: one that is set more often is looked up by the first of them."""
_CLOSED = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Constant, ast.Name})


class OwnNodes:
    """Nodes below ``root``, not those below the functions, lambdas and classes that are defined there.

    ``count`` is their number. Sorted while they are walked: every question is about one kind of them, and the syntax
    trees of a project have a million.
    """

    __slots__ = ("_by_kind", "_definitions", "count")

    def __init__(self, root: ast.AST) -> None:
        by_kind: defaultdict[type, list[Any]] = defaultdict(list)
        stack: list[Any] = [root]
        pop, push = stack.pop, stack.append
        fields, closed = _FIELDS, _CLOSED
        count = 0
        while stack:
            node = pop()
            values = node.__dict__
            for field in fields[type(node)]:
                value = values.get(field)
                if value is None:
                    continue
                kind = type(value)
                if kind is list:
                    for child in value:
                        kind = type(child)
                        if kind in fields:
                            count += 1
                            by_kind[kind].append(child)
                            if kind not in closed:
                                push(child)
                elif kind in fields:
                    count += 1
                    by_kind[kind].append(value)
                    if kind not in closed:
                        push(value)
        self._by_kind = by_kind
        self._definitions: Definitions | None = None
        self.count = count

    def of(self, kind: type[Node]) -> Sequence[Node]:
        """All nodes of exactly this kind."""
        return self._by_kind.get(kind, ())

    def loops(self) -> Iterator[ast.For | ast.AsyncFor]:
        """All loops over something."""
        yield from self.of(ast.For)
        yield from self.of(ast.AsyncFor)

    def lengthenings(self) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
        """Lists in whose place others are put that have more beside them, with what these have more: ``x = x + y``,
        ``self.x = [*self.x, y]``, cut at the same time or not (``x = (x + y)[-n:]``)."""
        for target, value in self.bindings():
            if isinstance(value, _LISTS) and isinstance(target, ast.Name | ast.Attribute):
                parts = list(list_parts(value))
                more = [part for part in parts if not is_same(part, target)]
                if 0 < len(more) < len(parts):
                    yield target, more

    def bindings(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        """Everything that is set to a value, with that value: ``x = y = 1``, ``x: int = 1``, ``(x := 1)``."""
        for node in (*self.of(ast.Assign), *self.of(ast.AnnAssign), *self.of(ast.NamedExpr)):
            yield from bound_by(node)

    def definitions(self) -> Definitions:
        """What each variable is set to, at the first few places."""
        if self._definitions is None:
            found = defaultdict[str, list[ast.expr]](list)
            for name, value in self._set_names():
                if len(found[name]) < _MOST:
                    found[name].append(value)
            self._definitions = dict(found)
        return self._definitions

    def _set_names(self) -> Iterator[tuple[str, ast.expr]]:
        for target, value in self.bindings():
            if isinstance(target, ast.Name):
                yield target.id, value
            elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
                for one, its in zip(target.elts, value.elts, strict=True):
                    if isinstance(one, ast.Name):
                        yield one.id, its


def bound_by(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What one node sets, with the value: nothing for what is no assignment."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value


_LISTS = ast.BinOp | ast.List | ast.Subscript


def list_parts(node: ast.expr) -> Iterator[ast.expr]:
    """The lists and items that a list is put together of, cut or not: ``x`` and ``y`` of ``(x + [*y])[-n:]``."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield from list_parts(node.value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from list_parts(node.left)
        yield from list_parts(node.right)
    elif isinstance(node, ast.List):
        for element in node.elts:
            yield from list_parts(element.value) if isinstance(element, ast.Starred) else (element,)
    else:
        yield node


def is_same(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions are the same name, or the same attribute of the same name."""
    if isinstance(one, ast.Attribute) and isinstance(other, ast.Attribute):
        return one.attr == other.attr and is_same(one.value, other.value)
    return isinstance(one, ast.Name) and isinstance(other, ast.Name) and one.id == other.id
