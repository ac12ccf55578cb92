"""Byte-pair merging of a Hugging Face tokenizer, on UTF-8 bytes whatever its own alphabet is."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Protocol

from prefixlint.tokens.components import NotAnalysed

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tokenizers

_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")


class HuggingFaceMerges(Protocol):
    """As ``stability.Merges``."""

    @property
    def longest(self) -> int: ...
    @property
    def whole_characters(self) -> bool: ...
    def piece(self, piece: bytes) -> list[int]: ...
    def inside(self, data: bytes) -> list[int]: ...
    def bytes_of(self, token: int) -> bytes: ...
    def apart(self, left: int, token: bytes) -> bool: ...
    def starting_with(self, prefix: bytes) -> Iterator[bytes]: ...


def read_merges(backend: tokenizers.Tokenizer, *, byte_level: bool) -> HuggingFaceMerges:
    """Raises ``NotAnalysed`` for a model that has no token for some byte: what it makes of it is not worked out."""
    vocabulary = backend.get_vocab(with_added_tokens=False)
    if byte_level:
        _, to_byte = _alphabet()
        spelled = (word for word in vocabulary if all(char in to_byte for char in word))
        return ByteMerges(backend.model, _Sorted.of(bytes(map(to_byte.__getitem__, word)) for word in spelled))
    words = [word for word in vocabulary if not _BYTE_TOKEN.fullmatch(word)]
    if not backend.model.byte_fallback or len(vocabulary) - len(words) != 256:
        raise NotAnalysed("merging of characters without a token for each byte")
    return CharacterMerges(backend.model, _Sorted.of(word.encode("utf-8", "replace") for word in words))


@dataclass(frozen=True, slots=True, eq=False)
class _Sorted:
    tokens: list[bytes]
    longest: int

    @classmethod
    def of(cls, tokens: Iterator[bytes]) -> _Sorted:
        ordered = sorted(tokens)
        return cls(ordered, max(map(len, ordered), default=1))

    def starting_with(self, prefix: bytes) -> Iterator[bytes]:
        for at in range(bisect_left(self.tokens, prefix), len(self.tokens)):
            if not self.tokens[at].startswith(prefix):
                return
            yield self.tokens[at]


@dataclass(frozen=True, slots=True, eq=False)
class ByteMerges:
    """A byte-level model: each byte is written as one character of an alphabet of 256."""

    _model: tokenizers.models.BPE
    _tokens: _Sorted
    whole_characters: bool = field(default=False, init=False)

    @property
    def longest(self) -> int:
        return self._tokens.longest

    def piece(self, piece: bytes) -> list[int]:
        return [token.id for token in self._model.tokenize(self._word(piece))]

    def inside(self, data: bytes) -> list[int]:
        # Byte 0xFF stands in no text, so nothing merges with it; with it, `data` is not looked up as a whole piece.
        return self.piece(data + b"\xff")[:-1]

    def bytes_of(self, token: int) -> bytes:
        _, to_byte = _alphabet()
        return bytes(map(to_byte.__getitem__, _word_of(self._model, token)))

    def apart(self, left: int, token: bytes) -> bool:
        both = self.inside(self.bytes_of(left) + token)
        return len(both) == 2 and both[0] == left

    def starting_with(self, prefix: bytes) -> Iterator[bytes]:
        return self._tokens.starting_with(prefix)

    def _word(self, data: bytes) -> str:
        to_char, _ = _alphabet()
        return "".join(map(to_char.__getitem__, data))


@dataclass(frozen=True, slots=True, eq=False)
class CharacterMerges:
    """A model that merges characters (SentencePiece); unknown ones become tokens of single bytes, which never merge."""

    _model: tokenizers.models.BPE
    _tokens: _Sorted
    whole_characters: bool = field(default=True, init=False)

    @property
    def longest(self) -> int:
        return self._tokens.longest

    def piece(self, piece: bytes) -> list[int]:
        return [token.id for token in self._model.tokenize(piece.decode())]

    def inside(self, data: bytes) -> list[int]:
        return self.piece(data)

    def bytes_of(self, token: int) -> bytes:
        word = _word_of(self._model, token)
        byte = _BYTE_TOKEN.fullmatch(word)
        return bytes((int(byte[1], 16),)) if byte else word.encode()

    def apart(self, left: int, token: bytes) -> bool:
        try:
            pair = self.bytes_of(left).decode(), token.decode()
        except UnicodeDecodeError:
            return True  # a byte of an unknown character: no merge takes it
        both = self.piece("".join(pair).encode())
        return len(both) == 2 and both[0] == left

    def starting_with(self, prefix: bytes) -> Iterator[bytes]:
        return self._tokens.starting_with(prefix)


def _word_of(model: tokenizers.models.BPE, token: int) -> str:
    word = model.id_to_token(token)
    if word is None:
        raise ValueError(f"the model has no token {token}")
    return word


@cache
def _alphabet() -> tuple[tuple[str, ...], dict[str, int]]:
    """GPT-2's characters for the 256 bytes: a printable Latin-1 byte is itself, the others follow from U+0100 on."""
    shown = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = iter(range(0x100, 0x200))
    to_char = tuple(chr(byte) if byte in shown else chr(next(hidden)) for byte in range(256))
    return to_char, {char: byte for byte, char in enumerate(to_char)}
