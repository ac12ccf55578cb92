"""Analysed text made fit for a terminal or a line of output: whatever it holds, it stays text."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from prefixlint.ratchet.records import HIDDEN, hidden

if TYPE_CHECKING:
    from typing import Final

# What build servers take for a command in a program's output: ``##vso[…]`` (Azure), ``##[…]`` (GitHub, Azure) and
# ``##teamcity[…]`` anywhere in a line, ``::error …::`` (GitHub) behind nothing but white space, where it may come to
# stand when lines are wrapped. https://docs.github.com/actions/reference/workflow-commands-for-github-actions
_ANYWHERE: Final = re.compile(r"#(?=#\w*\[)")
COMMAND: Final = re.compile(_ANYWHERE.pattern + r"|:(?=:[A-Za-z])(?<![^\s]:)")
_MAYBE_HIDDEN: Final = re.compile(r"[^\x00-\x7e\u00a1-\u02ff\u4e00-\u9fff]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\x1b"}


@lru_cache(maxsize=4096)
def _shown(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    return hidden(char) if unicodedata.category(char) in HIDDEN else char


def plain(text: str) -> str:
    """``text`` on one line, with control and invisible format characters written as escapes, and without commands."""
    shown = text if text.isascii() and text.isprintable() else "".join(map(_shown, text))
    return COMMAND.sub(lambda found: hidden(found[0]), shown) if "##" in shown or "::" in shown else shown


def json_text(value: Any) -> str:
    """``value`` as indented JSON: readable, and still without a character that a terminal or a build server obeys."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    text = text if text.isascii() else _MAYBE_HIDDEN.sub(_escaped, text)
    return (_ANYWHERE.sub(_escaped, text) if "##" in text else text) + "\n"


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    visible = char != "#" and unicodedata.category(char) not in HIDDEN
    return char if visible else json.dumps(char)[1:-1] if not char.isascii() else f"\\u{ord(char):04x}"


@lru_cache(maxsize=4096)
def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width(text: str) -> int:
    """Number of terminal cells that printable ``text`` takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))
