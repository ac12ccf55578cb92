"""Functions that call themselves with a part of what they were given: ``render(value)`` for each value of a dictionary.

Such a call is entered like any other, since what is known has an end; a part of which only its lifetime is known counts
as text. One with anything else is not entered: it would go round.
"""

from __future__ import annotations

import ast
from collections import deque
from typing import TYPE_CHECKING

from prefixlint.frontends.python.state import join_values
from prefixlint.frontends.python.values import (
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.heap import Heap
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Func, Val

MOST_ROUNDS = 6
_MOST_PARTS = 400


def smaller_arguments(
    function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, interpreter: Interpreter, frame: Frame
) -> tuple[list[Val], dict[str, Val]] | None:
    """Arguments with which a function that is being run already is entered again: one of them, or the object itself, is
    a part of what it was given there. None where there is none."""
    parts, wholes = _parts_of_given(function.info, frame)
    if not parts:
        return None
    written: list[ast.expr | None] = list(node.args) if isinstance(node, ast.Call) else []
    named = {k.arg: k.value for k in node.keywords if k.arg} if isinstance(node, ast.Call) else {}
    written += [None] * (len(args) - len(written))
    smaller = function.owner is not None and function.owner not in wholes and function.owner in parts

    def taken(value: Val, place: ast.expr | None) -> Val:
        nonlocal smaller
        # A variable as it is, without the place where the call names it.
        raw = frame.state.variables.get(place.id) if isinstance(place, ast.Name) and frame.state is not None else None
        part = next((one for one in (value, raw) if one is not None and one in parts), None)
        if part is None or isinstance(part, Const) or part in wholes:
            return value
        text = part if isinstance(part, Ref | Str) else _as_text(part, function.info, interpreter, node, frame)
        smaller = smaller or text is not None
        return value if text is None else text

    again = [taken(value, place) for value, place in zip(args, written, strict=False)]
    others = {name: taken(value, named.get(name)) for name, value in keywords.items()}
    return (again, others) if smaller else None


def _parts_of_given(info: FunctionInfo, frame: Frame) -> tuple[list[Val], list[Val]]:
    """What was given to a function where it is being run: what stands in it, and that itself."""
    before = _activation(info, frame)
    if frame.stack.count(info) >= MOST_ROUNDS or frame.state is None or before is None or before.state is None:
        return [], []
    held = (before.state.variables.get(name) for name in (*info.positional, *info.defaults))
    wholes: list[Val] = [value for value in held if isinstance(value, Ref)]
    return [part for whole in wholes for part in _parts(whole, frame.state.heap)], wholes


def _as_text(part: Val, info: FunctionInfo, interpreter: Interpreter, node: ast.expr, frame: Frame) -> Val | None:
    """A part of which only its lifetime is known, as the text that it is for a function that puts texts together; None
    for any other part."""
    if isinstance(part, Choose):
        arms = [arm if isinstance(arm, Str) else _as_text(arm, info, interpreter, node, frame) for arm in part.values]
        known = [arm for arm in arms if arm is not None]
        if len(known) < len(arms):
            return None
        text = known[0]
        for arm in known[1:]:
            text = join_values(text, arm, part)
        return text
    if isinstance(part, Method):
        part = interpreter.expressions.as_opaque(part, node, frame)
    if not isinstance(part, Opaque) or part.grows or part.drift is not None or not _writes(info):
        return None
    return Str((interpreter.expressions.value(part, part.expression, part.span),))


def _writes(info: FunctionInfo) -> bool:
    """Whether a function puts texts together."""
    joins = (call.func for call in info.own_nodes.of(ast.Call) if isinstance(call.func, ast.Attribute))
    return bool(info.own_nodes.of(ast.JoinedStr)) or any(function.attr == "join" for function in joins)


def _activation(info: FunctionInfo, frame: Frame) -> Frame | None:
    """The innermost one of a function, among those that led to this one."""
    found: Frame | None = frame
    while found is not None and found.function is not info:
        found = found.caller
    return found


def _parts(whole: Val, heap: Heap) -> Iterator[Val]:
    """What a dictionary, list or object holds, and what that holds, nearest first."""
    waiting: deque[Val] = deque([whole])
    seen: set[int] = set()
    for _ in range(_MOST_PARTS):
        if not waiting:
            return
        value = waiting.popleft()
        if value is not whole:
            yield value
        if isinstance(value, Choose):
            waiting.extend(value.values)
        elif isinstance(value, Ref) and value.id not in seen:
            seen.add(value.id)
            waiting.extend(_items(heap.get(value.id)))


def _items(thing: object) -> Iterator[Val]:
    if isinstance(thing, DictThing):
        yield from (value for _, value in thing.entries)
    elif isinstance(thing, ListThing):
        yield from (item for item in thing.items if not is_run(item))
    elif isinstance(thing, ObjectThing):
        yield from thing.attributes.values()
