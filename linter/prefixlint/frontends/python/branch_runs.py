"""Runs branches: both sides from the same state, joined behind them; and what is tried, with its handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.first_turns import asks_for_first, join_turns, sets_flag
from prefixlint.frontends.python.frames import Frame
from prefixlint.frontends.python.guards import is_main_guard, is_type_checking, system_message
from prefixlint.frontends.python.loops import of_system
from prefixlint.frontends.python.state import join
from prefixlint.frontends.python.values import Import, Lib, Opaque
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.state import State
    from prefixlint.frontends.python.values import Val


class BranchRuns:
    """Runs ``if`` and ``try`` statements."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def on_if(self, node: ast.If, frame: Frame) -> None:
        interpreter = self._interpreter
        condition = interpreter.evaluate(node.test, frame)
        truth = interpreter.expressions.truth(condition, frame)
        if truth is None and is_main_guard(node.test):
            if interpreter.as_script:
                # A script is started anew for each thing it is asked.
                frame.moment = Lifetime.REQUEST
                covered, trying = set(interpreter.ledger.covered), interpreter.trying
                interpreter.trying = True
                try:
                    interpreter.statements.run_block(node.body, frame)
                finally:
                    # A module is tried out there too: what its functions are given says nothing of other callers.
                    interpreter.trying = trying
                    interpreter.ledger.covered = covered
            return
        if truth is None and is_type_checking(node.test):
            truth = False
        if truth is not None:
            interpreter.statements.run_block(node.body if truth else node.orelse, frame)
            return
        self.branch(
            node.test,
            condition,
            lambda: self._chosen(node, frame),
            lambda: interpreter.statements.run_block(node.orelse, frame),
            frame,
        )

    def _chosen(self, node: ast.If, frame: Frame) -> None:
        """Runs the body of a test that holds; what it picks as a system message of many is no turn of a talk."""
        interpreter = self._interpreter
        variables = frame.state.variables if frame.state is not None else {}
        name = system_message(node.test, lambda name: _expression(variables.get(name)))
        item = variables.get(name)
        if item is None or frame.state is None:
            interpreter.statements.run_block(node.body, frame)
            return
        frame.state.variables[name] = of_system(interpreter.expressions.as_opaque(item, node.test, frame))
        interpreter.statements.run_block(node.body, frame)
        if frame.state is not None:
            frame.state.variables[name] = item

    def branch(
        self, test: ast.expr, condition: Val, left: Callable[[], None], right: Callable[[], None], frame: Frame
    ) -> None:
        """Runs both sides from the same state and joins them."""
        assert frame.state is not None
        outer, guards = frame.branch, frame.guards
        choice = self._interpreter.expressions.choice(test, condition, frame)
        frame.branch = choice
        start = frame.state
        frame.state = start.fork()
        left()
        after_left = frame.state
        frame.state, frame.guards = start.fork(), guards
        right()
        frame.guards = guards if (after_left is None) is (frame.state is None) else (*guards, choice)
        first = self._first_turn(test, start, after_left, frame)
        if first is None:
            frame.state = join(after_left, frame.state, choice)
        else:
            arms = (after_left, frame.state) if first else (frame.state, after_left)
            frame.state = join_turns(start, *arms, choice)
        frame.branch = outer

    def _first_turn(self, test: ast.expr, start: State, after: State | None, frame: Frame) -> bool | None:
        """Whether a test holds on the first turn alone (True), on all but the first (False), or neither."""
        interpreter = self._interpreter
        before = Frame(frame.module, frame.function, start)
        first = asks_for_first(
            test,
            lambda node: interpreter.evaluate_quietly(node, before),
            lambda value: interpreter.thing(value, before),
        )
        if first is not None or after is None:
            return first
        behind = Frame(frame.module, frame.function, after)
        return sets_flag(
            test,
            lambda node: interpreter.evaluate_quietly(node, before),
            lambda node: interpreter.evaluate_quietly(node, behind),
        )

    def on_try(self, node: ast.Try, frame: Frame) -> None:
        interpreter = self._interpreter
        assert frame.state is not None
        start = frame.state
        frame.state = start.fork()
        interpreter.statements.run_block(node.body, frame)
        if frame.state is not None:
            interpreter.statements.run_block(node.orelse, frame)
        after = frame.state
        returns = len(frame.returns)
        for handler in node.handlers:
            frame.state = start.fork()
            if handler.name:
                span = frame.module.places.span(handler.body[0])
                frame.state.variables[handler.name] = Opaque(
                    handler.name, span, Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH
                )
            interpreter.statements.run_block(handler.body, frame)
            if after is None:
                after = frame.state
            elif frame.state is not None:
                self._fallback_imports(after, frame.state)
        if after is not None or returns:
            del frame.returns[max(returns, 1) :]
        frame.state = after
        if frame.state is not None:
            interpreter.statements.run_block(node.finalbody, frame)

    def _fallback_imports(self, after: State, handler: State) -> None:
        """``try: from fast import X`` / ``except ImportError: from own import X``: the one that the project holds."""
        for name, other in handler.variables.items():
            first = after.variables.get(name)
            if not isinstance(first, Import) or not isinstance(other, Import) or first == other:
                continue
            if isinstance(self._interpreter.lookup.resolve(first), Lib):
                after.variables[name] = other


def _expression(value: Val | None) -> str:
    """What a variable of which only that is known stands for, as it was written; "" for others."""
    return value.expression if isinstance(value, Opaque) else ""
