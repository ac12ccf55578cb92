"""A tokenizer that tokenizes each text once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prefixlint.tokens.protocol import Tokenizer

TEXTS = 256
"""How many texts are remembered: those of a few templates, which share most of theirs between requests and targets."""


class Remembering:
    """``tokenizer`` with its last answers at hand."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._encode = lru_cache(TEXTS)(lambda text: tuple(tokenizer.encode(text)))
        self._starts = lru_cache(TEXTS)(lambda text: tuple(tokenizer.token_starts(text)))
        self._guaranteed = lru_cache(TEXTS)(tokenizer.guaranteed)

    def encode(self, text: str) -> tuple[int, ...]:
        """Tokens of ``text``, none of an empty one."""
        return self._encode(text) if text else ()

    def starts(self, text: str) -> tuple[int, ...]:
        """For each token of ``text`` the character at which it starts."""
        return self._starts(text) if text else ()

    def guaranteed(self, text: str) -> int:
        """Leading tokens of ``text`` that no continuation can change."""
        return self._guaranteed(text) if text else 0


@lru_cache(maxsize=8)
def remembering(name: str, *, chat: bool = False) -> Remembering:
    """The tokenizer called ``name``, for a rendered ``chat`` or for plain text.

    Raises ``TokenizerError`` where it cannot be had.
    """
    from prefixlint.tokens import get_tokenizer

    return Remembering(get_tokenizer(name, chat=chat))
