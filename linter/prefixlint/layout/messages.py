"""Messages: the texts of one request that a tokenizer sees as wholes, made of pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.layout.flatten import Piece, flatten
from prefixlint.layout.variations import SAME, Variation
from prefixlint.model.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.model.templates import Block


@dataclass(frozen=True, slots=True)
class Part:
    """A piece at the characters ``start`` to ``end`` of its message. ``block`` is the index of its block.

    ``piece`` is None for text that a chat template writes; ``text`` is what stands there.
    """

    piece: Piece | None
    block: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """One string between two hard boundaries: nothing in it merges with what stands outside.

    ``role`` is "" for a plain prompt, which has no framing. ``blocks`` are the template's blocks that it joins.
    """

    role: str
    blocks: tuple[tuple[int, Block], ...]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    @property
    def pieces(self) -> tuple[tuple[int, Piece], ...]:
        """The pieces with the index of their block."""
        return tuple((part.block, part.piece) for part in self.parts if part.piece is not None)


def render(blocks: Sequence[tuple[int, Block]], variation: Variation = SAME) -> tuple[Message, ...]:
    """The messages of the request that ``variation`` describes, one for each block; plain blocks in a row make one."""
    groups: list[list[tuple[int, Block]]] = []
    for index, block in blocks:
        last = groups[-1][-1][1] if groups else None
        if last is not None and not block.role and not last.role and block.component == last.component:
            groups[-1].append((index, block))
        else:
            groups.append([(index, block)])
    return tuple(
        message(
            group[0][1].role,
            group,
            (
                (index, piece)
                for index, block in group
                for piece in flatten(block.segments, variation, appended=block.appended)
            ),
        )
        for group in groups
    )


def message(role: str, blocks: Iterable[tuple[int, Block]], pieces: Iterable[tuple[int, Piece]]) -> Message:
    """A message of pieces, each with the index of its block."""
    parts, at = [], 0
    for index, piece in pieces:
        parts.append(Part(piece, index, at, at + len(piece.text), piece.text))
        at += len(piece.text)
    return Message(role, tuple(blocks), tuple(parts))
