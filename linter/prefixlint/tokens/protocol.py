"""What a tokenizer is to the rest of prefixlint."""

from __future__ import annotations

from typing import Protocol


class TokenizerError(Exception):
    """A tokenizer cannot be had or used. The message names the file or name at fault and the way out."""


class Tokenizer(Protocol):
    """Text to tokens and back to places in the text. Implementations are immutable and safe to share."""

    @property
    def name(self) -> str:
        """The name under which ``get_tokenizer`` gave it."""
        ...

    def encode(self, text: str) -> list[int]:
        """Token ids of ``text`` as ordinary text: special tokens are not interpreted, nothing is added."""
        ...

    def token_starts(self, text: str) -> list[int]:
        """For each token of ``encode(text)`` the offset in characters at which it starts; never decreasing.

        A character split over several tokens gives its own offset for each of them.
        """
        ...

    def guaranteed(self, text: str) -> int:
        """Number of leading tokens of ``encode(text)`` that stay whatever text follows, 0 to ``len(encode(text))``.

        Holds for every continuation of ordinary text, the empty one too. A special token or the end of a message closes
        the text: then nothing is lost and this bound is not needed.
        """
        ...


def replace_surrogates(text: str) -> str:
    """``text`` with each lone surrogate (no UTF-8 form) replaced by U+FFFD, so that offsets stay."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
