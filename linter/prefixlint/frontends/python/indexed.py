"""Loops over the places of a list: ``for i in range(start, len(m))`` runs over the messages ``m`` from ``start`` on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.conversations import holds_conversation, moving_start, tail, window

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Opaque


def run_by_places(interpreter: Interpreter, node: ast.expr, frame: Frame) -> Opaque | None:
    """What a loop over ``node`` runs over, taken as one value, where that is a list by its places; else None.

    Of a conversation whose first places are left out it is the end.
    """
    found = _listed(node)
    if found is None:
        return None
    listed, start = found
    expressions = interpreter.expressions
    value = interpreter.evaluate_quietly(listed, frame)
    whole = expressions.as_opaque(value, listed, frame)
    kept = None
    if start is not None:
        kept = moving_start(ast.Slice(lower=start), interpreter.evaluate_quietly(start, frame), frame)
    if kept is None:
        return whole
    if whole.grows or holds_conversation(value, interpreter.thing(value, frame)):
        return window(whole, node, kept, frame)
    return tail(whole, node, kept, frame)


def _listed(node: ast.expr) -> tuple[ast.expr, ast.expr | None] | None:
    """``messages`` and ``start`` of ``range(start, len(messages))``; no start where it is left out.

    In steps too, as of messages in pairs, and without the last places that would leave one of them alone.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "range":
        return None
    if not 1 <= len(node.args) <= 3 or node.keywords or not all(_is_number(step) for step in node.args[2:]):
        return None
    start, stop = (None, node.args[0]) if len(node.args) == 1 else (node.args[0], node.args[1])
    if isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Sub) and _is_number(stop.right):
        stop = stop.left
    if isinstance(stop, ast.Call) and isinstance(stop.func, ast.Name) and stop.func.id == "len" and len(stop.args) == 1:
        return stop.args[0], start
    return None


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int
