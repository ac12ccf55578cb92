"""Placeholders of a constant that a call of its module fills, seen by the names that it fills: no other text there has
just these."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import last_name
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.names import meaning
from prefixlint.model.lifetimes import Origin, SourceKind
from prefixlint.model.segments import Value

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import ModuleInfo
    from prefixlint.model.segments import Segment

_LEAST = 3
"""Placeholders that tell one text from another."""


def filled_nearby(segments: tuple[Segment, ...], module: ModuleInfo) -> tuple[Segment, ...]:
    """The same segments; a placeholder that is filled with something configured, by its name, is that.

    ``TEMPLATE = "… {response} …"`` and, where an object has taken that in,
    ``self.template.format(response=response_format, …)``.
    """
    names = {segment.name for segment in segments if isinstance(segment, Value) and segment.name}
    text = module.file.text
    if len(names) < _LEAST or not all(f"{name}=" in text for name in names):
        return segments
    calls = [call for info in module.functions for call in info.own_nodes.of(ast.Call) if _fills(call, names)]
    if len(calls) != 1:
        return segments
    given = {keyword.arg: last_name(keyword.value) for keyword in calls[0].keywords}
    return tuple(_filled(s, given[s.name]) if isinstance(s, Value) and s.name else s for s in segments)


def _fills(call: ast.Call, names: set[str]) -> bool:
    known = call_names()
    return last_name(call.func) in known.filling and {keyword.arg for keyword in call.keywords} == names


def _filled(value: Value, given: str) -> Value:
    said = meaning(given, loose=False)
    # What belongs to a session or is looked up stays that, whatever it is kept under: ``table_info=schema_info``.
    if said.kind is not SourceKind.CONFIGURATION or value.origin.kind is not SourceKind.USER_INPUT:
        return value
    return replace(
        value, lifetime=said.lifetime, origin=Origin(said.kind), confidence=said.confidence, shape=said.shape
    )
