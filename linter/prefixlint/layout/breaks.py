"""The breakpoint: the first place where two requests of a template differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.layout.tokenized import Request, common_prefix
from prefixlint.model.layouts import Breakpoint
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Choice, Repeat, Text, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.layout.messages import Message
    from prefixlint.layout.placing import Located
    from prefixlint.layout.remembering import Remembering
    from prefixlint.model.sources import Span


@dataclass(frozen=True, slots=True)
class Break:
    """What breaks first. ``behind`` is true for a growing conversation, which breaks at its end."""

    located: Located
    behind: bool
    segment: Text | Value | Choice | Repeat
    lifetime: Lifetime


def first_break(located: Sequence[Located]) -> Break | None:
    """The first piece that can differ between two requests, or a conversation that ends first, or None."""
    for item in located:
        piece = item.piece
        if piece is None:
            continue
        if piece.breaks:
            return Break(item, False, piece.segment, piece.lifetime)
        if piece.growing is not None:
            return Break(item, True, piece.growing, Lifetime.TURN)
    return None


def breakpoint_of(
    found: Break, messages: Sequence[Message], request: Request, following: Request, tokenizer: Remembering
) -> Breakpoint:
    """The breakpoint at ``found`` in ``request``, expected from the tokens that it shares with the ``following``
    request.

    Text that itself is known to vary has no second sample; there the guaranteed token is all that can be said.
    """
    item = found.located
    offset = item.offset + (len(item.placed.text) if found.behind else 0)
    safe = request.units[item.unit].content + tokenizer.guaranteed(messages[item.unit].text[:offset])
    expected = safe if isinstance(found.segment, Text) else common_prefix(request, following)
    return Breakpoint(
        expected, min(safe, expected), span_of(found.segment), expression_of(found.segment), found.lifetime
    )


def span_of(segment: Text | Value | Choice | Repeat) -> Span:
    return segment.span() if isinstance(segment, Text) else segment.span


def expression_of(segment: Text | Value | Choice | Repeat) -> str:
    return "" if isinstance(segment, Text) else segment.expression
