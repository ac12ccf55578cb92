"""Lists and dictionaries written as text, item by item: as JSON, and as Python itself prints them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.sets import KINDS
from prefixlint.frontends.python.sizes import MOST_CHARACTERS, MOST_ITEMS
from prefixlint.frontends.python.values import Const, DictThing, ListThing, Many, Maybe, Opaque, PlainKey, Splat, Str
from prefixlint.model.frozen import dataclass
from prefixlint.model.segments import Text, literal_length, rebuilt, walk
from prefixlint.model.sources import Run, SourceMap

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment, Value

Segments = tuple["Segment", ...]
# Less fixed text than this tells nothing of a prompt: what is written is data, one value.
_LEAST_TEXT = 40
DEEPEST_DATA = 8
_JSON_KEYS = {"None": "null", "True": "true", "False": "false"}
# What neither notation writes in another way.
_ESCAPED = re.compile(r"[^ !#-&(-\[\]-~]")


class Notation(Protocol):
    """How data is written: ``indent`` are the blanks of a level, None for all in one line."""

    @property
    def in_order(self) -> bool:
        """Whether the keys are put into order."""
        ...

    @property
    def indent(self) -> int | None:
        """Blanks of a level; None for all in one line."""
        ...

    def constant(self, value: object) -> str:
        """A number, a truth value, None, or what else is known and no text."""
        ...

    def quote(self, text: str) -> str:
        """The quotation mark around a text."""
        ...

    def character(self, character: str, quote: str) -> str:
        """What stands for a character between such marks."""
        ...

    def key(self, key: PlainKey) -> str:
        """A key that is no text."""
        ...

    def brackets(self, thing: DictThing | ListThing) -> tuple[str, str]:
        """What stands before and behind the items."""
        ...


@dataclass(frozen=True, slots=True)
class Json:
    """As ``json.dumps`` writes with these options."""

    in_order: bool = False
    ascii: bool = True
    indent: int | None = None

    def constant(self, value: object) -> str:
        try:
            return json.dumps(value, default=str)
        except ValueError:
            return strings.printed_constant(value)

    def quote(self, text: str) -> str:
        return '"'

    def character(self, character: str, quote: str) -> str:
        return json.dumps(character, ensure_ascii=self.ascii)[1:-1]

    def key(self, key: PlainKey) -> str:
        return f'"{_JSON_KEYS.get(key, key)}"'

    def brackets(self, thing: DictThing | ListThing) -> tuple[str, str]:
        return ("{", "}") if isinstance(thing, DictThing) else ("[", "]")


@dataclass(frozen=True, slots=True)
class Printed:
    """As ``str`` writes a list, a tuple or a dictionary: ``repr`` of each item."""

    in_order: bool = False
    indent: int | None = None

    def constant(self, value: object) -> str:
        return repr(value) if isinstance(value, str) else strings.printed_constant(value)

    def quote(self, text: str) -> str:
        return '"' if "'" in text and '"' not in text else "'"

    def character(self, character: str, quote: str) -> str:
        if character in "'\"":
            return f"\\{character}" if character == quote else character
        return repr(character)[1:-1]

    def key(self, key: PlainKey) -> str:
        return key

    def brackets(self, thing: DictThing | ListThing) -> tuple[str, str]:
        if isinstance(thing, DictThing):
            return "{", "}"
        if thing.kind in KINDS:
            name, begin, end = thing.kind, *(("{", "}") if thing.items else ("", ""))
            return (begin, end) if begin and name == "set" else (f"{name}({begin}", f"{end})")
        if thing.kind != "tuple":
            return "[", "]"
        return "(", ",)" if len(thing.items) == 1 else ")"


def written_data(
    interpreter: Interpreter, value: Val, notation: Notation, node: ast.expr, frame: Frame
) -> Segments | None:
    """The text of a dictionary or list that is known item by item and holds fixed text; None for others."""
    thing = interpreter.thing(value, frame)
    if not isinstance(thing, DictThing | ListThing):
        return None
    writer = _Writer(interpreter, notation, node, frame)
    segments = writer.written(value, 0)
    return None if segments is None or writer.fixed < _LEAST_TEXT else segments


def written_text(interpreter: Interpreter, value: Str, node: ast.expr, frame: Frame) -> Segments:
    """``repr`` of a text."""
    return _Writer(interpreter, Printed(), node, frame).written(value, 0) or value.segments


class _Writer:
    """Writes one value. ``fixed`` counts the fixed text of its strings."""

    def __init__(self, interpreter: Interpreter, notation: Notation, node: ast.expr, frame: Frame) -> None:
        self._interpreter = interpreter
        self._notation = notation
        self._node, self._frame = node, frame
        self._span = frame.module.places.span(node)
        self.fixed = 0
        self._parts = 0

    def written(self, value: Val, depth: int) -> Segments | None:
        """A value as text; None where it is not known item by item."""
        if isinstance(value, Const):
            return (self._text(self._notation.constant(value.value)),)
        if isinstance(value, Str):
            self.fixed += literal_length(value.segments)
            if self.fixed > MOST_CHARACTERS:
                return None
            quote = self._notation.quote("".join(s.text for s in walk(value.segments) if isinstance(s, Text)))
            inner = rebuilt(value.segments, lambda segment: self._escaped(segment, quote))
            return strings.concat((self._text(quote),), inner, (self._text(quote),))
        if isinstance(value, Opaque):
            return (self._interpreter.expressions.value(value, value.expression, value.span),)
        thing = self._interpreter.thing(value, self._frame)
        self._parts += 1
        if depth > DEEPEST_DATA or self._parts > MOST_ITEMS:
            return None
        if isinstance(thing, DictThing) and not thing.kept:
            entries = sorted(thing.entries, key=lambda entry: entry[0]) if self._notation.in_order else thing.entries
            known: list[Segments] = []
            for name, under in entries:
                part = self._entry(name, under, depth)
                if part is None:
                    return None
                known.append(part)
            # What was put in by other keys may stand anywhere: it is taken for what came last.
            parts = [*known, *(self._whole(inner) for inner in thing.rest)]
            return self._between(thing, [Str(part) for part in parts], depth)
        if isinstance(thing, ListThing) and thing.unordered is None and thing.kind != "view":
            items = self._listed(thing.items, depth)
            return None if items is None else self._between(thing, items, depth)
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
        return None if inner is None else (self._text(f"{self._key(name)}: "), *inner)

    def _key(self, name: str) -> str:
        if isinstance(name, PlainKey):
            return self._notation.key(name)
        quote = self._notation.quote(name)
        return quote + "".join(self._notation.character(character, quote) for character in name) + quote

    def _between(self, thing: DictThing | ListThing, parts: Sequence[Item], depth: int) -> Segments:
        left, right = self._notation.brackets(thing)
        if not parts:
            return (self._text(left + right),)
        indent = self._notation.indent
        line = "" if indent is None else "\n" + " " * indent * (depth + 1)
        end = "" if indent is None else "\n" + " " * indent * depth
        separator = (self._text("," + (line or " ")),)
        inner = self._interpreter.expressions.join_items(separator, tuple(parts), self._node, self._frame)
        return strings.concat((self._text(left + line),), inner, (self._text(end + right),))

    def _text(self, text: str) -> Text:
        return Text(text, self._span)

    def _escaped(self, segment: Text | Value, quote: str) -> list[Segment]:
        """Fixed text as it stands between quotation marks, every character in its place."""
        if not isinstance(segment, Text):
            return [segment]
        out: list[Segment] = []
        start = 0
        for found in _ESCAPED.finditer(segment.text):
            at, character = found.start(), found.group()
            shown = self._notation.character(character, quote)
            if shown == character:
                continue
            out.append(segment.slice(start, at))
            out.append(_unit(segment, at, shown))
            start = at + 1
        if not start:
            return [segment]
        out.append(segment.slice(start, len(segment.text)))
        return out


def _unit(text: Text, at: int, shown: str) -> Text:
    """What stands for the character at that place."""
    if not isinstance(text.source, SourceMap):
        return replace(text, text=shown)
    first = text.source.source_offset(at)
    last = text.source.slice(at, at + 1).runs[-1].source_length
    return replace(text, text=shown, source=SourceMap(text.source.file, (Run(0, len(shown), first, last),)))
