"""Filling the open placeholders of a template with what a caller passes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.facts import of_segments
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Choice, Drift, Repeat, Segment, Value, merge_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.model.sources import Span


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
    drift = _window(value.expression, value.span) if facts.grows else None
    moves = part and (drift is not None or (value.origin.kind in _MOVING and value.lifetime is Lifetime.TURN))
    return (
        replace(
            value,
            lifetime=Lifetime.SESSION if part and not moves else facts.lifetime,
            origin=facts.origin,
            confidence=facts.confidence,
            name=facts.name,
            grows=facts.grows and value.grows and drift is None,
            drift=drift or value.drift,
        ),
    )


def _root(expression: str, values: Mapping[str, tuple[Segment, ...]]) -> str | None:
    """The first name in ``expression`` that is given."""
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
    drift = (_window(segment.expression, segment.span) or segment.drift) if facts.grows else None
    return replace(
        segment,
        body=body,
        lifetime=facts.lifetime,
        origin=facts.origin,
        confidence=facts.confidence,
        grows=(facts.grows or segment.grows) and drift is None,
        drift=drift,
    )


_MOVING = (SourceKind.HISTORY, SourceKind.USER_INPUT)
_CUT = re.compile(r"\[\s*-\s*(\w+)\s*:")


def _window(expression: str, span: Span) -> Drift | None:
    """The end of a conversation that ``expression`` takes, once a caller passes one: ``turns[-10:]``."""
    cut = _CUT.search(expression)
    if cut is None or cut.group(1) == "1":
        return None
    bound = cut.group(1)
    return Drift("window", expression, span, int(bound) if bound.isdecimal() else None, bound)
