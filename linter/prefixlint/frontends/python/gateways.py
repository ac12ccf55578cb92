"""What a function sends, told once with its parameters open and filled in for each further call.

The one function that sends all prompts of a project is entered for so many callers that its steps are soon spent. What
it makes of its arguments is known by then: its templates with the arguments in the place of the parameters say what a
further call sends, as entering it would.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import Frame
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.values import NONE, Class, Func, ListThing, Opaque
from prefixlint.model.lifetimes import Hop, HopKind
from prefixlint.model.segments import Choice, Repeat, Value, rebuilt, walk

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.python.frames import Emission
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment, Text
    from prefixlint.model.templates import Block

_STEPS = 3_000
"""For one function, with its parameters open."""


class Gateways:
    """Templates of functions that are not entered any more."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._sent: dict[tuple[FunctionInfo, frozenset[str]], tuple[Emission, ...]] = {}

    def sends(self, info: FunctionInfo, names: frozenset[str], node: ast.expr) -> tuple[Emission, ...]:
        """What a function sends that is given these parameters; nothing while that is being found out."""
        key = info, names
        if key not in self._sent:
            self._sent[key] = ()
            self._sent[key] = tuple(self._found(info, names, node))
        return self._sent[key]

    def _found(self, info: FunctionInfo, names: frozenset[str], node: ast.expr) -> Iterator[Emission]:
        interpreter = self._interpreter
        owner: Val | None = None
        frame = Frame(info.module, info, State({}), stack=(info,))
        if info.owner is not None and "staticmethod" not in info.decorators:
            owner = (
                Class(info.owner)
                if "classmethod" in info.decorators
                else interpreter.lookup.instance(info.owner, frame)
            )
        place = info.module.places.span(info.node)
        given = {name: named(name, name, place, open_name=name) for name in names}

        def run() -> None:
            interpreter.calls.functions.bind(Func(info, owner), [], given, node, frame, frame)
            interpreter.run_body(info, frame)

        found = interpreter.apart_emitting(run, _STEPS)
        for emission in found:
            blocks = emission.template.blocks
            if any(isinstance(s, Value) and s.name in names for block in blocks for s in walk(block.segments)):
                yield emission

    def send(self, info: FunctionInfo, given: Mapping[str, Val], node: ast.expr, frame: Frame) -> None:
        """Emits what a call with these arguments sends."""
        variables = {name: value for name, value in given.items() if value != NONE and name in info.defaults}
        sent = self.sends(info, frozenset(variables), node)
        call = Hop(HopKind.CALLED, frame.module.places.span(node), f"{info.name}()")
        for emission in sent:
            template = emission.template
            blocks = tuple(
                filled for block in template.blocks for filled in self._filled(block, variables, node, frame)
            )
            related = (*template.related, call, *reversed(frame.chain))
            made = replace(template, blocks=blocks, related=related)
            self._interpreter.emit(made, emission.rank, frame, calls=emission.calls + 1)

    def _filled(self, block: Block, variables: Mapping[str, Val], node: ast.expr, frame: Frame) -> Iterator[Block]:
        expressions, messages = self._interpreter.expressions, self._interpreter.calls.requests.messages

        def one(segment: Text | Value) -> tuple[Segment, ...]:
            value = variables.get(segment.name) if isinstance(segment, Value) else None
            if not isinstance(segment, Value) or value is None:
                return (segment,)
            if isinstance(value, Opaque):
                return (expressions.value(value, segment.expression, segment.span),)
            return expressions.placed(value, segment.expression, segment.span, node, frame)

        only = block.segments[0] if len(block.segments) == 1 else None
        given = variables.get(only.name) if isinstance(only, Value) else None
        if given is not None and messages.is_messages(given, frame):
            yield from messages.blocks(given, node, frame, "user")
            return
        thing = None if given is None else self._interpreter.thing(given, frame)
        if isinstance(thing, ListThing) and not thing.items:
            return
        segments = rebuilt(_decided(block.segments, variables), one)
        if segments:
            yield replace(block, segments=segments)


def _decided(segments: tuple[Segment, ...], variables: Mapping[str, Val]) -> tuple[Segment, ...]:
    """A parameter or what stands in for it (``system or DEFAULT``) is the one of them that the call decides for."""
    out: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Choice):
            arms = tuple(_decided(arm, variables) for arm in segment.arms)
            asked = {name for name in variables if re.search(rf"\b{re.escape(name)}\b", segment.expression)}
            own = next(
                (arm for arm in arms if len(arm) == 1 and isinstance(arm[0], Value) and arm[0].name in asked), None
            )
            if own is not None and isinstance(own[0], Value):
                arms = (own,)
            if len(arms) == 1:
                out.extend(arms[0])
                continue
            segment = replace(segment, arms=arms)
        elif isinstance(segment, Repeat):
            segment = replace(segment, body=_decided(segment.body, variables))
        out.append(segment)
    return tuple(out)
