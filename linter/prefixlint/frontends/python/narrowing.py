"""What a test of a value's type leaves of it: ``isinstance(content, str)`` where that may be a text or a list."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import Choose

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val


@dataclass(frozen=True, slots=True)
class Parted:
    """A place whose value may be one of several: what it is where a test ``holds``, and where it ``fails``."""

    place: ast.expr
    whole: Choose
    holds: Val
    fails: Val

    def enter(self, interpreter: Interpreter, frame: Frame, *, holds: bool) -> None:
        """Leaves at the place what one side of the branch finds there."""
        interpreter.assignments.assign(self.place, self.holds if holds else self.fails, frame, passing=True)

    def leave(self, interpreter: Interpreter, frame: Frame) -> None:
        """Behind both sides it is what it was, where neither has set it to something else."""
        if frame.state is None:
            return
        now = interpreter.evaluate_quietly(self.place, frame)
        if isinstance(now, Choose) and set(now.values) == set(self.whole.values):
            interpreter.assignments.assign(self.place, self.whole, frame, passing=True)


def parted(interpreter: Interpreter, test: ast.expr, frame: Frame) -> Parted | None:
    """How a test of a value's type parts it; None for other tests, and where each side may find all of it."""
    turned = False
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, turned = test.operand, not turned
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance"):
        return None
    if len(test.args) != 2 or not isinstance(test.args[0], ast.Name | ast.Attribute | ast.Subscript):
        return None
    whole = interpreter.evaluate_quietly(test.args[0], frame)
    if not isinstance(whole, Choose):
        return None
    kind = interpreter.evaluate_quietly(test.args[1], frame)
    told = [(arm, interpreter.lookup.is_instance(arm, kind, frame)) for arm in whole.values]
    holds, fails = (tuple(arm for arm, known in told if known is not answer) for answer in (False, True))
    if not holds or not fails or len(holds) == len(fails) == len(told):
        return None
    left, right = (arms[0] if len(arms) == 1 else replace(whole, values=arms) for arms in (holds, fails))
    return Parted(test.args[0], whole, *((right, left) if turned else (left, right)))
