"""Small files for people and for git: comments, then one record a line, fields apart by tabs, in a fixed order.

Records of different files of a project stand apart from each other, so that two branches seldom touch the same lines.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

# Control, format (bidirectional overrides, zero width), surrogates, line and paragraph ends: written as escapes.
HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SHORT: Final = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPE: Final = re.compile(r"\\(?:([\\tnr])|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
_LONG: Final = {short[1]: char for char, short in _SHORT.items()}
_CONFLICT: Final = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


class RecordError(ValueError):
    """A file that cannot be used; the message names file, line and way out."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a file is: its name in the first line, what else stands at its top, and how many fields a record has."""

    name: str
    about: tuple[str, ...]
    fields: int
    made_by: str

    @property
    def first_line(self) -> str:
        return f"# prefixlint {self.name}, version 1"


@dataclass(frozen=True, slots=True)
class Record:
    """``line`` counts from 1."""

    line: int
    fields: tuple[str, ...]


def hidden(char: str) -> str:
    """The escape of one character: ``\\xHH``, ``\\uHHHH`` or ``\\UHHHHHHHH``."""
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    return hidden(char) if unicodedata.category(char) in HIDDEN else char


def escape(text: str, also: str = "") -> str:
    """``text`` on one line without tabs or invisible characters, nor any of ``also``; ``unescape`` gives it back."""
    if text.isascii() and text.isprintable() and "\\" not in text and not any(char in text for char in also):
        return text
    return "".join(hidden(char) if char in also else _escaped(char) for char in text)


def unescape(text: str) -> str:
    """The text that ``escape`` was given. A backslash that starts no escape stays."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_unescaped, text)


def _unescaped(found: re.Match[str]) -> str:
    if found[1]:
        return _LONG[found[1]]
    code = int(found[2] or found[3] or found[4], 16)
    return chr(code) if code < 0x110000 else found[0]


def write(kind: Kind, rows: Iterable[Sequence[str]]) -> str:
    """The file's text; ``rows`` are escaped already and stand in the order in which they come."""
    head = "".join(f"{line}\n" for line in (kind.first_line, *(f"# {line}" for line in kind.about)))
    return head + "".join("\t".join(row) + "\n" for row in rows)


def parse(kind: Kind, text: str, where: str) -> tuple[Record, ...]:
    """The records of a file, fields still escaped. ``where`` names it. Raises ``RecordError``."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or not lines[0].startswith(f"# prefixlint {kind.name}, version "):
        raise RecordError(f"{where}: not a prefixlint {kind.name}; {kind.made_by} makes one")
    if lines[0] != kind.first_line and not lines[0].startswith(f"{kind.first_line}."):
        raise RecordError(f"{where}:1: written by a newer prefixlint: {lines[0][2:]}")
    records = []
    for number, line in enumerate(lines, 1):
        if line.startswith(_CONFLICT):
            raise RecordError(f"{where}:{number}: merge conflict; keep the lines of both sides, or run {kind.made_by}")
        if not line.strip() or line.startswith("#"):
            continue
        fields = tuple(line.split("\t"))
        if len(fields) != kind.fields:
            raise RecordError(
                f"{where}:{number}: expected {kind.fields} fields apart by tabs, found {len(fields)}; "
                f"mend the line or run {kind.made_by}"
            )
        records.append(Record(number, fields))
    return tuple(records)
