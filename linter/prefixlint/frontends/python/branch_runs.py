"""Runs branches: both sides from the same state, joined behind them; and what is tried, with its handlers."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.frontends.python.conversations import unless_marking
from prefixlint.frontends.python.first_turns import asked_empty, asks_for_first, join_begun, join_turns, sets_flag
from prefixlint.frontends.python.frames import STORED, Frame
from prefixlint.frontends.python.guards import compared, is_main_guard, is_type_checking, system_message
from prefixlint.frontends.python.joining import joins_neighbours
from prefixlint.frontends.python.loops import of_system
from prefixlint.frontends.python.narrowing import parted
from prefixlint.frontends.python.state import join, join_values
from prefixlint.frontends.python.values import Choose, Import, Lib, ListThing, Many, Opaque, Ref, Str
from prefixlint.knowledge.names import meaning
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import literal_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.narrowing import Parted
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
        if truth is None and (is_type_checking(node.test) or joins_neighbours(node)):
            truth = False
        if truth is not None:
            interpreter.statements.run_block(node.body if truth else node.orelse, frame)
            return
        parts = parted(interpreter, node.test, frame)
        self.branch(
            node.test,
            unless_marking(condition, (*node.body, *node.orelse)),
            lambda: self._chosen(node, parts, frame),
            lambda: self._otherwise(node, parts, frame),
            frame,
        )
        if parts is not None:
            parts.leave(interpreter, frame)

    def _chosen(self, node: ast.If, parts: Parted | None, frame: Frame) -> None:
        """Runs the body of a test that holds."""
        with self.holding(node.test, frame):
            if parts is not None:
                parts.enter(self._interpreter, frame, holds=True)
            self._interpreter.statements.run_block(node.body, frame)

    def _otherwise(self, node: ast.If, parts: Parted | None, frame: Frame) -> None:
        """Runs what follows where the test does not hold."""
        if parts is not None:
            parts.enter(self._interpreter, frame, holds=False)
        self._interpreter.statements.run_block(node.orelse, frame)

    @contextmanager
    def holding(self, test: ast.expr, frame: Frame) -> Iterator[None]:
        """While it is entered, ``test`` holds: what it compares with a constant is that, and what it picks as a system
        message of many is no turn of a talk."""
        found = self._known_by(test, frame)
        if found is None or frame.state is None:
            yield
            return
        name, known = found
        before = frame.state.variables.get(name)
        frame.state.variables[name] = known
        frame.stored = frame.stored or name.startswith(STORED)
        yield
        # Behind the branch it is what it was; what the body has set it to stays.
        if frame.state is not None and frame.state.variables.get(name) is known:
            if before is None:
                del frame.state.variables[name]
            else:
                frame.state.variables[name] = before

    def _known_by(self, test: ast.expr, frame: Frame) -> tuple[str, Val] | None:
        """The variable, or the place of something stored, of which a test that holds tells what it is, and that."""
        interpreter = self._interpreter
        variables = frame.state.variables if frame.state is not None else {}
        message = system_message(test, lambda name: _expression(variables.get(name)))
        if isinstance(message, ast.Name):
            item = variables.get(message.id)
            return (
                None if item is None else (message.id, of_system(interpreter.expressions.as_opaque(item, test, frame)))
            )
        if message is not None:
            place = frame.module.places.source(message)
            changed = frame.function.rewritten.values() if frame.function is not None else ()
            if any(frame.module.places.source(node) == place for node, _ in changed if isinstance(node, ast.expr)):
                return None
            item = interpreter.evaluate_quietly(message, frame)
            return (STORED + place, of_system(item)) if isinstance(item, Opaque) else None
        equal = compared(test)
        if equal is None or not isinstance(variables.get(equal[0]), Opaque):
            return None
        return equal[0], interpreter.evaluate(equal[1], frame)

    def branch(
        self, test: ast.expr, condition: Val, left: Callable[[], None], right: Callable[[], None], frame: Frame
    ) -> None:
        """Runs both sides from the same state and joins them."""
        assert frame.state is not None
        outer, guards, beginning = frame.branch, frame.guards, frame.beginning
        choice = self._interpreter.expressions.choice(test, condition, frame)
        frame.branch = choice
        start = frame.state
        first = self._asks_for_first(test, start, frame)
        empty = None if first is not None else self._empty(test, start, frame)
        frame.state, frame.beginning = self._with_empty(start, empty, frame, holds=True), beginning or first is True
        left()
        after_left = frame.state
        frame.state, frame.guards = self._with_empty(start, empty, frame, holds=False), guards
        frame.beginning = beginning or first is False
        right()
        frame.beginning = beginning
        frame.guards = guards if (after_left is None) is (frame.state is None) else (*guards, choice)
        if first is None and after_left is not None:
            first = self._sets_flag(test, start, after_left, frame)
        if first is None:
            frame.state = self._begun(start, after_left, frame.state, empty, choice) or join(
                after_left, frame.state, choice
            )
        else:
            arms = (after_left, frame.state) if first else (frame.state, after_left)
            frame.state = join_turns(start, *arms, choice)
        frame.branch = outer

    def _asks_for_first(self, test: ast.expr, start: State, frame: Frame) -> bool | None:
        """Whether a test holds on the first turn alone (True), on all but the first (False), or neither."""
        interpreter = self._interpreter
        before: Frame | None = None

        def there() -> Frame:
            # Most tests ask for nothing.
            nonlocal before
            before = before or Frame(frame.module, frame.function, start)
            return before

        return asks_for_first(
            test,
            lambda node: interpreter.evaluate_quietly(node, there()),
            lambda value: interpreter.thing(value, there()),
        )

    def _sets_flag(self, test: ast.expr, start: State, after: State, frame: Frame) -> bool | None:
        """As ``_asks_for_first``, by what the side on which the test holds leaves."""
        interpreter = self._interpreter

        def at(state: State) -> Callable[[ast.expr], Val]:
            return lambda node: interpreter.evaluate_quietly(node, Frame(frame.module, frame.function, state))

        return sets_flag(test, at(start), at(after))

    def _empty(self, test: ast.expr, start: State, frame: Frame) -> _Empty | None:
        """A list that a test asks to be empty: one that a loop has filled, or a conversation of which nothing else is
        known. None for anything else."""
        asked = asked_empty(test)
        if asked is None or not isinstance(asked[0], ast.Name) or asked[0].id not in start.variables:
            return None
        name, holds = asked[0].id, asked[1]
        value = start.variables[name]
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Ref) and isinstance(thing, ListThing) and thing.items:
            return _Empty(name, holds, value) if all(isinstance(item, Many) for item in thing.items) else None
        arms = value.values if isinstance(value, Choose) else (value,)
        talk = any(isinstance(arm, Opaque) and (arm.grows or meaning(name).grows) for arm in arms)
        return _Empty(name, holds, None) if talk else None

    def _with_empty(self, start: State, empty: _Empty | None, frame: Frame, *, holds: bool) -> State:
        """A side of a branch as it begins."""
        state = start.fork()
        if empty is not None and empty.holds is holds:
            if empty.ref is None:
                state.variables[empty.name] = state.new(ListThing())
            else:
                state.heap[empty.ref.id] = ListThing()
        return state

    def _begun(
        self, start: State, left: State | None, right: State | None, empty: _Empty | None, choice: Choose
    ) -> State | None:
        """Behind a branch whose one side begins a conversation; None for other branches."""
        if empty is None or empty.ref is not None or left is None or right is None:
            return None
        first, later = (left, right) if empty.holds else (right, left)
        return join_begun(start, first, later, empty.name, choice)

    def on_try(self, node: ast.Try, frame: Frame) -> None:
        interpreter = self._interpreter
        assert frame.state is not None
        start = frame.state
        frame.state = start.fork()
        earlier = len(frame.returns)
        interpreter.statements.run_block(node.body, frame)
        if frame.state is not None:
            interpreter.statements.run_block(node.orelse, frame)
        after = frame.state
        returns = len(frame.returns)
        held: list[State] = []
        for handler in node.handlers:
            frame.state = start.fork()
            if handler.name:
                span = frame.module.places.span(handler.body[0])
                frame.state.variables[handler.name] = Opaque(
                    handler.name, span, Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH
                )
            ended = len(frame.returns)
            interpreter.statements.run_block(handler.body, frame)
            held += [state for _, state, _ in frame.returns[ended:]]
            held += [] if frame.state is None else [frame.state]
            if after is None:
                after = frame.state
            elif frame.state is not None:
                failed = Choose((), "except", frame.module.places.span(handler.body[0]))
                self._fallbacks(after, start, frame.state, failed)
        if after is not None or returns:
            looked_up = all(_may_fail(value) for value, _, _ in frame.returns[earlier:returns])
            given = [one for one in frame.returns[returns:] if looked_up and returns > earlier and _is_text(one[0])]
            frame.returns[max(returns, 1) :] = given[: len(frame.returns) - max(returns, 1)]
        kept = after if after is not None else frame.returns[-1][1] if frame.returns else None
        if kept is not None:
            _keep_texts(held, start, kept)
        frame.state = after
        if frame.state is not None:
            interpreter.statements.run_block(node.finalbody, frame)

    def _fallbacks(self, after: State, start: State, handler: State, failed: Choose) -> None:
        """What a handler gives names instead: ``except ImportError: from own import X`` what the project holds,
        ``except OSError: prompt = PROMPT`` a text for what was looked up."""
        for name, other in handler.variables.items():
            first = after.variables.get(name)
            if _is_text(other) and first is not None and _may_fail(first) and start.variables.get(name) is not other:
                after.variables[name] = join_values(first, other, failed)
            if not isinstance(first, Import) or not isinstance(other, Import) or first == other:
                continue
            if isinstance(self._interpreter.lookup.resolve(first), Lib):
                after.variables[name] = other


@dataclass(frozen=True, slots=True)
class _Empty:
    """A variable whose list is empty on the side of a branch where its test ``holds``, or does not. ``ref`` is None for
    a list of which nothing is known."""

    name: str
    holds: bool
    ref: Ref | None


def _keep_texts(held: Sequence[State], start: State, kept: State) -> None:
    """Texts that handlers alone have made under names of their own: the prompt that asks to mend what failed."""
    for state in held:
        for name, value in state.variables.items():
            if name not in start.variables and name not in kept.variables and _is_text(value):
                kept.variables[name] = value


_LONG_TEXT = 160  # characters: error messages are shorter


def _is_text(value: Val) -> bool:
    """Whether a value is a text as long as prompts are."""
    return isinstance(value, Str) and literal_length(value.segments) >= _LONG_TEXT


def _may_fail(value: Val) -> bool:
    """Whether a value was looked up somewhere: nothing that is made anew for each request."""
    return isinstance(value, Opaque) and not value.lifetime.varies


def _expression(value: Val | None) -> str:
    """What a variable of which only that is known stands for, as it was written; "" for others."""
    return value.expression if isinstance(value, Opaque) else ""
