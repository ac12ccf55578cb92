"""Messages that stand at the front of a conversation that came from elsewhere, and that code changes there:
``messages[0]["content"] += …``, ``system = next(m for m in messages if m["role"] == "system")``.

Of such a conversation only its lists are known. Where its first message is changed, it becomes one of its own in front
of the others, so that the change is seen.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import is_zero
from prefixlint.frontends.python.values import Const, DictThing, ListThing, Opaque, Ref, Splat, Str
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.own_nodes import OwnNodes
    from prefixlint.frontends.python.values import Item, Val

CONTENT = "content"
FIRST = Const(0)
_SYSTEM = frozenset({"system", "developer"})


def rewritten(nodes: OwnNodes) -> Mapping[ast.AST, ast.expr]:
    """Expressions that give a list's first message which the code then changes, and loops that change it: the list's
    own expression for each."""
    changed = [found for target in _targets(nodes) if (found := _message(target)) is not None]
    if not changed:
        return {}
    out: dict[ast.AST, ast.expr] = {}
    names = {node.id for node in changed if isinstance(node, ast.Name)}
    for node in changed:
        if isinstance(node, ast.Subscript) and is_zero(node.slice):
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


def first_message(interpreter: Interpreter, node: ast.AST, frame: Frame) -> Val | None:
    """The first message of a conversation as one of its own, where the function changes it at ``node``; else None."""
    function, state = frame.function, frame.state
    listed = function.rewritten.get(node) if function is not None else None
    if listed is None or state is None:
        return None
    value = interpreter.evaluate(listed, frame)
    thing = interpreter.thing(value, frame)
    items: tuple[Item, ...] = thing.items if isinstance(thing, ListThing) else (Splat(value),)
    front = items[0] if items else None
    if isinstance(thing, ListThing) and isinstance(front, Ref):
        return front
    if not isinstance(front, Splat) or not isinstance(front.value, Opaque) or not front.value.grows:
        return None
    places = frame.module.places
    span = places.span(listed)
    expression = f"{places.source(listed)}[0]"
    # What callers had said there: their system prompt, whatever a variable that holds it is called.
    content = Opaque(expression, span, Lifetime.DEPLOYMENT, Origin(SourceKind.CONFIGURATION), Confidence.LOW)
    message = state.new(DictThing((("role", Str((Text("system", span),))), (CONTENT, content))))
    if isinstance(value, Ref) and isinstance(thing, ListThing):
        state.heap[value.id] = replace(thing, items=(message, *items))
    else:
        interpreter.assignments.assign(listed, state.new(ListThing((message, *items))), frame)
    return message


def handed_back(name: str, call: ast.Call, value: Val, frame: Frame) -> Val:
    """What ``messages = prepare(messages, files)`` gives where ``prepare`` is not followed: a conversation still."""
    before = frame.state.variables.get(name) if frame.state is not None else None
    given = any(isinstance(argument, ast.Name) and argument.id == name for argument in call.args)
    if not given or not isinstance(before, Opaque) or not before.grows:
        return value
    if not isinstance(value, Opaque) or value.grows or value.drift or value.origin.kind is SourceKind.SUMMARY:
        return value
    return before.but(expression=value.expression, span=value.span, name="")
