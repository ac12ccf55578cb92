"""OpenAI's encodings through tiktoken."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.tokens.common import common_prefix
from prefixlint.tokens.protocol import TokenizerError, replace_surrogates
from prefixlint.tokens.stability import settled_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tiktoken

    from prefixlint.tokens.encodings import EncodingSpec
    from prefixlint.tokens.ranks import Ranks
    from prefixlint.tokens.splitting import Splitter

_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))


@dataclass(frozen=True, slots=True, eq=False)
class TiktokenTokenizer:
    """A tiktoken encoding made from rank data at hand; tiktoken's cache and the network are never touched."""

    name: str
    _encoding: tiktoken.Encoding = field(repr=False)
    _merges: TiktokenMerges = field(repr=False)
    _splitter: Splitter = field(repr=False)
    _special: SpecialTokens | None = None

    @classmethod
    def of(cls, name: str, spec: EncodingSpec, ranks: Ranks, *, chat: bool = False) -> TiktokenTokenizer:
        """``chat``: special tokens in the text count as such."""
        import tiktoken

        from prefixlint.tokens.splitting import Splitter

        encoding = tiktoken.Encoding(
            name=spec.name,
            pat_str=spec.pattern,
            mergeable_ranks=dict(zip(ranks.tokens, ranks.ranks, strict=True)),
            special_tokens=dict(spec.special),
        )
        merges = TiktokenMerges(encoding, ranks, max(map(len, ranks.tokens)))
        special = SpecialTokens(tuple(content for content, _ in spec.special)) if chat and spec.special else None
        return cls(name, encoding, merges, Splitter.of([spec.pattern], dollar_is_end=True), special)

    def encode(self, text: str) -> list[int]:
        try:
            if self._special:
                return self._encoding.encode(replace_surrogates(text), allowed_special="all")
            return self._encoding.encode_ordinary(replace_surrogates(text))
        except BaseException as error:
            # tiktoken's regex engine gives up on white space of several 100,000 characters with a Rust panic, which
            # is a BaseException of a class that cannot be imported.
            if type(error).__name__ != "PanicException":
                raise
            raise TokenizerError(f"{self.name} cannot encode a text of {len(text):,} characters: {error}") from None

    def token_starts(self, text: str) -> list[int]:
        starts = []
        characters = 0
        for data in self._encoding.decode_tokens_bytes(self.encode(text)):
            inside = data[0] in _CONTINUATION_BYTES
            starts.append(characters - inside)
            characters += len(data.translate(None, _CONTINUATION_BYTES))
        return starts

    def guaranteed(self, text: str) -> int:
        text = replace_surrogates(text)
        start = self._special.last_end(text) if self._special else 0
        before = len(self.encode(text[:start])) if start else 0
        least = before + self._guaranteed(text[start:])
        if self._special:
            tokens = self.encode(text)
            for at in self._special.unfinished(text, start):
                least = min(least, common_prefix(tokens, self.encode(text[:at])))
        return least

    def _guaranteed(self, text: str) -> int:
        """As ``guaranteed`` for text without special tokens, followed by ordinary text."""
        settled = self._splitter.settled(text)
        tail = text[settled:]
        tokens = self.encode(tail)
        return len(self.encode(text[:settled])) + settled_tokens(tail, tokens, self._splitter, self._merges)


@dataclass(frozen=True, slots=True)
class SpecialTokens:
    """Where special tokens stand in a text, as tiktoken finds them: leftmost first, in the order of the table."""

    contents: tuple[str, ...]

    def last_end(self, text: str) -> int:
        """Where the last special token in ``text`` ends, or 0."""
        pattern = "|".join(map(re.escape, self.contents))
        return max((found.end() for found in re.finditer(pattern, text)), default=0)

    def unfinished(self, text: str, start: int) -> list[int]:
        """Offsets from ``start`` on at which one can begin that ends behind ``text``."""
        longest = max(map(len, self.contents))
        offsets = range(max(start, len(text) - longest + 1), len(text))
        return [at for at in offsets if any(content.startswith(text[at:]) for content in self.contents)]


# No UTF-8 text holds this byte, so no training text did, and no token but the byte itself has it: merging stops
# there. Behind it, a part of a piece is never looked up as if it were a whole one.
_BARRIER = b"\xff"


@dataclass(frozen=True, slots=True, eq=False)
class TiktokenMerges:
    """tiktoken's merging of one piece."""

    _encoding: tiktoken.Encoding
    _ranks: Ranks
    longest: int
    whole_characters: bool = False

    def piece(self, piece: bytes) -> list[int]:
        return self._encoding._encode_single_piece(piece)

    def inside(self, data: bytes) -> list[int]:
        return self._encoding._encode_single_piece(data + _BARRIER)[:-1]

    def bytes_of(self, token: int) -> bytes:
        return self._encoding.decode_single_token_bytes(token)

    def apart(self, left: int, token: bytes) -> bool:
        both = self.inside(self.bytes_of(left) + token)
        return len(both) == 2 and both[0] == left

    def starting_with(self, prefix: bytes) -> Iterator[bytes]:
        return self._ranks.starting_with(prefix)
