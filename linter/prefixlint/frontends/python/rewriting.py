"""Messages at an end of a conversation that came from elsewhere, and that code changes there:
``messages[0]["content"] += …``, ``system = next(m for m in messages if m["role"] == "system")``,
``messages[-1]["content"] += …``, ``for m in reversed(messages): if m["role"] == "user": …``.

Of such a conversation only its lists are known. Where its first or its last message is changed, it becomes one of its
own in front of the others or behind them, so that the change is seen.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.loop_shapes import newest_first
from prefixlint.frontends.python.syntax import adds, can_be_set, is_last, is_zero
from prefixlint.frontends.python.values import Const, DictThing, ListThing, Many, Opaque, Ref, Splat, Str
from prefixlint.knowledge.roles import names_of
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.own_nodes import OwnNodes
    from prefixlint.frontends.python.positions import Places
    from prefixlint.frontends.python.values import Item, Val

    _Where = tuple[type[ast.AST], int, int, int | None]
    Rewritten = Mapping[_Where, tuple[ast.expr | ast.stmt, "End"]]

CONTENT = "content"
ENDS = (Const(0), Const(-1))
"""Indices of the first and the last message."""


@dataclass(frozen=True, slots=True)
class End:
    """An end of a list of messages: the ``last`` one, or the first."""

    listed: ast.expr
    last: bool


def rewritten(nodes: OwnNodes) -> Rewritten:
    """Expressions that give a list's first or last message which the code then changes, and loops that change one of
    them: the list's own expression for each, by where it stands."""
    changed = [found for target in _targets(nodes) if (found := _message(target)) is not None]
    if not changed:
        return {}
    out: dict[ast.expr | ast.stmt, End] = {}
    names = {node.id for node in changed if isinstance(node, ast.Name)}
    for node in changed:
        if isinstance(node, ast.Subscript) and (is_zero(node.slice) or is_last(node.slice)):
            out[node] = End(node.value, last=is_last(node.slice))
    for target, value in nodes.bindings():
        end = _end(value) if isinstance(target, ast.Name) and target.id in names else None
        if end is not None:
            out[value] = end
    for loop in nodes.loops():
        looked_for = end_in_loop(loop)
        inside = {node for statement in looked_for[1] for node in ast.walk(statement)} if looked_for else set()
        if looked_for is not None and not inside.isdisjoint(changed):
            out[loop] = looked_for[0]
    return {_where(node): (node, end) for node, end in out.items() if can_be_set(end.listed)}


def _where(node: ast.expr | ast.stmt) -> _Where:
    """Tells a node apart from others of its module, in each tree of it."""
    return type(node), node.lineno, node.col_offset, node.end_col_offset


def _targets(nodes: OwnNodes) -> Iterator[ast.expr]:
    """What is set or added to, parts of a message's content by a method of it (``m.content.append(part)``) included."""
    yield from (target for target, _ in nodes.bindings())
    for added in nodes.of(ast.AugAssign):
        yield added.target
    for call in nodes.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and adds(call.func):
            yield call.func.value


def _message(target: ast.expr) -> ast.expr | None:
    """``m`` of ``m["content"]`` and ``m.content``."""
    if isinstance(target, ast.Attribute) and target.attr == CONTENT:
        return target.value
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and target.slice.value == CONTENT:
        return target.value
    return None


def _end(value: ast.expr) -> End | None:
    """The list of which a value is the first or last message, the system's or the user's newest one."""
    if isinstance(value, ast.Subscript) and (is_zero(value.slice) or is_last(value.slice)):
        return End(value.value, last=is_last(value.slice))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "next" and value.args:
        found = value.args[0]
        if isinstance(found, ast.GeneratorExp):
            over, tests = found.generators[0].iter, found.generators[0].ifs
            if any(_names(names_of("system", "developer"), test) for test in tests):
                return End(over, last=False)
            newest = newest_first(over)
            if newest is not None and any(_names(names_of("user"), test) for test in tests):
                return End(newest, last=True)
    return None


def looks_for_system(node: ast.expr) -> bool:
    """Whether a generator gives what belongs to system messages: those themselves, or their places."""
    tests = node.generators[0].ifs if isinstance(node, ast.GeneratorExp) else ()
    return any(_names(names_of("system", "developer"), test) for test in tests)


def _names(roles: frozenset[str], test: ast.expr) -> bool:
    """Whether a test asks for one of these roles."""
    return any(
        (isinstance(node, ast.Constant) and node.value in roles)
        or (isinstance(node, ast.Name) and node.id in roles)
        or (isinstance(node, ast.Attribute) and node.attr.isupper() and node.attr.lower() in roles)
        for node in ast.walk(test)
    )


def end_in_loop(loop: ast.For | ast.AsyncFor) -> tuple[End, list[ast.stmt]] | None:
    """The message that a loop changes where it does nothing else, and what it does to it: the system's
    (``for m in messages: if m["role"] == "system": …``), or the user's newest one, looked for from the end on."""
    only = loop.body[0] if len(loop.body) == 1 else None
    if not isinstance(only, ast.If) or only.orelse or not isinstance(loop.target, ast.Name):
        return None
    if _names(names_of("system", "developer"), only.test):
        return End(loop.iter, last=False), only.body
    newest = newest_first(loop.iter)
    if newest is not None and isinstance(only.body[-1], ast.Break | ast.Return) and _names(names_of("user"), only.test):
        return End(newest, last=True), only.body
    return None


def changed_message(interpreter: Interpreter, node: ast.expr | ast.stmt, frame: Frame) -> Val | None:
    """The first or last message of a conversation as one of its own, where the function changes it at ``node``; else
    None."""
    function, state = frame.function, frame.state
    if function is None or state is None or not function.rewritten:
        return None
    found = function.rewritten.get(_where(node))
    if found is None:
        return None
    listed, last = found[1].listed, found[1].last
    value = interpreter.evaluate(listed, frame)
    thing = interpreter.thing(value, frame)
    items: tuple[Item, ...] = thing.items if isinstance(thing, ListThing) else (Splat(value),)
    end = items[-1 if last else 0] if items else None
    if isinstance(thing, ListThing) and isinstance(end, Ref):
        return end
    run = end.value if isinstance(end, Splat) else end.over if isinstance(end, Many) else None
    run = None if run is None else interpreter.expressions.read(run, listed, frame)
    if not isinstance(run, Opaque) or not run.grows:
        return None
    places = frame.module.places
    span = places.span(listed)
    role, content = ("user", _said_last(places, listed)) if last else ("system", _said_first(places, listed))
    message = state.new(DictThing((("role", Str((Text(role, span),))), (CONTENT, content))))
    # An attribute of something unknown (``request.messages``) is a conversation too.
    items = items if isinstance(thing, ListThing) else (Splat(run),)
    both = (*items, message) if last else (message, *items)
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
