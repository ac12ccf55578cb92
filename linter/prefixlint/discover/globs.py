"""Globs as in .gitignore: a pattern without a slash names a file or folder anywhere, one with a slash is a path."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def _translate(pattern: str) -> str:
    out: list[str] = []
    at, end = 0, len(pattern)
    while at < end:
        char = pattern[at]
        if char == "*":
            stop = at
            while stop < end and pattern[stop] == "*":
                stop += 1
            at, stars = stop, stop - at
            if stars == 1:
                out.append("[^/]*")
            elif pattern[at : at + 1] == "/":
                out.append("(?:.*/)?")
                at += 1
            else:
                out.append(".*")
            continue
        close = pattern.find("]", at + 2) if char == "[" else -1
        if close != -1:
            inside = pattern[at + 1 : close].replace("\\", "\\\\").replace("[", "\\[")
            if inside[0] in "!^":
                inside = "^" + inside[1:]
            out.append(f"[{inside}]")
            at = close + 1
            continue
        out.append("[^/]" if char == "?" else re.escape(char))
        at += 1
    return "".join(out)


def _one(pattern: str) -> str:
    text = pattern.replace("\\", "/").removeprefix("./").rstrip("/")
    anchored = "/" in text
    return ("^" if anchored else "(?:^|/)") + _translate(text.removeprefix("/")) + "(?:/|$)"


@lru_cache(maxsize=256)
def _compile(patterns: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = [_one(pattern) for pattern in patterns if pattern.strip("/. ") or pattern.strip() == "."]
    return re.compile("|".join(parts), re.DOTALL) if parts else None


def valid(pattern: str) -> bool:
    """False when the pattern can never be compiled (``[z-a]``)."""
    try:
        re.compile(_one(pattern))
    except re.error:
        return False
    return True


def matches(path: str, patterns: Iterable[str]) -> bool:
    """True when ``path`` (relative, forward slashes) or a folder above it matches one of the patterns."""
    compiled = _compile(tuple(patterns))
    return compiled is not None and compiled.search(path) is not None
