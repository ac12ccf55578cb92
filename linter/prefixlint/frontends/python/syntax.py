"""What single syntax nodes say by themselves."""

from __future__ import annotations

import ast
from typing import TypeGuard

ADDS = frozenset({"append", "extend", "insert", "appendleft"})
"""Methods that add to a list."""


def last_name(node: ast.expr) -> str:
    """``prompt`` of ``prompt`` and of ``self.prompt``; "" for other expressions."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def is_zero(node: ast.expr | None) -> bool:
    """Whether an expression is a written 0."""
    return isinstance(node, ast.Constant) and node.value == 0 and type(node.value) is int


def is_last(node: ast.expr) -> bool:
    """Whether an index is -1."""
    if not isinstance(node, ast.UnaryOp) or not isinstance(node.op, ast.USub):
        return False
    return isinstance(node.operand, ast.Constant) and node.operand.value == 1


def can_be_set(target: ast.expr) -> bool:
    """Whether an expression is a place that can be given another value: a name, an attribute, an item by a fixed
    key."""
    if isinstance(target, ast.Subscript):
        return isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str)
    return isinstance(target, ast.Name | ast.Attribute)


def is_none(node: ast.expr | None) -> bool:
    """Whether an expression is a written ``None``."""
    return isinstance(node, ast.Constant) and node.value is None


def adds(called: ast.expr) -> TypeGuard[ast.Attribute]:
    """Whether what is called is a method that adds to a list."""
    return isinstance(called, ast.Attribute) and called.attr in ADDS


def is_own(target: ast.expr | None) -> TypeGuard[ast.Attribute]:
    """Whether an expression is an attribute of ``self``."""
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
