"""Standard input of the language server: messages no longer than any editor sends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import BinaryIO, Final

LONGEST: Final = 256_000_000
"""Bytes of a message; an editor sends whole files."""
_LINE: Final = 4_000


class Bounded:
    """``stream``, as pygls reads it. A message that claims to be longer ends the input, with the reason on standard
    error: what follows it could not be told from the rest of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self, *_: object) -> bytes:
        return self._stream.readline(_LINE)

    def read(self, size: int) -> bytes:
        if size > LONGEST:
            print(f"prefixlint: a message of {size:,} bytes is not read; the server ends", file=sys.stderr)
            return b""
        return self._stream.read(size)

    def close(self) -> None:
        self._stream.close()
