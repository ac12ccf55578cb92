"""Rank files of byte-pair encodings in a compact form that loads fast.

A packed file is 4 bytes (number of tokens *n*, little endian) and a zlib stream of: *n* bytes, the length of each
token; the tokens' bytes; *n* ranks of 4 bytes, little endian. Tokens stand in byte order, not in rank order, so that
the vocabulary can be searched by prefix without sorting it first.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from bisect import bisect_left
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Mergeable tokens in byte order, and the rank (which is the id) of each."""

    tokens: tuple[bytes, ...]
    ranks: array[int]

    def starting_with(self, prefix: bytes) -> Iterator[bytes]:
        """The tokens that start with ``prefix``, in byte order."""
        tokens = self.tokens
        for at in range(bisect_left(tokens, prefix), len(tokens)):
            if not tokens[at].startswith(prefix):
                return
            yield tokens[at]


def pack(ranks: dict[bytes, int]) -> bytes:
    """The packed form of a vocabulary. Tokens are at most 255 bytes long."""
    tokens = sorted(ranks)
    values = _little_endian(array("I", (ranks[token] for token in tokens)))
    plain = bytes(map(len, tokens)) + b"".join(tokens) + values.tobytes()
    return len(tokens).to_bytes(4, "little") + zlib.compress(plain, 9)


def unpack(data: bytes) -> Ranks:
    """Reads the packed form; raises ``TokenizerError`` where the data are damaged."""
    try:
        count = int.from_bytes(data[:4], "little")
        plain = zlib.decompress(data[4:])
        values = array("I")
        values.frombytes(plain[len(plain) - 4 * count :])
        tokens = tuple(map(BytesIO(memoryview(plain)[count:]).read, plain[:count]))
    except (zlib.error, ValueError) as error:
        raise TokenizerError(f"a packed rank file is damaged ({error}); install prefixlint anew") from error
    return Ranks(tokens, _little_endian(values))


def parse_rank_file(data: bytes) -> dict[bytes, int]:
    """Reads a ``.tiktoken`` file: a token in base64, a space and its rank on each line. Raises ``ValueError``."""
    return {b64decode(token): int(rank) for token, rank in (line.split() for line in data.splitlines() if line)}


def write_rank_file(ranks: Ranks) -> bytes:
    """The ``.tiktoken`` file, byte for byte, from which ``ranks`` was packed."""
    in_order = sorted(zip(ranks.ranks, ranks.tokens, strict=True))
    return b"".join(b"%s %d\n" % (b64encode(token), rank) for rank, token in in_order)


def _little_endian(values: array[int]) -> array[int]:
    if values.itemsize != 4:
        raise TokenizerError("this platform has no 4-byte unsigned integer array; rank files cannot be read")
    if sys.byteorder == "big":
        values.byteswap()
    return values
