"""How many leading tokens of a text no continuation can change, for byte-pair encodings.

Inside a piece that goes on behind the known text R, this uses a property of byte-pair merging: a sequence of tokens
is the encoding of its bytes exactly if each two neighbours are the encoding of theirs. (Merges inside a token do not
depend on what stands outside until a merge crosses the token's border, and the first merge to cross a border needs
the two tokens beside it alone.) So whatever follows R, the encoding of the whole piece is the encoding of R up to
some byte ``cut``, then a token that covers the rest of R and more: one that starts with ``R[cut:]`` and keeps apart
from the token before it. Looking at every cut at which such a token exists gives all ways in which the tokens of R
can change. The loss does not shrink evenly as the cut moves to the right, so every cut counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from prefixlint.tokens.common import common_prefix
from prefixlint.tokens.splitting import Splitter, TooManyWays

if TYPE_CHECKING:
    from collections.abc import Iterable


class Merges(Protocol):
    """Byte-pair merging, on UTF-8 bytes."""

    @property
    def longest(self) -> int:
        """Length of the longest token in bytes."""
        ...

    @property
    def whole_characters(self) -> bool:
        """Whether merging works on characters, so that no token of a known character ends inside it."""
        ...

    def piece(self, piece: bytes) -> list[int]:
        """Tokens of a whole piece. Some tokenizers look a whole piece up before they merge."""
        ...

    def inside(self, data: bytes) -> list[int]:
        """Tokens that merging alone gives for a part of a piece."""
        ...

    def bytes_of(self, token: int) -> bytes: ...

    def apart(self, left: int, token: bytes) -> bool:
        """Whether merging leaves ``left`` and the bytes ``token`` behind it as two tokens."""
        ...

    def starting_with(self, prefix: bytes) -> Iterable[bytes]:
        """All tokens that start with ``prefix``."""
        ...


MOST_TOKENS_TRIED = 20_000
"""Tokens looked at for one cut before it is taken to be possible (which can only lower the result)."""


def settled_tokens(tail: str, tokens: list[int], splitter: Splitter, merges: Merges) -> int:
    """How many of the first ``tokens`` start every encoding of ``tail`` and a continuation.

    ``tail`` starts where a piece starts whatever follows (``Splitter.settled``). Sound: never too many.
    """
    try:
        cuts = splitter.cuts(tail)
    except TooManyWays:
        return 0
    least = len(tokens)
    for cut in cuts:
        before = [token for piece in cut.closed for token in merges.piece(piece.encode())]
        same = common_prefix(tokens, before)
        if same < len(before) or not cut.open:
            least = min(least, same)
        else:
            least = min(least, _through_open_piece(tokens, before, cut.open, least, splitter, merges))
    return least


def _through_open_piece(
    tokens: list[int], before: list[int], piece: str, least: int, splitter: Splitter, merges: Merges
) -> int:
    """Fewest of ``tokens`` that are left when ``piece`` goes on, or ``least`` if that is less."""
    known = piece.encode()
    whole = merges.inside(known)
    anchor, fixed = _anchor(known, whole, merges)
    outcomes: list[tuple[int, int, list[int]]] = [(common_prefix(tokens, before + whole), len(known), whole)]
    for at in range(max(0, len(known) - merges.longest + 1), len(known)):
        if merges.whole_characters and 0x80 <= known[at] < 0xC0:
            continue
        head = _head(known, at, anchor, fixed, merges)
        outcomes.append((common_prefix(tokens, before + head), at, head))
    for common, at, head in sorted(outcomes, key=lambda outcome: outcome[:2]):
        if common >= least:
            break
        if at == len(known) or _can_cover(known[at:], head, piece, splitter, merges):
            return common
    return least


def _anchor(known: bytes, whole: list[int], merges: Merges) -> tuple[int, list[int]]:
    """A border between the tokens ``whole`` of ``known`` far enough from the end, and the tokens before it."""
    enough = 4 * merges.longest
    at = len(known)
    for count in range(len(whole), 0, -1):
        # Not between two bytes of an unknown character, which are tokens of their own.
        inside = merges.whole_characters and at < len(known) and 0x80 <= known[at] < 0xC0
        if len(known) - at >= enough and not inside:
            return at, whole[:count]
        at -= len(merges.bytes_of(whole[count - 1]))
    return 0, []


def _head(known: bytes, at: int, anchor: int, fixed: list[int], merges: Merges) -> list[int]:
    """Tokens of ``known[:at]``: those before the anchor and of the rest by itself, where the two keep apart."""
    rest = merges.inside(known[anchor:at]) if at > anchor else []
    if not fixed or not rest or merges.apart(fixed[-1], merges.bytes_of(rest[0])):
        return fixed + rest
    return merges.inside(known[:at])


def _can_cover(rest: bytes, head: list[int], piece: str, splitter: Splitter, merges: Merges) -> bool:
    """Whether, behind the tokens ``head``, some token can cover ``rest`` and go on behind it."""
    refused: set[str] = set()
    for tried, token in enumerate(merges.starting_with(rest)):
        if tried == MOST_TOKENS_TRIED:
            return True
        more = token[len(rest) :]
        characters = _leading_characters(more) if more else None
        if characters is None or characters in refused or (head and not merges.apart(head[-1], token)):
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
