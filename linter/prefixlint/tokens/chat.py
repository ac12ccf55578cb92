"""Framing of messages in tokens: what an engine puts around each message of a request.

Framing consists of special tokens, so that no text merges across it. The counts are data, ``chat.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from prefixlint import package_data
from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """Counts of framing tokens. ``opening`` stands before the first message, ``generation`` behind the last."""

    name: str
    opening: int
    generation: int
    message_head: int
    message_tail: int
    role: int
    roles: Mapping[str, int]
    source: str
    date: str

    def head(self, role: str) -> int:
        """Tokens between the message before and the text of a message of ``role``; 0 for "", a plain prompt."""
        return self.message_head + self.roles.get(role, self.role) if role else 0

    def tail(self, role: str) -> int:
        """Tokens behind the text of a message of ``role``; 0 for "", a plain prompt."""
        return self.message_tail if role else 0


@cache
def chat_format(name: str) -> ChatFormat:
    """The format ``name``: "chatml" (OpenAI) or "none". Raises ``TokenizerError`` for a name that the table lacks."""
    formats = _formats()
    if name not in formats:
        raise TokenizerError(f"unknown chat format {name!r}; there are {', '.join(formats)}")
    return formats[name]


@cache
def _formats() -> dict[str, ChatFormat]:
    table = package_data.table(__file__, "chat.toml")
    return {
        name: ChatFormat(
            name=name,
            opening=entry["opening"],
            generation=entry["generation"],
            message_head=entry["message_head"],
            message_tail=entry["message_tail"],
            role=entry["role"],
            roles=entry["roles"],
            source=entry["source"],
            date=entry["date"].isoformat(),
        )
        for name, entry in table.items()
    }
