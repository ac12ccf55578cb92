"""Operators and conditional expressions."""

from __future__ import annotations

import ast
import posixpath
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.comprehensions import Comprehensions
from prefixlint.frontends.python.state import join_values
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Const,
    DictThing,
    ListThing,
    Opaque,
    PathText,
    PromptThing,
    Str,
)
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.values import Val


_SHORT_TEXT = 40


class Operators(Comprehensions):
    """Evaluation of operators."""

    def _on_BinOp(self, node: ast.BinOp, frame: Frame) -> Val:
        left = self.evaluate(node.left, frame)
        right = self.evaluate(node.right, frame)
        return self.operate(node.op, left, right, node.left, node.right, frame, node)

    def operate(
        self,
        operator: ast.operator,
        left: Val,
        right: Val,
        left_node: ast.expr,
        right_node: ast.expr,
        frame: Frame,
        node: ast.expr | None = None,
    ) -> Val:
        """A binary operation: ``+`` and ``%`` build strings, ``+`` joins lists, ``|`` merges and chains."""
        whole = node or right_node
        thing_left, thing_right = self._interpreter.thing(left, frame), self._interpreter.thing(right, frame)
        if isinstance(operator, ast.Add):
            if isinstance(thing_left, ListThing) or isinstance(thing_right, ListThing):
                return self._interpreter.calls.methods.concatenated(left, right, frame)
            if isinstance(left, PathText) and isinstance(right, Str):
                tail = strings.constant_text(right.segments)
                return PathText(left.path + tail) if tail is not None else self.derived(whole, [right], frame)
            if self._stringy(left) or self._stringy(right):
                return self.bounded(
                    strings.concat(self.segments(left, left_node, frame), self.segments(right, right_node, frame)),
                    whole,
                    frame,
                )
        if isinstance(operator, ast.Mod) and isinstance(left, Str):
            return self._interpreter.calls.methods.percent(left, right, right_node, frame)
        if (
            isinstance(operator, ast.Mult)
            and isinstance(left, Str)
            and isinstance(right, Const)
            and isinstance(right.value, int)
        ):
            text = strings.constant_text(left.segments)
            if text is not None and len(text) * right.value <= 10_000:
                return Str((Text(text * right.value, frame.module.places.span(whole)),) if text * right.value else ())
        if isinstance(operator, ast.Div) and isinstance(left, PathText):
            tail = strings.constant_text(right.segments) if isinstance(right, Str) else None
            return (
                PathText(posixpath.join(left.path, tail)) if tail is not None else self.derived(whole, [right], frame)
            )
        if (
            isinstance(operator, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor)
            and isinstance(thing_left, ListThing)
            and isinstance(thing_right, ListThing)
            and "set" in (thing_left.kind, thing_right.kind)
            and frame.state is not None
        ):
            items = thing_left.items if isinstance(operator, ast.Sub) else (*thing_left.items, *thing_right.items)
            return frame.state.new(self.as_set(ListThing(items), whole, frame))
        if isinstance(operator, ast.BitOr):
            if isinstance(thing_left, PromptThing):
                return left
            if isinstance(thing_left, DictThing) and isinstance(thing_right, DictThing):
                return self._interpreter.calls.methods.merged(thing_left, thing_right, frame)
        if isinstance(operator, ast.FloorDiv) and isinstance(left, Opaque) and left.origin.kind is SourceKind.CLOCK:
            seconds = right.value if isinstance(right, Const) and isinstance(right.value, int) else 0
            if seconds >= 3600:
                return self.clock(left, Lifetime.DAY if seconds >= 86_400 else Lifetime.HOUR, frame)
        if isinstance(left, Const) and isinstance(right, Const):
            return _arithmetic(operator, left.value, right.value)
        return self.derived(whole, [left, right], frame)

    def _stringy(self, value: Val) -> bool:
        return isinstance(value, Str) or (isinstance(value, Choose) and any(isinstance(v, Str) for v in value.values))

    def _on_BoolOp(self, node: ast.BoolOp, frame: Frame) -> Val:
        values: list[Val] = []
        stop_at = isinstance(node.op, ast.Or)
        for part in node.values:
            value = self.evaluate(part, frame)
            truth = self.truth(value, frame)
            if truth is not None and truth is not stop_at and part is not node.values[-1]:
                continue
            values.append(value)
            if truth is stop_at:
                break
        result = values[0]
        if isinstance(node.op, ast.And) and len(values) > 1:
            return values[-1] if all(isinstance(v, Opaque) for v in values[:-1]) else self.derived(node, values, frame)
        for value in values[1:]:
            if isinstance(result, Opaque) and (value == NONE or _is_short(value)):
                continue
            choose = self.choice(node.values[0], result, frame)
            result = join_values(result, value, choose)
        return result

    def _on_IfExp(self, node: ast.IfExp, frame: Frame) -> Val:
        condition = self.evaluate(node.test, frame)
        truth = self.truth(condition, frame)
        if truth is not None:
            return self.evaluate(node.body if truth else node.orelse, frame)
        left, right = self.evaluate(node.body, frame), self.evaluate(node.orelse, frame)
        return join_values(left, right, self.choice(node.test, condition, frame))

    def _on_Compare(self, node: ast.Compare, frame: Frame) -> Val:
        return self.derived(node, [self.evaluate(part, frame) for part in (node.left, *node.comparators)], frame)

    def _on_UnaryOp(self, node: ast.UnaryOp, frame: Frame) -> Val:
        value = self.evaluate(node.operand, frame)
        truth = self.truth(value, frame)
        if isinstance(node.op, ast.Not) and truth is not None:
            return Const(not truth)
        if isinstance(node.op, ast.USub) and isinstance(value, Const) and isinstance(value.value, int | float):
            return Const(-value.value)
        return self.derived(node, [value], frame)


def _is_short(value: Val) -> bool:
    """Whether a value is a short fixed text, such as what stands in for a missing value."""
    text = strings.constant_text(value.segments) if isinstance(value, Str) else None
    return text is not None and len(text) < _SHORT_TEXT


def _arithmetic(operator: ast.operator, left: object, right: object) -> Const:
    if isinstance(left, int) and isinstance(right, int) and abs(left) < 10**9 and abs(right) < 10**9:
        if isinstance(operator, ast.Add):
            return Const(left + right)
        if isinstance(operator, ast.Sub):
            return Const(left - right)
        if isinstance(operator, ast.Mult):
            return Const(left * right)
    return Const(0)
