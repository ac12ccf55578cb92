"""Whether what is added to a list of messages answers it: it comes from a call that was given the list."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_STEPS = 4
"""Assignments between the call and what is added of it: ``r = await run(chat)``, ``new = r.messages``."""


def answers(node: ast.Call, bound_last: Mapping[str, ast.expr]) -> bool:
    """Whether ``chat.extend(new)`` adds what a call gave that was given ``chat``. ``bound_last`` are the variables
    around it, each with what it is bound to."""
    if not isinstance(node.func, ast.Attribute) or not node.args:
        return False
    to, added = ast.dump(node.func.value), node.args[0]
    for _ in range(_STEPS):
        while isinstance(added, ast.Attribute | ast.Subscript | ast.Await):
            added = added.value
        if isinstance(added, ast.Call):
            arguments = (*added.args, *(keyword.value for keyword in added.keywords))
            return any(ast.dump(argument) == to for argument in arguments)
        bound = bound_last.get(added.id) if isinstance(added, ast.Name) else None
        if bound is None:
            return False
        added = bound
    return False
