"""Assignments that put a conversation back without some of its messages: ``messages = messages[2:]``,
``messages = [messages[0]] + messages[2:]``, ``messages = [m for m in messages if m.turn != oldest]``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.conversations import cut_at, dropped_front, is_measured, shortened
from prefixlint.frontends.python.shortening import filters, slice_behind
from prefixlint.frontends.python.values import Opaque
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val

PUT_BACK = (ast.Subscript, ast.BinOp, ast.List, ast.ListComp)
"""What puts a list back that loses messages so."""


def left_out(interpreter: Interpreter, target: ast.expr, node: ast.expr, value: Val, frame: Frame) -> Val:
    """What is assigned to ``target``, which ``node`` gave: a conversation that has lost its front, where it has."""
    drift = _drift(interpreter, target, node, frame)
    if drift is None or (isinstance(value, Opaque) and not value.grows):
        return value
    return shortened(value, interpreter.thing(value, frame), drift, frame) or value


def _drift(interpreter: Interpreter, target: ast.expr, node: ast.expr, frame: Frame) -> Drift | None:
    if isinstance(node, ast.ListComp):
        source = frame.module.places.source
        put_back = filters(node) and source(node.generators[0].iter) == source(target)
        return Drift("window", *cut_at(node, frame)) if put_back and is_measured(frame) else None
    rest = slice_behind(node)
    if rest is None or not isinstance(rest.slice, ast.Slice) or rest.slice.lower is None:
        return None
    cut, places = rest.slice, frame.module.places
    if cut.upper is not None or places.source(target) != places.source(rest.value):
        return None
    if rest is node and _is_system(rest.value, frame):
        return None
    taken = ast.copy_location(ast.Slice(None, cut.lower, cut.step), cut)
    return dropped_front(rest.value, taken, rest, lambda part: interpreter.evaluate(part, frame), frame)


def _is_system(messages: ast.expr, frame: Frame) -> bool:
    """Whether the branch has found the first message to be the system's, which is then sent elsewhere:
    ``if messages[0]["role"] == "system": system, messages = messages[0], messages[1:]``."""
    asked = "" if frame.branch is None else frame.branch.expression
    first = f"{frame.module.places.source(messages)}[0]"
    return first in asked and "!=" not in asked and any(f"{quote}system{quote}" in asked for quote in "'\"")
