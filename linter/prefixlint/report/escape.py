"""Analysed text made fit for a terminal or a line of output: whatever it holds, it stays text."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

# Cc control, Cf format (bidirectional overrides, zero-width), Cs surrogates, Zl and Zp line ends that editors honour.
_ESCAPED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\x1b"}


@lru_cache(maxsize=4096)
def _shown(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if unicodedata.category(char) not in _ESCAPED:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def plain(text: str) -> str:
    """``text`` on one line, with control and invisible format characters written as escapes."""
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


@lru_cache(maxsize=4096)
def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width(text: str) -> int:
    """Number of terminal cells that printable ``text`` takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))
