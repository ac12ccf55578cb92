"""Which stretches of a file are values of a prompt, and how long each lives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.segments import Text, literal_length, walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.model.sources import SourceFile, Span
    from prefixlint.model.templates import Template

LARGEST_CHOICE = 240
"""Longest fixed text inside of a choice or loop that may move with it."""


def value_places(source: SourceFile, templates: Iterable[Template]) -> dict[tuple[int, int], float]:
    """Offsets of all values that the prompts have in this file, with the rank of the shortest lifetime there.

    The places on a value's way into the prompt count as well ("part of the prompt through `articles`"). A choice or a
    loop with much fixed text in it is left out.
    """
    out: dict[tuple[int, int], float] = {}

    def note(span: Span, rank: float) -> None:
        if span.path == source.path:
            place = (source.offset(span.start), source.offset(span.end))
            out[place] = min(out.get(place, rank), rank)

    for template in templates:
        for block in template.blocks:
            for segment in walk(block.segments):
                if isinstance(segment, Text) or not segment.lifetime.known:
                    continue
                if literal_length([segment]) <= LARGEST_CHOICE:
                    rank = float(segment.lifetime.rank)
                    note(segment.span, rank)
                    for hop in segment.origin.hops:
                        note(hop.span, rank)
    return out


def rank_within(places: dict[tuple[int, int], float], start: int, end: int, default: float) -> float:
    """The shortest life of what stands between two offsets; ``default`` where nothing is known to."""
    return min((rank for (low, high), rank in places.items() if start <= low and high <= end), default=default)
