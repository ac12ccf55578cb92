"""Placeholders that name a part of what they are filled with: ``{{ user.name }}``, ``{{ memory.text() }}``."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Const,
    DictThing,
    ListThing,
    Method,
    ObjectThing,
    Opaque,
    Ref,
    Str,
    is_run,
)
from prefixlint.model.segments import Text, Value, rebuilt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment

_LONGEST = 120


def with_parts(
    segments: tuple[Segment, ...], values: Mapping[str, Val], node: ast.expr, interpreter: Interpreter, frame: Frame
) -> tuple[Segment, ...]:
    """The segments with the parts of objects, dictionaries and lists that placeholders name; what is no part that can
    be found stays open, and is judged by its own name."""
    expressions = interpreter.expressions

    def one(segment: Text | Value) -> tuple[Segment, ...]:
        if isinstance(segment, Text) or segment.expression == segment.name or segment.name not in values:
            return (segment,)
        whole = values[segment.name]
        if not isinstance(interpreter.thing(whole, frame), ObjectThing | DictThing | ListThing):
            return (segment,)
        path, _, filters = segment.expression.partition("|")
        read = _parsed(path.strip())
        part = None if read is None else _part(read, segment.name, whole, node, interpreter, frame)
        if part is None:
            return (replace(segment, name=""),)
        found = expressions.as_opaque(part, node, frame)
        if isinstance(part, Opaque | Method | Ref) and not found.lifetime.known:
            return (replace(segment, name=found.name),)
        if filters or isinstance(part, Opaque | Method | Ref):
            return (expressions.value(found.but(shape=segment.shape), segment.expression, segment.span),)
        return expressions.placed(part, segment.expression, segment.span, node, frame)

    return rebuilt(segments, one)


@lru_cache(maxsize=1024)
def _parsed(path: str) -> ast.expr | None:
    if len(path) > _LONGEST:
        return None
    try:
        return ast.parse(path, mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _part(path: ast.expr, root: str, whole: Val, node: ast.expr, interpreter: Interpreter, frame: Frame) -> Val | None:
    """What stands at a path of attributes, items and calls without arguments, or None."""
    if isinstance(path, ast.Name):
        return whole if path.id == root else None
    expressions = interpreter.expressions
    if isinstance(path, ast.Call):
        function = None if path.args or path.keywords else _part(path.func, root, whole, node, interpreter, frame)
        if function is None or not isinstance(node, ast.Call):
            return None
        with interpreter.silence():
            return interpreter.calls.apply(function, [], {}, node, frame)
    if isinstance(path, ast.Attribute):
        key: Val = Str((Text(path.attr, frame.module.places.span(node)),))
    elif isinstance(path, ast.Subscript) and isinstance(path.slice, ast.Constant):
        step = path.slice.value
        key = Str((Text(step, frame.module.places.span(node)),)) if isinstance(step, str) else Const(step)
    else:
        return None
    owner = _part(path.value, root, whole, node, interpreter, frame)
    if owner is None or owner == NONE or isinstance(owner, Choose):
        return None
    thing = interpreter.thing(owner, frame)
    if isinstance(path, ast.Attribute) and not isinstance(thing, DictThing):
        return expressions.attribute(owner, path.attr, node, frame)
    if isinstance(thing, ListThing) and any(is_run(item) for item in thing.items):
        return None
    return expressions.item(owner, key, node, frame)
