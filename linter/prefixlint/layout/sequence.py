"""A measured request as the cache models see it: its tokens, and where its blocks and messages end."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import TYPE_CHECKING

from prefixlint.engines.earlier import Sent

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from prefixlint.layout.messages import Message
    from prefixlint.layout.placing import Located
    from prefixlint.layout.tokenized import Request

TALK = frozenset({"user", "assistant", "model", ""})

_numbers = count(1)


@cache
def framing(kind: str, place: int) -> int:
    """An id for a token of framing, the same for the same kind and place, below 0."""
    return -next(_numbers)


def tokens_of(messages: Sequence[Message], request: Request) -> tuple[int, ...]:
    """All tokens of ``request``, those of framing with ids of their own."""
    ids = [framing("opening", at) for at in range(request.opening)]
    for message, unit in zip(messages, request.units, strict=True):
        ids += head(message.role, unit.head)
        ids += unit.ids
        ids += (framing("tail", at) for at in range(unit.tail))
    return (*ids, *head("assistant", request.generation))


def head(role: str, tokens: int) -> list[int]:
    """A message's start, then its role: other roles share the first token, and so does the generation prompt."""
    return [framing("start", 0), *(framing(f"role {role}", at) for at in range(1, tokens))] if tokens else []


def cuts(located: Sequence[Located], marked: Collection[int], total: int) -> Sent:
    """Where a request of ``total`` tokens is cut; its tokens are left open. ``marked`` are indices of blocks.

    What two requests share is told by a gate: see ``Sent.gates``.
    """
    ends: dict[int, int] = {}
    starts: dict[int, int] = {}
    said: dict[int, str] = {}
    for item in located:
        if item.framing:
            continue
        block = item.placed.block
        starts.setdefault(block, item.placed.start)
        ends[block] = item.placed.end
        if item.placed.component == "messages":
            said[block] = item.placed.role
    return Sent(
        tokens=(0,) * total,
        blocks=tuple(sorted({end for end in ends.values() if end})),
        markers=tuple(sorted({ends[block] for block in marked if ends.get(block)})),
        messages=tuple(sorted({ends[block] for block in said if ends[block]})),
        talk=tuple(sorted({ends[block] for block, role in said.items() if role in TALK and ends[block]})),
        users=tuple(sorted({starts[block] for block, role in said.items() if role == "user"})),
    )
