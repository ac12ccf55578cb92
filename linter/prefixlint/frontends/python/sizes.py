"""How large a string has become: shared parts are weighed once and counted as often as they would be rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.segments import Choice, Repeat, Text

if TYPE_CHECKING:
    from prefixlint.model.segments import Segment

    Segments = tuple[Segment, ...]

MOST_CHARACTERS = 400_000
MOST_PARTS = 6_000
MOST_DEPTH = 20
MOST_ARMS = 24
MOST_ITEMS = 20_000
MOST_BLOCKS = 500
"""Parts of one request; what stands behind them is left out, and the template says so."""

Size = tuple[int, int, int]


def too_large(segments: Segments) -> bool:
    """Whether a string has more characters, more texts, values and arms, or deeper choices, than the analysis follows.

    Doubling a string twenty times makes a million of one, and nested choices double with each ``if``.
    """
    if len(segments) == 1 and isinstance(segments[0], Text):
        return len(segments[0].text) > MOST_CHARACTERS
    characters, parts, depth = _weigh(segments, {})
    return characters > MOST_CHARACTERS or parts > MOST_PARTS or depth > MOST_DEPTH


def _weigh(segments: Segments, known: dict[int, Size]) -> Size:
    """Characters, parts and depth."""
    found = known.get(id(segments))
    if found is not None:
        return found
    characters = depth = 0
    parts = len(segments)
    for segment in segments:
        if isinstance(segment, Text):
            characters += len(segment.text)
        elif isinstance(segment, Choice | Repeat):
            for inner in segment.arms if isinstance(segment, Choice) else (segment.body,):
                more, pieces, below = _weigh(inner, known)
                characters += more
                parts += pieces + 1
                depth = max(depth, below + 1)
    known[id(segments)] = characters, parts, depth
    return characters, parts, depth
