"""Loops that take messages from the newest on until a budget is spent: what they keep of a conversation is its end."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.conversations import holds_conversation
from prefixlint.frontends.python.thresholds import measured
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.positions import Places
    from prefixlint.frontends.python.values import Opaque, Val

_STOPS = ast.Break | ast.Return


def newest_first(node: ast.expr) -> ast.expr | None:
    """What is run over from its end on; ``messages`` of ``reversed(messages)``, of ``messages[::-1]`` and of
    ``range(len(messages) - 1, -1, -1)``."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        cut = node.slice
        return node.value if cut.lower is None and cut.upper is None and is_back(cut.step) else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
        return None
    if node.func.id == "reversed":
        inner = node.args[0]
        return newest_first(inner) or inner if isinstance(inner, ast.Call) and _is_passing(inner) else inner
    if node.func.id in _PASSING:
        inner = node.args[0]
        return newest_first(inner)
    if node.func.id == "range" and len(node.args) == 3 and is_back(node.args[2]):
        for part in ast.walk(node.args[0]):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "len" and part.args:
                return part.args[0]
    return None


def _is_passing(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in _PASSING


_PASSING = frozenset({"enumerate", "list", "tuple", "iter"})


def is_back(node: ast.expr | None) -> bool:
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
        and node.operand.value == 1
    )


def limit_of(body: list[ast.stmt], places: Places) -> str:
    """The limit at which a loop's body leaves the loop, as source; "" where it does not for an amount."""
    for statement in body:
        if isinstance(statement, ast.If):
            found = measured(places.source(statement.test))
            if found and any(isinstance(s, _STOPS) for s in (*statement.body, *statement.orelse)):
                return found
            found = limit_of(statement.body, places) or limit_of(statement.orelse, places)
            if found:
                return found
        elif isinstance(statement, ast.Try | ast.With | ast.AsyncWith):
            found = limit_of(statement.body, places)
            if found:
                return found
    return ""


def kept_by_budget(
    node: ast.For | ast.AsyncFor, over: Val, thing: object, source: Opaque, frame: Frame
) -> Opaque | None:
    """What a loop runs over, as the end of a conversation; None where it does not take messages until a budget is
    spent. ``over`` is the conversation, ``source`` what is known of it as one value."""
    limit = limit_of(node.body, frame.module.places)
    if not limit:
        return None
    places = frame.module.places
    here, span = places.source(node.iter), places.span(node.iter)
    drift = Drift("window", here, span, None, limit)
    if not (source.grows or holds_conversation(over, thing)):
        if source.lifetime.known:
            return None
        return source.but(drift=replace(drift, kind="tail"))
    origin = Origin(SourceKind.HISTORY, source.origin.hops)
    return replace(source, lifetime=Lifetime.TURN, origin=origin, confidence=Confidence.HIGH, grows=False, drift=drift)


def walked_back(node: ast.While, source: Opaque, frame: Frame) -> Opaque | None:
    """What a loop gathers that goes from message to message, each the one in front of it, until there are so many:
    the end of something, as one value. None for any other loop.

    ``while message and len(found) < 20: found.append(...); message = message.parent``
    """
    tests = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And) else []
    limit = next((test for test in tests if _fewer_than(test)), None)
    asked = {name.id for test in tests if test is not limit for name in ast.walk(test) if isinstance(name, ast.Name)}
    if limit is None or not any(_goes_on(statement, asked) for body in node.body for statement in ast.walk(body)):
        return None
    places = frame.module.places
    drift = Drift("tail", places.source(limit), places.span(limit), None, places.source(limit))
    return source.but(lifetime=Lifetime.UNKNOWN, drift=drift)


def _fewer_than(test: ast.expr) -> bool:
    """``len(found) < 20``."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Lt | ast.LtE):
        return False
    count = test.left
    return isinstance(count, ast.Call) and isinstance(count.func, ast.Name) and count.func.id == "len"


def _goes_on(statement: ast.AST, names: set[str]) -> bool:
    """``message = message.parent``, of one of these names."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Attribute):
        return False
    return any(isinstance(target, ast.Name) and target.id in names for target in statement.targets)
