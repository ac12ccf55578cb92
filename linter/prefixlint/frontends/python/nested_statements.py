"""Statements inside compound statements, expressions left alone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SIMPLE = (ast.Expr, ast.Assign, ast.Return, ast.AnnAssign, ast.AugAssign, ast.Raise, ast.Import, ast.ImportFrom)


def statements_in(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements at any depth."""
    for node in body:
        yield node
        for inner in inner_bodies(node):
            yield from statements_in(inner)


def inner_bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Statement lists inside a compound statement."""
    if isinstance(node, _SIMPLE):
        return
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(node, name, None)
        if inner:
            yield inner
    for handler in getattr(node, "handlers", ()):
        yield handler.body
    for case in getattr(node, "cases", ()):
        yield case.body
