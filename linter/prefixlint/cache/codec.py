"""What the front ends found, and what was made of it, as JSON and back.

Only the classes listed here are ever made, from plain numbers, strings and lists: a file that somebody else wrote can
at worst give wrong data, and nothing in it is run.
"""

from __future__ import annotations

import json
import marshal
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from prefixlint.model.layouts import Breakpoint, Inversion, Layout, Placed, SharedPrefix, TemplateEffect
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Drift, Repeat, Text, Value
from prefixlint.model.sources import Position, Run, SourceFile, SourceMap, Span
from prefixlint.model.targets import CacheModel, Invalidator, Prediction, Target
from prefixlint.model.templates import Block, Extraction, Problem, Template

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import Enum

_CLASSES: tuple[type[Any], ...] = (
    Position,
    Span,
    Run,
    SourceMap,
    Hop,
    Origin,
    Drift,
    Text,
    Value,
    Choice,
    Repeat,
    Block,
    Template,
    Problem,
    Extraction,
    CacheModel,
    Invalidator,
    Target,
    Placed,
    Breakpoint,
    Inversion,
    SharedPrefix,
    TemplateEffect,
    Prediction,
    Layout,
)
_ENUMS: tuple[type[Enum], ...] = (Lifetime, SourceKind, Confidence, HopKind)
_FIELDS = {cls: tuple(field.name for field in fields(cls)) for cls in _CLASSES}
_NUMBER: dict[type, int] = {cls: number for number, cls in enumerate(_CLASSES)}
_ENUM: dict[type, int] = {cls: number for number, cls in enumerate(_ENUMS)}


class NotStorable(Exception):
    """A value of a class that is not kept on disk."""


class Damaged(ValueError):
    """Stored data that cannot have been written by this code, or whose files are gone."""


def dump(extractions: Mapping[str, Extraction]) -> bytes:
    """Raises ``NotStorable``."""
    return pack(extractions)


def pack(values: Mapping[str, Any], files: dict[str, SourceFile] | None = None) -> bytes:
    """Tuples of plain values and of the classes above, each under a name. Raises ``NotStorable``.

    Equal parts are written once. The files that texts point into go to ``files``, by their paths.
    """
    table: list[list[Any]] = []
    places: dict[bytes, int] = {}

    def entry(value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float) or type(value) is str:
            return value
        if isinstance(value, tuple):
            return [0, *map(entry, value)]
        kind = type(value)
        if kind in _ENUM:
            return [1, _ENUM[kind], value.value]
        if kind is SourceFile:
            if files is not None:
                files[value.path] = value
            return [2, value.path]
        if kind not in _NUMBER:
            raise NotStorable(kind.__name__)
        row = [_NUMBER[kind], *(entry(getattr(value, name)) for name in _FIELDS[kind])]
        key = marshal.dumps(row, 0)  # a quick key for equal rows, to which True is not 1; it is not kept
        if key not in places:
            places[key] = len(table)
            table.append(row)
        return [3, places[key]]

    top = {name: entry(value) for name, value in values.items()}
    return json.dumps({"table": table, "top": top}, separators=(",", ":")).encode()


def load(data: bytes, file_of: Callable[[str], SourceFile | None]) -> dict[str, Extraction]:
    """What ``dump`` wrote; ``file_of`` gives the files that texts point into. Raises ``Damaged``."""
    out = unpack(data, file_of)
    if not all(isinstance(extraction, Extraction) for extraction in out.values()):
        raise Damaged("no extractions")
    return out


def unpack(
    data: bytes, file_of: Callable[[str], SourceFile | None], found: Callable[[Any], Any] = lambda thing: thing
) -> dict[str, Any]:
    """What ``pack`` wrote, each object of it as ``found`` gives it back. Raises ``Damaged``."""
    made: list[Any] = []

    def value(entry: Any) -> Any:
        if not isinstance(entry, list):
            return entry
        tag = entry[0]
        if tag == 0:
            return tuple(map(value, entry[1:]))
        if tag == 1:
            return _ENUMS[entry[1]](entry[2])
        if tag == 2:
            file = file_of(entry[1])
            if file is None:
                raise Damaged(f"{entry[1]} is gone")
            return file
        return made[entry[1]]

    try:
        raw = json.loads(data)
        for row in raw["table"]:
            made.append(found(_CLASSES[row[0]](*map(value, row[1:]))))
        return {name: value(entry) for name, entry in raw["top"].items()}
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise Damaged(str(error)) from error
