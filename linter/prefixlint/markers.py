"""Cache markers of a layout, and the values in front of them that differ from request to request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind
from prefixlint.model.segments import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.model.layouts import Layout
    from prefixlint.model.templates import Block

_VOLATILE = frozenset(
    {SourceKind.CLOCK, SourceKind.ID, SourceKind.RANDOM, SourceKind.SHUFFLED, SourceKind.USER_INPUT, SourceKind.SUMMARY}
)
"""What is never asked about twice. A document or a conversation may well be: marking those is what markers are for."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A block with a cache marker at its end.

    ``own`` are the volatile values in it, ``before`` those in front of it.
    """

    block: Block
    own: tuple[Value, ...]
    before: tuple[Value, ...]


def marked_blocks(layout: Layout) -> Iterator[Marked]:
    """The marked blocks in the order in which the engine sees them.

    Only values in tools and system text count. What a message holds is sent again in the next turn of a conversation,
    which then reads what this one has written; whether there is one, a template does not always show. Values of low
    confidence are left out.
    """
    template = layout.template
    if not any(block.cache_marker for block in template.blocks):
        return
    order = list(dict.fromkeys(placed.block for placed in layout.placed))
    before: list[Value] = []
    for number in order:
        block = template.blocks[number]
        own = [
            placed.segment
            for placed in layout.placed
            if placed.block == number
            and placed.component != "messages"
            and isinstance(placed.segment, Value)
            and _volatile(placed.segment)
        ]
        if block.cache_marker:
            yield Marked(block, tuple(own), tuple(before))
        before.extend(own)


def _volatile(value: Value) -> bool:
    return (
        value.lifetime in (Lifetime.TURN, Lifetime.REQUEST)
        and value.origin.kind in _VOLATILE
        and value.confidence is not Confidence.LOW
    )
