"""What a function finds around it that is defined in another one: the variables of that one.

Routes, tools and callbacks are often defined in the function that sets an application up. Nothing in the code calls
them, so they are run by themselves; what they read of the variables around them is what that function leaves there.
"""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import Frame, OutOfSteps
from prefixlint.frontends.python.lifting import lifted
from prefixlint.frontends.python.modules import defined_in
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.syntax import adds
from prefixlint.frontends.python.values import ListThing, Method, Ref, Splat
from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Val

    _Known = dict[tuple[FunctionInfo, bool, bool], Mapping[str, Val]]


class Enclosing:
    """Gives functions that are run by themselves the variables around them; each function around is run once."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._known: _Known = {}

    def learn(self, other: Enclosing) -> None:
        """Takes over what another one has found."""
        self._known = dict(other._known)

    def variables(self, info: FunctionInfo) -> Mapping[str, Val]:
        """Variables of the functions around ``info``; none where it is no function's own, or reads none of them."""
        outer = info.module.enclosing.get(info)
        read = frozenset() if outer is None else _read(info) & _bound(outer)
        if outer is None or not read:
            return {}
        trace = self._interpreter.project.trace
        trace.note(("handler", *info.place))
        # What a framework calls finds what was there when the application was set up.
        kept = self._interpreter.handlers.of(info) is not None
        if not kept and _is_bound(outer):
            # With the object, all that its methods lead to would be followed once more.
            read -= {next(iter(outer.positional), "")}
            if not read:
                return {}
        run = not read.issubset(outer.all_parameters)
        key, question = (outer, kept, run), ("around", *outer.place, kept, run)
        if key not in self._known:
            self._known[key] = {}
            with trace.making(question):
                self._known[key] = self._after(outer, kept, run)
        trace.note(question)
        return self._known[key]

    def _after(self, outer: FunctionInfo, kept: bool, run: bool) -> Mapping[str, Val]:
        """Variables of a function, behind its body where that is ``run``."""
        interpreter = self._interpreter
        moment = Lifetime.PROCESS if kept else Lifetime.REQUEST
        frame = Frame(outer.module, outer, State({}), moment, stack=(outer,), closure=self.variables(outer))
        assert frame.state is not None
        owner = None
        with interpreter.silence(), interpreter.apart(0), suppress(OutOfSteps):
            if outer.owner is not None and _is_bound(outer) and (run or kept):
                owner = interpreter.lookup.instance(outer.owner, frame)
            if run:
                interpreter.run_root(outer, frame, owner)
            else:
                interpreter.open_parameters(outer, frame, owner)
        if frame.state is None:
            return frame.closure
        grown = _added_to(outer)
        for name, value in frame.state.variables.items():
            thing = frame.state.heap.get(value.id) if isinstance(value, Ref) else None
            if isinstance(value, Ref) and isinstance(thing, ListThing) and name in grown:
                # As later calls find it: with what earlier ones have put in.
                earlier = Splat(named(name, name, outer.module.places.span(grown[name])))
                frame.state.heap[value.id] = replace(thing, items=(*thing.items, earlier))
        interpreter.lookup.base_heap.update(frame.state.heap)
        variables = frame.state.variables
        if not kept and _is_bound(outer):
            variables.pop(next(iter(outer.positional), ""), None)
        if kept:
            made = {node.id: node for node in outer.own_nodes.of(ast.Name) if isinstance(node.ctx, ast.Store)}
            for name, value in variables.items():
                if isinstance(value, Method) and name in made:
                    read = interpreter.expressions.attribute_value(value, made[name], frame)
                    value = read if read.lifetime.varies else value
                variables[name] = lifted(value, Lifetime.PROCESS)
        return {**frame.closure, **variables}


def _is_bound(info: FunctionInfo) -> bool:
    """Whether a function is a method that is bound to its object."""
    return info.owner is not None and "staticmethod" not in info.decorators


def _read(info: FunctionInfo) -> frozenset[str]:
    """Names that a function reads, those of what is defined in it included."""
    names = (node for node in ast.walk(info.node) if isinstance(node, ast.Name))
    return frozenset(node.id for node in names if isinstance(node.ctx, ast.Load))


def _bound(info: FunctionInfo) -> frozenset[str]:
    """Parameters of a function, and the names that it binds."""
    return frozenset({*info.all_parameters, *_assigned(info)})


def _assigned(info: FunctionInfo) -> Iterator[str]:
    nodes = info.own_nodes
    yield from (node.id for node in nodes.of(ast.Name) if isinstance(node.ctx, ast.Store))
    yield from (node.name for node in nodes.of(ast.FunctionDef))
    yield from (node.name for node in nodes.of(ast.AsyncFunctionDef))
    aliases = [alias for node in nodes.of(ast.Import) for alias in node.names]
    aliases += [alias for node in nodes.of(ast.ImportFrom) for alias in node.names]
    yield from (alias.asname or alias.name.partition(".")[0] for alias in aliases)


def _added_to(outer: FunctionInfo) -> dict[str, ast.expr]:
    """Names that functions defined in this one append to, each with the place where one does."""
    out: dict[str, ast.expr] = {}
    for node in defined_in(outer.own_nodes):
        inner = outer.module.function_defined_by(node)
        if inner is not None:
            for call in inner.own_nodes.of(ast.Call):
                if adds(call.func) and isinstance(call.func.value, ast.Name):
                    out.setdefault(call.func.value.id, call.func.value)
    return out
