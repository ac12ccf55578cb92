"""Attributes that an object is given behind ``__init__``, by a method that sets it up (``load``, ``connect``): prompt
templates and fixed texts, where one expression says what they are."""

from __future__ import annotations

import ast
from contextlib import suppress
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import Frame, OutOfSteps
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.values import NONE, PromptThing, Str
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text, walk

if TYPE_CHECKING:
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo
    from prefixlint.frontends.python.values import Val


class SetUp:
    """Finds them, each once for its class."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._known: dict[tuple[int, str], Val | None] = {}

    def learn(self, other: SetUp) -> None:
        """Takes over what another one has found."""
        self._known = dict(other._known)

    def value(self, info: ClassInfo, name: str) -> Val | None:
        """The text or template that the only method which assigns ``self.name`` gives it; None for anything else."""
        trace = self._interpreter.project.trace
        question = ("set up", *info.place, name)
        key = id(info), name
        if key not in self._known:
            self._known[key] = None
            with trace.making(question):
                self._known[key] = self._found(info, name)
        trace.note(question)
        return self._known[key]

    def _found(self, info: ClassInfo, name: str) -> Val | None:
        lookup = self._interpreter.lookup
        given = [one for current in lookup.ancestry(info) for one in current.given_later(name)]
        if len(given) != 1:
            return None
        method, expression = given[0]
        method.looked_into()
        if not _stands_alone(method, expression):
            return None
        frame = Frame(method.module, method, State({}), moment=Lifetime.SESSION, stack=(method,))
        assert frame.state is not None
        frame.state.variables[method.positional[0]] = lookup.instance(info, frame)
        value: Val = NONE
        with self._interpreter.apart(0), suppress(OutOfSteps):
            value = self._interpreter.evaluate_quietly(expression, frame)
        if isinstance(value, Str):
            varies = any(not isinstance(part, Text) and part.lifetime.varies for part in walk(value.segments))
            return None if varies else value
        if not isinstance(self._interpreter.thing(value, frame), PromptThing):
            return None
        lookup.base_heap.update(frame.state.heap)
        return value


def _stands_alone(method: FunctionInfo, expression: ast.expr) -> bool:
    """Whether an expression says without the method around it what it gives: it names none of its variables."""
    if not method.positional or "staticmethod" in method.decorators:
        return False
    bound = {node.id for node in method.own_nodes.of(ast.Name) if not isinstance(node.ctx, ast.Load)}
    bound.update(list(method.defaults)[1:])
    return bound.isdisjoint(node.id for node in ast.walk(expression) if isinstance(node, ast.Name))
