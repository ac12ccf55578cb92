"""``json.dumps`` and its relatives: what a value looks like in JSON, in the order of its keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import Const, DictThing, ListThing, Opaque, Str, in_order
from prefixlint.frontends.python.written_data import Json, written_data
from prefixlint.model.lifetimes import SourceKind
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.sources import Span


class JsonCalls:
    """Calls that ``BuiltinCalls`` hands on."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._dumped: dict[Span, Val] = {}

    def source_of(self, value: Val) -> Val | None:
        """What a text was dumped from, where this is the whole text that ``json.dumps`` gave."""
        if not self._dumped:
            return None
        if isinstance(value, Opaque):
            places = (value.span, *(hop.span for hop in reversed(value.origin.hops)))
            return next((self._dumped[place] for place in places if place in self._dumped), None)
        first = value.segments[0] if isinstance(value, Str) and value.segments else None
        return self._dumped.get(first.span()) if isinstance(first, Text) else None

    def dumps(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args:
            return None
        written = self._written(args[0], keywords, node, frame)
        if written is not None:
            return written
        thing = self._interpreter.thing(args[0], frame)
        if isinstance(thing, DictThing):
            self._dumped[frame.module.places.span(node)] = args[0]
        value = self._interpreter.expressions.as_opaque(args[0], node, frame)
        if isinstance(thing, ListThing) and thing.unordered is not None:
            value = thing.unordered
        if keywords.get("sort_keys") == Const(True) and self._only_keys_unordered(thing, node, frame):
            value = in_order(value)
        return replace(
            value,
            expression=frame.module.places.source(node),
            span=frame.module.places.span(node),
            shape="json",
            type="",
        )

    def _only_keys_unordered(self, thing: object, node: ast.Call, frame: Frame) -> bool:
        """Whether sorted keys are all that a value needs to have an order: a list in it keeps its own."""
        if isinstance(thing, ListThing):
            return False
        known = thing.entries if isinstance(thing, DictThing) else ()
        found = (self._interpreter.expressions.as_opaque(value, node, frame) for _, value in known)
        return all(value.origin.kind not in (SourceKind.UNORDERED, SourceKind.LISTING) for value in found)

    # Item by item

    def _written(self, value: Val, keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Str | None:
        """The text of a dictionary or list that is known item by item and holds fixed text; None for others."""
        indent = keywords.get("indent")
        notation = Json(
            in_order=keywords.get("sort_keys") == Const(True),
            ascii=keywords.get("ensure_ascii") != Const(False),
            indent=indent.value if isinstance(indent, Const) and isinstance(indent.value, int) else None,
        )
        segments = written_data(self._interpreter, value, notation, node, frame)
        if segments is None:
            return None
        self._dumped[frame.module.places.span(node)] = value
        return Str(segments)
