"""``json.dumps`` and its relatives: what a value looks like in JSON, in the order of its keys."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.values import Const, DictThing, ListThing, Many, Maybe, Opaque, Splat, Str, in_order
from prefixlint.model.lifetimes import SourceKind
from prefixlint.model.segments import Text, literal_length, rebuilt
from prefixlint.model.sources import Run, SourceMap

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment, Value
    from prefixlint.model.sources import Span

Segments = tuple["Segment", ...]
# Less fixed text than this tells nothing of a prompt: what is dumped is data, one value.
_LEAST_TEXT = 40
_DEEPEST = 8


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
        if not isinstance(self._interpreter.thing(value, frame), DictThing | ListThing):
            return None
        writer = _Writer(self._interpreter, keywords, node, frame)
        segments = writer.written(value, 0)
        if segments is None or writer.fixed < _LEAST_TEXT:
            return None
        self._dumped[writer.span] = value
        return Str(segments)


class _Writer:
    """Writes one value. ``fixed`` counts the fixed text of its strings."""

    def __init__(self, interpreter: Interpreter, keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> None:
        self._interpreter = interpreter
        self._node, self._frame = node, frame
        self.span = frame.module.places.span(node)
        self.fixed = 0
        self._sorted = keywords.get("sort_keys") == Const(True)
        self._ascii = keywords.get("ensure_ascii") != Const(False)
        indent = keywords.get("indent")
        self._indent = indent.value if isinstance(indent, Const) and isinstance(indent.value, int) else None

    def written(self, value: Val, depth: int) -> Segments | None:
        """A value in JSON; None where it is not known item by item."""
        if isinstance(value, Const):
            return (self._text(json.dumps(value.value, default=str)),)
        if isinstance(value, Str):
            self.fixed += literal_length(value.segments)
            return strings.concat((self._text('"'),), rebuilt(value.segments, self._escaped), (self._text('"'),))
        if isinstance(value, Opaque):
            return (self._interpreter.expressions.value(value, value.expression, value.span),)
        thing = self._interpreter.thing(value, self._frame)
        if depth > _DEEPEST:
            return None
        if isinstance(thing, DictThing) and not thing.kept:
            entries = sorted(thing.entries, key=lambda entry: entry[0]) if self._sorted else thing.entries
            known = [part for name, inner in entries if (part := self._entry(name, inner, depth)) is not None]
            if len(known) < len(entries):
                return None
            # What was put in by other keys may stand anywhere: it is taken for what came last.
            parts = [*known, *(self._whole(inner) for inner in thing.rest)]
            return self._between("{", "}", [Str(part) for part in parts], depth)
        if isinstance(thing, ListThing) and thing.unordered is None:
            items = self._listed(thing.items, depth)
            return None if items is None else self._between("[", "]", items, depth)
        if isinstance(thing, DictThing | ListThing):
            return None
        return self._whole(value)

    def _whole(self, value: Val) -> Segments:
        opaque = self._interpreter.expressions.as_opaque(value, self._node, self._frame)
        return (self._interpreter.expressions.value(opaque, opaque.expression, opaque.span),)

    def _listed(self, items: tuple[Item, ...], depth: int) -> list[Item] | None:
        """The items of a list as texts, some of them again and again or under a condition."""
        out: list[Item] = []
        for item in items:
            if isinstance(item, Splat):
                out.append(Str(self._whole(item.value)))
            elif isinstance(item, Many):
                each = self._listed(item.items, depth)
                if each is None:
                    return None
                out.append(Many(tuple(each), item.over))
            elif isinstance(item, Maybe):
                arms = [self._listed(arm, depth) for arm in item.arms]
                known = tuple(tuple(arm) for arm in arms if arm is not None)
                if len(known) < len(arms):
                    return None
                out.append(Maybe(known, item.choice))
            else:
                text = self.written(item, depth + 1)
                if text is None:
                    return None
                out.append(Str(text))
        return out

    def _entry(self, name: str, value: Val, depth: int) -> Segments | None:
        inner = self.written(value, depth + 1)
        return None if inner is None else (self._text(f"{json.dumps(name, ensure_ascii=self._ascii)}: "), *inner)

    def _between(self, left: str, right: str, parts: Sequence[Item], depth: int) -> Segments:
        if not parts:
            return (self._text(left + right),)
        line = "" if self._indent is None else "\n" + " " * self._indent * (depth + 1)
        end = "" if self._indent is None else "\n" + " " * self._indent * depth
        separator = (self._text("," + (line or " ")),)
        inner = self._interpreter.expressions.join_items(separator, tuple(parts), self._node, self._frame)
        return strings.concat((self._text(left + line),), inner, (self._text(end + right),))

    def _text(self, text: str) -> Text:
        return Text(text, self.span)

    def _escaped(self, segment: Text | Value) -> list[Segment]:
        """Fixed text as a JSON string shows it, every character in its place."""
        if not isinstance(segment, Text):
            return [segment]
        out: list[Segment] = []
        start = 0
        for at, character in enumerate(segment.text):
            shown = json.dumps(character, ensure_ascii=self._ascii)[1:-1]
            if shown == character:
                continue
            out.append(segment.slice(start, at))
            out.append(_unit(segment, at, shown))
            start = at + 1
        out.append(segment.slice(start, len(segment.text)))
        return out


def _unit(text: Text, at: int, shown: str) -> Text:
    """What stands for the character at that place."""
    if not isinstance(text.source, SourceMap):
        return replace(text, text=shown)
    first = text.source.source_offset(at)
    last = text.source.slice(at, at + 1).runs[-1].source_length
    return replace(text, text=shown, source=SourceMap(text.source.file, (Run(0, len(shown), first, last),)))
