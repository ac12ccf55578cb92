"""Runs ``with`` statements: what their managers do before the body, and behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import NONE

if TYPE_CHECKING:
    import ast

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.state import State
    from prefixlint.frontends.python.values import Val

    With = ast.With | ast.AsyncWith


def run_with(interpreter: Interpreter, node: With, frame: Frame, at: int = 0) -> None:
    """Enters the managers from that one on, runs the body, and leaves them.

    The body runs where a manager written as a generator yields, so what that does afterwards comes behind it.
    """
    if frame.state is None:
        return
    if at == len(node.items):
        interpreter.statements.run_block(node.body, frame)
        return
    item = node.items[at]
    done = False

    def inside(value: Val, state: State | None) -> None:
        nonlocal done
        if done or frame.state is None:
            return
        done = True
        if state is not None:
            frame.state.heap = state.heap
        if item.optional_vars is not None:
            interpreter.assignments.assign(item.optional_vars, value, frame)
        run_with(interpreter, node, frame, at + 1)
        if state is not None and frame.state is not None:
            state.heap = frame.state.heap

    outer, frame.entering, printed_to = frame.entering, inside, frame.printed_to
    value = interpreter.evaluate(item.context_expr, frame)
    frame.entering = outer
    if done:
        return
    lookup, call = interpreter.lookup, interpreter.calls.functions.call
    enter, leave = (lookup.method_of(value, name, frame) for name in ("__enter__", "__exit__"))
    if enter is not None:
        value = call(enter, [], {}, item.context_expr, frame)
    inside(value, None)
    frame.printed_to = printed_to
    if leave is not None:
        call(leave, [NONE, NONE, NONE], {}, item.context_expr, frame)
