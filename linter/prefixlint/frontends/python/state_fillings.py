"""What fills placeholders of an agent's instructions that its library takes from a state: what callbacks put there.

``callback_context.state["now"] = datetime.now().isoformat()`` in a function that the agent calls before each turn makes
``{now}`` another text on each turn.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import Frame
from prefixlint.frontends.python.given_back import conditions_at
from prefixlint.frontends.python.processors import functions_given
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.syntax import last_name
from prefixlint.model.lifetimes import HopKind
from prefixlint.model.segments import Text, Value, rebuilt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Func, Opaque, Val
    from prefixlint.knowledge.libraries import Sink
    from prefixlint.model.segments import Segment


def filled_from_state(
    segments: tuple[Segment, ...], interpreter: Interpreter, entry: Sink, given: Mapping[str, Val], frame: Frame
) -> tuple[Segment, ...]:
    """The instructions, with the placeholders that callbacks fill anew on each turn as what they put there."""
    found: dict[str, Opaque] = {}
    for name in entry.callbacks:
        for function in functions_given(interpreter, given.get(name), frame):
            found.update(_put(interpreter, entry, function))
    if not found:
        return segments

    def one(segment: Text | Value) -> tuple[Segment, ...]:
        value = found.get(segment.name) if isinstance(segment, Value) else None
        if value is None or not isinstance(segment, Value):
            return (segment,)
        told = interpreter.expressions.value(value, segment.expression, segment.span)
        return (told,)

    return rebuilt(segments, one)


def _put(interpreter: Interpreter, entry: Sink, function: Func) -> Iterator[tuple[str, Opaque]]:
    """What a callback puts into the state each time: by key, values that differ from turn to turn."""
    info = function.info
    stored = [(key, node) for key, node in _stored(info, entry.state) if not _asked(key, node, info)]
    if not stored:
        return
    inner = Frame(info.module, info, State({}), stack=(info,))
    with interpreter.silence():
        interpreter.run_root(info, inner, function.owner)
        for key, node in stored:
            value = interpreter.expressions.as_opaque(interpreter.evaluate(node, inner), node, inner)
            if value.lifetime.varies:
                yield key, value.but(name="", origin=value.origin.passed(HopKind.PUT_INTO_STATE, value.span))


def _stored(info: FunctionInfo, state: str) -> Iterator[tuple[str, ast.expr]]:
    for target, value in info.own_nodes.bindings():
        if isinstance(target, ast.Subscript) and last_name(target.value) == state:
            key = target.slice.value if isinstance(target.slice, ast.Constant) else None
            if isinstance(key, str):
                yield key, value


def _asked(key: str, value: ast.expr, info: FunctionInfo) -> bool:
    """Whether something is put there under a condition that asks what is there: once in a session."""
    return any(f'"{key}"' in test or f"'{key}'" in test for test in conditions_at(info, info.module.places.span(value)))
