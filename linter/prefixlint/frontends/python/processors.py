"""Functions that an agent calls with its conversation before each request: what they give is what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.turns import window_among
from prefixlint.frontends.python.values import Choose, DictThing, Func, ListThing, Opaque
from prefixlint.model.lifetimes import Confidence

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val
    from prefixlint.knowledge.libraries import Sink
    from prefixlint.model.segments import Drift


def kept_by_processor(
    interpreter: Interpreter, entry: Sink, given: Mapping[str, Val], node: ast.expr, frame: Frame
) -> Opaque | None:
    """What one of these functions leaves of a conversation, where that loses its front; else None."""
    for function in (f for name in entry.processors for f in functions_given(interpreter, given.get(name), frame)):
        span = frame.module.places.span(node)
        names = function.info.positional[0 if function.owner is None else 1 :]
        arguments: list[Val] = [named(name, name, span) for name in names]
        last = arguments[-1] if arguments else None
        if isinstance(last, Opaque) and not last.grows and not last.lifetime.known:
            arguments[-1] = named("messages", names[-1], span)
        with interpreter.silence():
            sent = interpreter.calls.functions.call(function, arguments, {}, node, frame)
            drift = _window(interpreter, entry, sent, frame)
        if drift is not None:
            return Opaque(drift.expression, drift.span, confidence=Confidence.HIGH, drift=drift)
    return None


def functions_given(interpreter: Interpreter, value: Val | None, frame: Frame) -> Iterator[Func]:
    """The function that an argument is, or those of a list."""
    thing = None if value is None else interpreter.thing(value, frame)
    items = thing.items if isinstance(thing, ListThing) else (value,)
    yield from (item for item in items if isinstance(item, Func))


def _window(interpreter: Interpreter, entry: Sink, value: Val, frame: Frame) -> Drift | None:
    if isinstance(value, Choose):
        return _first_window(interpreter, entry, value.values, frame)
    if isinstance(value, Opaque):
        return value.drift if value.drift is not None and value.drift.kind in ("window", "rewritten") else None
    thing = interpreter.thing(value, frame)
    if isinstance(thing, ListThing):
        return window_among(thing)
    known = [thing.get(key) for key in entry.processed] if isinstance(thing, DictThing) else []
    return _first_window(interpreter, entry, known, frame)


def _first_window(interpreter: Interpreter, entry: Sink, values: Sequence[Val | None], frame: Frame) -> Drift | None:
    found = (_window(interpreter, entry, value, frame) for value in values if value is not None)
    return next((drift for drift in found if drift is not None), None)
