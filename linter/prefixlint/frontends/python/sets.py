"""What sets of known constants have in common, and what not."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.matching import same
from prefixlint.frontends.python.values import is_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prefixlint.frontends.python.values import Item, Val

OPERATIONS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)
"""Operators that make a set of two."""

NAMED: Mapping[str, type[ast.operator]] = {
    "union": ast.BitOr,
    "intersection": ast.BitAnd,
    "difference": ast.Sub,
    "symmetric_difference": ast.BitXor,
}
"""The same as methods."""

KINDS = ("set", "frozenset")
"""The kinds of lists that are sets."""


def operated(operator: type[ast.operator], left: tuple[Item, ...], right: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items of ``left & right`` and its like: exactly these where all are known, else all that it may hold."""
    inside = _among(left, right)
    outside = [] if operator is ast.BitAnd else _among(right, left)
    if inside is None or outside is None:
        return left if operator is ast.Sub else (*left, *right)
    if operator is ast.BitAnd:
        return tuple(item for item, both in inside if both)
    kept = tuple(item for item, both in inside if not both or operator is ast.BitOr)
    return kept if operator is ast.Sub else (*kept, *(item for item, both in outside if not both))


def _among(items: Iterable[Item], others: tuple[Item, ...]) -> list[tuple[Val, bool]] | None:
    """Each item, and whether it is among the others; None where that is not known of one."""
    out: list[tuple[Val, bool]] = []
    for item in items:
        if is_run(item) or any(is_run(other) for other in others):
            return None
        found = [same(item, other) for other in others if not is_run(other)]
        if True not in found and None in found:
            return None
        out.append((item, True in found))
    return out
