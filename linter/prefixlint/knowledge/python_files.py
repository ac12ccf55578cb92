"""Words by which a Python file may hold a prompt (data: ``python_files.toml``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from prefixlint import package_data


@dataclass(frozen=True, slots=True)
class FileWords:
    """``words`` and ``starts`` are searched for in lower-case bytes, ``addresses`` in texts as they are written,
    ``models`` in the text of a file."""

    words: tuple[bytes, ...]
    starts: tuple[tuple[bytes, re.Pattern[bytes]], ...]
    addresses: tuple[str, ...]
    models: re.Pattern[str]

    def found_in(self, lower: bytes) -> bool:
        """Whether one of ``words`` stands in bytes in lower case, or one of ``starts`` at the start of a word."""
        # One by one: many times as fast as one pattern of alternatives.
        return any(word in lower for word in self.words) or any(
            start in lower and pattern.search(lower) is not None for start, pattern in self.starts
        )

    def begins_in(self, text: str) -> bool:
        """As ``found_in``, but none of ``words`` counts in the middle of a longer one (``tellme``, ``fulfillment``)."""
        lower = text.lower().encode()
        words = (re.search(rb"(?<![a-z])" + re.escape(word), lower) for word in self.words if word in lower)
        return any(words) or any(pattern.search(lower) is not None for _, pattern in self.starts)


@cache
def file_words() -> FileWords:
    """The built-in table; raises ``KeyError`` on a malformed data file."""
    raw = package_data.table(__file__, "python_files.toml")
    starts = [start.encode() for start in raw["starts"]]
    return FileWords(
        tuple(word.encode() for word in raw["words"]),
        tuple((start, re.compile(rb"\b" + re.escape(start))) for start in starts),
        tuple(raw["addresses"]),
        re.compile("|".join(map(re.escape, raw["models"])), re.IGNORECASE),
    )
