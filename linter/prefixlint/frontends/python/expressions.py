"""Evaluates expressions to abstract values.

By job: ``judging`` (what is known of a whole value), ``formatting`` (strings), ``comprehensions`` (displays and joins),
``operators``, ``access`` (names, attributes, items); here the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.access import Access
from prefixlint.frontends.python.operators import Operators
from prefixlint.frontends.python.values import Lambda

if TYPE_CHECKING:
    import ast

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.values import Val


class Expressions(Access, Operators):
    """Evaluation of expressions; calls are left to ``Calls``."""

    def _on_NamedExpr(self, node: ast.NamedExpr, frame: Frame) -> Val:
        value = self.evaluate(node.value, frame)
        self._interpreter.assignments.assign(node.target, value, frame)
        return value

    def _on_Await(self, node: ast.Await, frame: Frame) -> Val:
        return self.evaluate(node.value, frame)

    def _on_Starred(self, node: ast.Starred, frame: Frame) -> Val:
        return self.evaluate(node.value, frame)

    def _on_Lambda(self, node: ast.Lambda, frame: Frame) -> Val:
        variables = {} if frame.state is None else frame.state.variables
        return Lambda(node, frame.module, {**frame.closure, **variables})

    def _on_Yield(self, node: ast.Yield, frame: Frame) -> Val:
        if node.value is not None:
            self._interpreter.yielded(self.evaluate(node.value, frame), frame)
        return self.opaque(node, frame)

    def _on_YieldFrom(self, node: ast.YieldFrom, frame: Frame) -> Val:
        given = self.iterated(self.evaluate(node.value, frame), node.value, frame)
        for item in self.items_of(given, frame, node.value):
            self._interpreter.yielded(item, frame)
        return self.opaque(node, frame)

    def _on_Call(self, node: ast.Call, frame: Frame) -> Val:
        return self._interpreter.calls.call(node, frame)
