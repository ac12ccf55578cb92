"""How large a string has become: shared parts are weighed once and counted as often as they would be rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.segments import Choice, Repeat, Text

if TYPE_CHECKING:
    from prefixlint.model.segments import Segment

    Segments = tuple[Segment, ...]

MOST_WEIGHT = 400_000
MOST_DEPTH = 20
MOST_ARMS = 24


def too_large(segments: Segments) -> bool:
    """Whether a string has more characters, arms and values, or deeper choices, than the analysis follows.

    Doubling a string twenty times makes a million of one, and nested choices double with each ``if``.
    """
    if len(segments) == 1 and isinstance(segments[0], Text):
        return len(segments[0].text) > MOST_WEIGHT
    weight, depth = _weigh(segments, {})
    return weight > MOST_WEIGHT or depth > MOST_DEPTH


def _weigh(segments: Segments, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    found = known.get(id(segments))
    if found is not None:
        return found
    weight = depth = 0
    for segment in segments:
        inner: tuple[Segments, ...] = ()
        if isinstance(segment, Text):
            weight += len(segment.text)
        elif isinstance(segment, Choice):
            inner = segment.arms
        elif isinstance(segment, Repeat):
            inner = (segment.body,)
        for part in inner:
            own, below = _weigh(part, known)
            weight += own
            depth = max(depth, below + 1)
        weight += 1
    known[id(segments)] = weight, depth
    return weight, depth
