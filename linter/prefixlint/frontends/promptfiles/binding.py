"""Filling the open placeholders of a template with what a caller passes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.facts import of_segments
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Segment, Value, merge_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def bind(segments: Sequence[Segment], values: Mapping[str, tuple[Segment, ...]]) -> tuple[Segment, ...]:
    """``segments`` with their open placeholders filled by ``values``, keyed by ``Value.name``.

    A placeholder that is the bare name is replaced; one that does something with it (``{{ user.name }}``, a filter, a
    loop, a condition) stays and takes over lifetime, origin and confidence. Unnamed and unmatched placeholders stay as
    they are.
    """
    out: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Value):
            out += _bound_value(segment, values)
        elif isinstance(segment, Choice):
            out.append(_bound_choice(segment, values))
        elif isinstance(segment, Repeat):
            out.append(_bound_repeat(segment, values))
        else:
            out.append(segment)
    return merge_text(out)


def _bound_value(value: Value, values: Mapping[str, tuple[Segment, ...]]) -> tuple[Segment, ...]:
    if not value.name or value.name not in values:
        return (value,)
    given = values[value.name]
    if value.expression.strip() == value.name:
        return given
    facts = of_segments(given)
    # A part of a conversation: its end moves from turn to turn, what is past stays.
    part = facts.grows and not value.grows
    moves = part and value.origin.kind is SourceKind.HISTORY and value.lifetime is Lifetime.TURN
    return (
        replace(
            value,
            lifetime=Lifetime.SESSION if part and not moves else facts.lifetime,
            origin=facts.origin,
            confidence=facts.confidence,
            name=facts.name,
            grows=facts.grows and value.grows,
        ),
    )


def _root(expression: str, values: Mapping[str, tuple[Segment, ...]]) -> str | None:
    """The first name in ``expression`` that is given."""
    import re

    for match in re.finditer(r"(?<![\w.'\"])[A-Za-z_]\w*", expression):
        if match.group() in values:
            return match.group()
    return None


def _bound_choice(segment: Choice, values: Mapping[str, tuple[Segment, ...]]) -> Choice:
    arms = tuple(bind(arm, values) for arm in segment.arms)
    root = _root(segment.expression, values)
    if root is None:
        return replace(segment, arms=arms)
    facts = of_segments(values[root])
    confidence = facts.confidence.at_most(segment.confidence) if segment.lifetime.known else facts.confidence
    return replace(segment, arms=arms, lifetime=facts.lifetime, confidence=confidence)


def _bound_repeat(segment: Repeat, values: Mapping[str, tuple[Segment, ...]]) -> Repeat:
    body = bind(segment.body, values)
    root = _root(segment.expression, values)
    if root is None:
        return replace(segment, body=body)
    facts = of_segments(values[root])
    return replace(
        segment,
        body=body,
        lifetime=facts.lifetime,
        origin=facts.origin,
        confidence=facts.confidence,
        grows=facts.grows or segment.grows,
    )
