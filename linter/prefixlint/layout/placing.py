"""Pieces in their places, in tokens of the whole request."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.model.layouts import Placed
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.layout.flatten import Piece
    from prefixlint.layout.messages import Message
    from prefixlint.layout.remembering import Remembering
    from prefixlint.layout.tokenized import Request
    from prefixlint.model.templates import Block


@dataclass(frozen=True, slots=True)
class Located:
    """A piece with its place. ``unit`` and ``offset`` are its message and its first character in it.

    ``piece`` is None for framing: what a chat template writes around a message, or the tokens that a chat format
    counts there, which are placed as a text without characters, so that all placed tokens add up to the request.
    """

    placed: Placed
    piece: Piece | None
    unit: int
    offset: int

    @property
    def framing(self) -> bool:
        return self.piece is None


def locate(messages: Sequence[Message], request: Request, tokenizer: Remembering) -> tuple[Located, ...]:
    """All pieces and all framing in order; their tokens tile 0 to ``request.total``, their texts the rendered request.

    A token belongs to the piece in which it starts.
    """
    out: list[Located] = []
    start = 0
    for number, (message, unit) in enumerate(zip(messages, request.units, strict=True)):
        blocks = dict(message.blocks)
        _frame(out, message.blocks[0], start, unit.content, number)
        starts = tokenizer.starts(message.text)
        for part in message.parts:
            piece, source = part.piece, blocks[part.block]
            first, last = (unit.content + bisect_left(starts, at) for at in (part.start, part.end))
            segment, lifetime = (piece.segment, piece.lifetime) if piece else (Text("", source.span), Lifetime.CONSTANT)
            placed = Placed(
                segment,
                source.role,
                source.component,
                lifetime,
                first,
                last,
                part.text,
                part.block,
                source.inserted,
            )
            out.append(Located(placed, piece, number, part.start))
        _frame(out, message.blocks[-1], unit.content_end, unit.end, number)
        start = unit.end
    if messages:
        _frame(out, messages[-1].blocks[-1], request.body_end, request.total, len(messages) - 1)
    return tuple(out)


def _frame(out: list[Located], block: tuple[int, Block], start: int, end: int, unit: int) -> None:
    if end > start:
        index, source = block
        text = Text("", source.span)
        placed = Placed(text, source.role, source.component, Lifetime.CONSTANT, start, end, "", index)
        out.append(Located(placed, None, unit, 0))
