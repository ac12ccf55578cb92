"""Attributes of one object: where one of them varies, the name of another is no evidence that it stays the same.

``order.items`` differ from request to request, so the order does, and ``order.categories`` are those of that order.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.knowledge.names import expression_words, meaning, split_words
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, walk

if TYPE_CHECKING:
    from collections.abc import Set

    from prefixlint.model.segments import Segment
    from prefixlint.model.templates import Template

_ATTRIBUTE = re.compile(r"((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\.[A-Za-z_]\w*")


def by_companions(template: Template) -> Template:
    """The same template; what only its name holds to be configuration is unknown beside another attribute of its object
    that varies."""
    parts = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value | Repeat)]
    owners = {owner for part in parts if part.lifetime.varies and (owner := _owner(part))}
    if not owners or not any(_is_assumed(part, owners) for part in parts):
        return template
    blocks = (replace(block, segments=_without(block.segments, owners)) for block in template.blocks)
    return replace(template, blocks=tuple(blocks))


def _owner(part: Value | Repeat) -> str:
    """The object of which a value is an attribute; "" for those that hold what is set up beside what is asked."""
    found = _ATTRIBUTE.fullmatch(part.expression.partition("|")[0].strip())
    if found is None:
        return ""
    words = split_words(found[1].rpartition(".")[2])
    if not words or not expression_words().holders.isdisjoint(words[-1:]):
        return ""
    return "" if meaning(words[-1]).kind is SourceKind.CONFIGURATION else found[1]


def _is_assumed(part: Value | Repeat, owners: Set[str]) -> bool:
    """Whether nothing but its name says that an attribute of one of these objects is configuration."""
    by_name = part.origin.kind is SourceKind.CONFIGURATION and part.confidence is not Confidence.CERTAIN
    return by_name and part.lifetime is Lifetime.DEPLOYMENT and _owner(part) in owners


def _without(segments: tuple[Segment, ...], owners: Set[str], *, inside: bool = False) -> tuple[Segment, ...]:
    out: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Choice):
            arms = tuple(_without(arm, owners, inside=inside) for arm in segment.arms)
            out.append(replace(segment, arms=arms))
            continue
        assumed = not isinstance(segment, Text) and (inside or _is_assumed(segment, owners))
        if isinstance(segment, Repeat):
            segment = replace(segment, body=_without(segment.body, owners, inside=assumed))
        if assumed and segment.lifetime is Lifetime.DEPLOYMENT and not isinstance(segment, Text):
            origin = Origin(SourceKind.PARAMETER, segment.origin.hops)
            segment = replace(segment, lifetime=Lifetime.UNKNOWN, origin=origin, confidence=Confidence.LOW)
            segment = replace(segment, shape="text") if isinstance(segment, Value) else segment
        out.append(segment)
    return tuple(out)
