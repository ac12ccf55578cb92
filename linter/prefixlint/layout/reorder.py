"""The layout after the fix: what varies goes to the end of the request, the longest-lived first."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from prefixlint.layout.messages import Message, message
from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.layout.flatten import Piece


def sorted_already(messages: Sequence[Message]) -> bool:
    """Does nothing stand behind what lives shorter? Then there is nothing to gain."""
    places = [_place(piece) for each in messages for _, piece in each.pieces if piece.text]
    return all(one >= other for one, other in pairwise(places))


def reordered(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The same pieces with all that varies at the end of the last message; messages left without a piece are gone.

    Fixed text keeps its message and its order, so roles and their framing stay. What varies is sorted by lifetime, a
    conversation between session and turn, unknown values last.
    """
    moved = [(block, piece) for each in messages for block, piece in each.pieces if not piece.stable]
    moved.sort(key=lambda item: _place(item[1]), reverse=True)
    all_blocks = {index: block for each in messages for index, block in each.blocks}
    out = []
    for number, each in enumerate(messages):
        kept = [(block, piece) for block, piece in each.pieces if piece.stable]
        last = number == len(messages) - 1
        if kept or last:
            here = dict(each.blocks) | ({index: all_blocks[index] for index, _ in moved} if last else {})
            out.append(message(each.role, here.items(), kept + (moved if last else [])))
    return tuple(out)


def stable_end(messages: Sequence[Message]) -> tuple[int, int]:
    """Where the stable part of reordered messages ends: message and character."""
    at = len(messages) - 1
    parts = messages[at].parts
    varies = (part.start for part in parts if part.piece is not None and not part.piece.stable)
    return at, next(varies, parts[-1].end if parts else 0)


def _place(piece: Piece) -> float:
    if piece.stable:
        return Lifetime.CONSTANT.rank
    if piece.appended:
        return (Lifetime.SESSION.rank + Lifetime.TURN.rank) / 2
    return piece.lifetime.rank
