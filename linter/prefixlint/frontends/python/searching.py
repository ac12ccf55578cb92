"""Loops that look for the place from which on a conversation fits: they cut it there on trial, and measure the rest.

``while low <= high: mid = …; if count(history[mid:]) < limit: best = mid …``, then ``history[best:]``. Where that
place is depends on how much there is, so it moves with each turn.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.own_nodes import OwnNodes
from prefixlint.frontends.python.remembered import once
from prefixlint.frontends.python.syntax import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.modules import FunctionInfo

_Search = tuple[str, frozenset[str]]
"""The last name of a list, and the names that hold places of it which a loop tries."""
_ORDERS = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def is_searched(node: ast.Subscript, frame: Frame) -> bool:
    """Whether a slice starts where a loop of its function has found that the rest fits, or is one that it tries."""
    cut = node.slice
    if frame.function is None or not isinstance(cut, ast.Slice) or cut.lower is None or cut.upper is not None:
        return False
    if cut.step is not None or isinstance(cut.lower, ast.Constant):
        return False
    names = _names(cut.lower)
    found = _searched(frame.function)
    return any(listed == last_name(node.value) and not places.isdisjoint(names) for listed, places in found)


@once
def _searched(info: FunctionInfo) -> tuple[_Search, ...]:
    return tuple(_searches(info))


def _searches(info: FunctionInfo) -> Iterator[_Search]:
    for kind in (ast.While, ast.For):
        for loop in info.own_nodes.of(kind):
            nodes = OwnNodes(loop)
            bindings = [(target.id, value) for target, value in nodes.bindings() if isinstance(target, ast.Name)]
            bound = {name for name, _ in bindings} | (_names(loop.target) if isinstance(loop, ast.For) else set())
            for trial in nodes.of(ast.Subscript):
                cut = trial.slice
                if not isinstance(cut, ast.Slice) or cut.lower is None or cut.upper is not None:
                    continue
                tried = _names(cut.lower) & bound
                if tried and _is_measured(trial, bindings, nodes):
                    places = tried | {name for name, value in bindings if _names(value) & tried}
                    yield last_name(trial.value), frozenset(places)


def _is_measured(trial: ast.Subscript, bindings: list[tuple[str, ast.expr]], nodes: OwnNodes) -> bool:
    """Whether a loop compares with a limit what it makes of a slice."""
    made: set[str] = set()
    for _ in range(_STEPS):
        more = {name for name, value in bindings if _holds(value, trial, made)} - made
        if not more:
            break
        made |= more
    return any(
        isinstance(operator, _ORDERS) and any(_holds(side, trial, made) for side in (test.left, *test.comparators))
        for test in nodes.of(ast.Compare)
        for operator in test.ops
    )


_STEPS = 4
"""From the slice to what is compared: the slice, the text made of it, its tokens, what is left of the budget."""


def _holds(value: ast.expr, trial: ast.Subscript, made: set[str]) -> bool:
    return any(node is trial or (isinstance(node, ast.Name) and node.id in made) for node in ast.walk(value))


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
