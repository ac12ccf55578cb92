"""Whether what is added to a list of messages answers it: it comes from a call that was given the list."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prefixlint.frontends.python.own_nodes import OwnNodes

_STEPS = 4
"""Assignments between the call and what is added of it: ``r = await run(chat)``, ``new = r.messages``."""


def answers(node: ast.Call, nodes: OwnNodes) -> bool:
    """Whether ``chat.extend(new)``, in a function of these nodes, adds what a call gave that was given ``chat``."""
    if not isinstance(node.func, ast.Attribute) or not node.args:
        return False
    to, added = ast.dump(node.func.value), node.args[0]
    for _ in range(_STEPS):
        while isinstance(added, ast.Attribute | ast.Subscript | ast.Await):
            added = added.value
        if isinstance(added, ast.Call):
            arguments = (*added.args, *(keyword.value for keyword in added.keywords))
            return any(ast.dump(argument) == to for argument in arguments)
        bound = _bound_to(added.id, nodes) if isinstance(added, ast.Name) else None
        if bound is None:
            return False
        added = bound
    return False


def _bound_to(name: str, nodes: OwnNodes) -> ast.expr | None:
    """What a name is bound to where it is bound last, alone or as one of several."""
    found = None
    for statement in sorted(nodes.of(ast.Assign), key=lambda assign: assign.lineno):
        names = [part.id for target in statement.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        if name in names:
            found = statement.value
    return found
