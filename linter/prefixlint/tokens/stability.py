"""How many leading tokens of a text no continuation can change, for byte-pair encodings that cut text into pieces first.

Inside a piece that goes on behind the known text R, this uses a property of byte-pair merging: a sequence of tokens is the
encoding of its bytes exactly if each two neighbours are the encoding of theirs. (Merges inside a token do not depend on what
stands outside until a merge crosses the token's border, and the first merge to cross a border needs the two tokens beside it
alone.) So whatever follows R, the encoding of the whole piece is the encoding of R up to some byte ``cut``, then a token that
covers the rest of R and more: one that starts with ``R[cut:]`` and keeps apart from the token before it. Looking at every cut
at which such a token exists gives all ways in which the tokens of R can change. The loss does not shrink evenly as the cut
moves to the right, so every cut counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from prefixlint.tokens.splitting import Cut, Splitter, TooManyWays


class Merges(Protocol):
    """Byte-pair merging of one piece."""

    @property
    def longest(self) -> int:
        """Length of the longest token in bytes."""
        ...

    def encode_piece(self, piece: bytes) -> list[int]:
        """Tokens of ``piece``, which need not be whole characters."""
        ...

    def token_bytes(self, token: int) -> bytes: ...

    def starting_with(self, prefix: bytes) -> Iterable[bytes]:
        """All tokens that start with ``prefix``."""
        ...


MOST_TOKENS_TRIED = 20_000
"""Tokens looked at for one cut before it is taken to be possible (which can only lower the result)."""


def settled_tokens(tail: str, tokens: list[int], splitter: Splitter, merges: Merges) -> int:
    """Leading tokens of ``tail`` that no continuation can change.

    ``tail`` starts where a piece starts whatever follows (``Splitter.settled``); ``tokens`` are its own tokens when nothing
    follows. Sound: never too many.
    """
    try:
        cuts = splitter.cuts(tail)
    except TooManyWays:
        return 0
    least = len(tokens)
    for cut in cuts:
        before = [token for piece in cut.closed for token in merges.encode_piece(piece.encode())]
        least = min(least, _common(tokens, before) if not cut.open else least)
        if cut.open:
            least = min(least, _after_open_piece(tokens, before, cut, least, splitter, merges))
    return least


def _after_open_piece(
    tokens: list[int], before: list[int], cut: Cut, least: int, splitter: Splitter, merges: Merges
) -> int:
    same = _common(tokens, before)
    if same < len(before):
        return same
    known = cut.open.encode()
    outcomes = []
    for at in range(max(0, len(known) - merges.longest + 1), len(known)):
        head = merges.encode_piece(known[:at]) if at else []
        outcomes.append((_common(tokens, before + head), at, head))
    for common, at, head in sorted(outcomes, key=lambda outcome: outcome[:2]):
        if common >= least:
            break
        if _can_cover(known[at:], head, cut.open, splitter, merges):
            return common
    return least


def _can_cover(rest: bytes, head: list[int], piece: str, splitter: Splitter, merges: Merges) -> bool:
    """Whether, behind the tokens ``head``, some token can cover ``rest`` and go on behind it."""
    left = merges.token_bytes(head[-1]) if head else b""
    refused: set[str] = set()
    for tried, token in enumerate(merges.starting_with(rest)):
        if tried == MOST_TOKENS_TRIED:
            return True
        more = token[len(rest) :]
        characters = _leading_characters(more) if more else None
        if characters is None or characters in refused:
            continue
        if head and merges.encode_piece(left + token) != [head[-1], *merges.encode_piece(token)]:
            continue
        if splitter.goes_on(piece, characters):
            return True
        refused.add(characters)
    return False


def _leading_characters(data: bytes) -> str | None:
    """The whole characters at the start of ``data``, which may end within one; None if it is not the start of UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return None
        return data[: error.start].decode()


def _common(first: list[int], second: list[int]) -> int:
    for at, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return at
    return min(len(first), len(second))
