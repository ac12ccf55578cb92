"""Loops that take messages from the newest on until a budget is spent: what they keep of a conversation is its end."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.conversations import holds_conversation
from prefixlint.frontends.python.loop_shapes import stops_early
from prefixlint.frontends.python.own_nodes import bound_by
from prefixlint.frontends.python.thresholds import measured
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.values import Opaque, Val


def kept_by_budget(
    node: ast.For | ast.AsyncFor, over: Val, thing: object, source: Opaque, frame: Frame
) -> Opaque | None:
    """What a loop runs over, as the end of a conversation; None where it does not take messages until a budget is
    spent. ``over`` is the conversation, ``source`` what is known of it as one value."""
    places = frame.module.places
    test = stops_early(node, places.source)
    if test is None:
        return None
    limit = measured(places.source(test))
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
    return any(
        isinstance(value, ast.Attribute) and isinstance(target, ast.Name) and target.id in names
        for target, value in bound_by(statement)
    )
