"""Messages at an end of a conversation that came from elsewhere, and that code changes there:
``messages[0]["content"] += …``, ``system = next(m for m in messages if m["role"] == "system")``,
``messages[-1]["content"] += …``.

Of such a conversation only its lists are known. Where its first or its last message is changed, it becomes one of its
own in front of the others or behind them, so that the change is seen.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import is_last, is_zero
from prefixlint.frontends.python.values import Const, DictThing, ListThing, Opaque, Ref, Splat, Str
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.own_nodes import OwnNodes
    from prefixlint.frontends.python.positions import Places
    from prefixlint.frontends.python.values import Item, Val

CONTENT = "content"
ENDS = (Const(0), Const(-1))
"""Indices of the first and the last message."""
_SYSTEM = frozenset({"system", "developer"})


def rewritten(nodes: OwnNodes) -> Mapping[ast.AST, ast.expr]:
    """Expressions that give a list's first or last message which the code then changes, and loops that change the
    first: the list's own expression for each."""
    changed = [found for target in _targets(nodes) if (found := _message(target)) is not None]
    if not changed:
        return {}
    out: dict[ast.AST, ast.expr] = {}
    names = {node.id for node in changed if isinstance(node, ast.Name)}
    for node in changed:
        if isinstance(node, ast.Subscript) and (is_zero(node.slice) or is_last(node.slice)):
            out[node] = node.value
    for assigned in nodes.of(ast.Assign):
        target = assigned.targets[0]
        listed = _listed(assigned.value) if isinstance(target, ast.Name) and target.id in names else None
        if listed is not None:
            out[assigned.value] = listed
    for loop in nodes.of(ast.For):
        arm = system_arm(loop) if isinstance(loop.target, ast.Name) and loop.target.id in names else None
        if arm is not None and not {*changed}.isdisjoint(node for statement in arm for node in ast.walk(statement)):
            out[loop] = loop.iter
    return {node: listed for node, listed in out.items() if isinstance(listed, ast.Name | ast.Attribute)}


def _targets(nodes: OwnNodes) -> Iterator[ast.expr]:
    for assigned in nodes.of(ast.Assign):
        yield from assigned.targets
    for added in nodes.of(ast.AugAssign):
        yield added.target


def _message(target: ast.expr) -> ast.expr | None:
    """``m`` of ``m["content"]`` and ``m.content``."""
    if isinstance(target, ast.Attribute) and target.attr == CONTENT:
        return target.value
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and target.slice.value == CONTENT:
        return target.value
    return None


def _listed(value: ast.expr) -> ast.expr | None:
    """The list of which a value is the first message, or the system message."""
    if isinstance(value, ast.Subscript) and is_zero(value.slice):
        return value.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "next" and value.args:
        found = value.args[0]
        if isinstance(found, ast.GeneratorExp) and any(_names_system(test) for test in found.generators[0].ifs):
            return found.generators[0].iter
    return None


def _names_system(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Constant) and node.value in _SYSTEM for node in ast.walk(test))


def system_arm(loop: ast.For | ast.AsyncFor) -> list[ast.stmt] | None:
    """What a loop does to the system message, where it does nothing else: ``for m in messages: if m["role"] == …``."""
    only = loop.body[0] if len(loop.body) == 1 else None
    return only.body if isinstance(only, ast.If) and not only.orelse and _names_system(only.test) else None


def changed_message(interpreter: Interpreter, node: ast.AST, frame: Frame) -> Val | None:
    """The first or last message of a conversation as one of its own, where the function changes it at ``node``; else
    None."""
    function, state = frame.function, frame.state
    listed = function.rewritten.get(node) if function is not None else None
    if listed is None or state is None:
        return None
    value = interpreter.evaluate(listed, frame)
    thing = interpreter.thing(value, frame)
    items: tuple[Item, ...] = thing.items if isinstance(thing, ListThing) else (Splat(value),)
    behind = isinstance(node, ast.Subscript) and is_last(node.slice)
    end = items[-1 if behind else 0] if items else None
    if isinstance(thing, ListThing) and isinstance(end, Ref):
        return end
    if not isinstance(end, Splat) or not isinstance(end.value, Opaque) or not end.value.grows:
        return None
    places = frame.module.places
    span = places.span(listed)
    role, content = ("user", _said_last(places, listed)) if behind else ("system", _said_first(places, listed))
    message = state.new(DictThing((("role", Str((Text(role, span),))), (CONTENT, content))))
    both = (*items, message) if behind else (message, *items)
    if isinstance(value, Ref) and isinstance(thing, ListThing):
        state.heap[value.id] = replace(thing, items=both)
    else:
        interpreter.assignments.assign(listed, state.new(ListThing(both)), frame)
    return message


def _said_first(places: Places, listed: ast.expr) -> Opaque:
    """What callers had said there: their system prompt, whatever a variable that holds it is called."""
    kind = Origin(SourceKind.CONFIGURATION)
    return Opaque(f"{places.source(listed)}[0]", places.span(listed), Lifetime.DEPLOYMENT, kind, Confidence.LOW)


def _said_last(places: Places, listed: ast.expr) -> Opaque:
    """What is said in this turn."""
    kind = Origin(SourceKind.USER_INPUT)
    return Opaque(f"{places.source(listed)}[-1]", places.span(listed), Lifetime.REQUEST, kind, Confidence.HIGH)


def handed_back(name: str, call: ast.Call, value: Val, frame: Frame) -> Val:
    """What ``messages = prepare(messages, files)`` gives where ``prepare`` is not followed: a conversation still."""
    before = frame.state.variables.get(name) if frame.state is not None else None
    given = any(isinstance(argument, ast.Name) and argument.id == name for argument in call.args)
    if not given or not isinstance(before, Opaque) or not before.grows:
        return value
    if not isinstance(value, Opaque) or value.grows or value.drift or value.origin.kind is SourceKind.SUMMARY:
        return value
    return before.but(expression=value.expression, span=value.span, name="")
