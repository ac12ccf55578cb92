"""Analysed text made fit for a terminal or a line of output: whatever it holds, it stays text."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from prefixlint.ratchet.records import HIDDEN, hidden

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\x1b"}


@lru_cache(maxsize=4096)
def _shown(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    return hidden(char) if unicodedata.category(char) in HIDDEN else char


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
