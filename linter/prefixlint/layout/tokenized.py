"""Messages in tokens: each text as a whole, with the chat format's framing around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.tokens import common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.layout.messages import Message
    from prefixlint.layout.remembering import Remembering
    from prefixlint.tokens.chat import ChatFormat


@dataclass(frozen=True, slots=True)
class Unit:
    """One message: ``head`` tokens of framing from ``start`` on, its own tokens ``ids``, ``tail`` tokens of framing."""

    start: int
    head: int
    ids: tuple[int, ...]
    tail: int

    @property
    def content(self) -> int:
        """Token at which the message's own text starts."""
        return self.start + self.head

    @property
    def content_end(self) -> int:
        return self.content + len(self.ids)

    @property
    def end(self) -> int:
        return self.content_end + self.tail


@dataclass(frozen=True, slots=True)
class Request:
    """A whole request in tokens. ``opening`` and ``generation`` are the framing in front and behind."""

    opening: int
    units: tuple[Unit, ...]
    generation: int

    @property
    def body_end(self) -> int:
        """End of the last message; the generation prompt follows."""
        return self.units[-1].end if self.units else self.opening

    @property
    def total(self) -> int:
        return self.body_end + self.generation


def tokenize(messages: Sequence[Message], tokenizer: Remembering, chat: ChatFormat) -> Request:
    """The request that ``messages`` make. A plain prompt (no message has a role) gets no framing but the opening."""
    if not messages:
        return Request(0, (), 0)
    plain = all(not message.role for message in messages)
    units: list[Unit] = []
    at = chat.opening
    for message in messages:
        head, tail = (chat.head(message.role), chat.tail(message.role)) if message.role else (0, 0)
        unit = Unit(at, head, tokenizer.encode(message.text), tail)
        units.append(unit)
        at = unit.end
    return Request(chat.opening, tuple(units), 0 if plain else chat.generation)


def common_prefix(one: Request, other: Request) -> int:
    """Tokens that two requests of one template share from the start on; all of ``one`` when nothing differs."""
    for mine, theirs in zip(one.units, other.units, strict=False):
        same = common.common_prefix(mine.ids, theirs.ids)
        if same < max(len(mine.ids), len(theirs.ids)):
            return mine.content + same
    return one.total
