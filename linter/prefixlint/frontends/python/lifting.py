"""Values that are made once and kept: they live as long as the moment at which they were made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import lift
from prefixlint.frontends.python.values import Choose, Opaque, Str
from prefixlint.model.segments import Choice, Repeat, Text

if TYPE_CHECKING:
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.lifetimes import Lifetime
    from prefixlint.model.segments import Segment


def lifted(value: Val, moment: Lifetime) -> Val:
    """A value that is made once for each ``moment`` and kept."""
    if isinstance(value, Opaque):
        return replace(value, lifetime=lift(value.lifetime, moment))
    if isinstance(value, Choose):
        return replace(value, values=tuple(lifted(arm, moment) for arm in value.values))
    return Str(lifted_segments(value.segments, moment)) if isinstance(value, Str) else value


def lifted_segments(segments: tuple[Segment, ...], moment: Lifetime) -> tuple[Segment, ...]:
    """The same tuple where every part lives as long as that."""
    return _lifted(segments, moment, {})


def _lifted(
    segments: tuple[Segment, ...], moment: Lifetime, known: dict[int, tuple[Segment, ...]]
) -> tuple[Segment, ...]:
    found = known.get(id(segments))
    if found is not None:
        return found
    out: list[Segment] = []
    changed = False
    for segment in segments:
        new = segment
        if isinstance(segment, Choice):
            arms = tuple(_lifted(arm, moment, known) for arm in segment.arms)
            lifetime = lift(segment.lifetime, moment)
            if lifetime is not segment.lifetime or any(a is not b for a, b in zip(arms, segment.arms, strict=True)):
                new = replace(segment, arms=arms, lifetime=lifetime)
        elif isinstance(segment, Repeat):
            body = _lifted(segment.body, moment, known)
            lifetime = lift(segment.lifetime, moment)
            if lifetime is not segment.lifetime or body is not segment.body:
                new = replace(segment, body=body, lifetime=lifetime)
        elif not isinstance(segment, Text) and (lifetime := lift(segment.lifetime, moment)) is not segment.lifetime:
            new = replace(segment, lifetime=lifetime)
        changed = changed or new is not segment
        out.append(new)
    known[id(segments)] = result = tuple(out) if changed else segments
    return result
