"""From bytes to text, as Python and editors would read them."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from typing import Final

# PEP 263: the cookie stands in a comment on the first line, or on the second when the first is blank or a comment.
_COOKIE: Final = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_BLANK: Final = re.compile(rb"^[ \t\f]*(?:[#\r\n]|$)")
# Decoders that take more than linear time, so a small hostile file could stall a run.
_REFUSED: Final = frozenset({"punycode", "idna"})


class DecodeError(ValueError):
    """The bytes are not text. ``message`` says why and what to do; ``line`` and ``column`` (from 1) say where."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


def _cookie(data: bytes) -> str | None:
    head = data[:1024].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", 2)[:2]
    for line in head:
        found = _COOKIE.match(line)
        if found:
            return found.group(1).decode("ascii")
        if not _BLANK.match(line):
            return None
    return None


def _encoding(data: bytes, python: bool) -> tuple[str, int]:
    """Codec name, and the number of leading bytes of a byte order mark."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8", 3
    if not python:
        # The four-byte mark first: it begins with the two-byte one.
        for mark, name in (
            (codecs.BOM_UTF32_LE, "utf-32-le"),
            (codecs.BOM_UTF32_BE, "utf-32-be"),
            (codecs.BOM_UTF16_LE, "utf-16-le"),
            (codecs.BOM_UTF16_BE, "utf-16-be"),
        ):
            if data.startswith(mark):
                return name, len(mark)
        return "utf-8", 0
    cookie = _cookie(data) if b"coding" in data[:1024] else None
    if cookie is None:
        return "utf-8", 0
    try:
        codec = codecs.lookup(cookie)
    except (LookupError, ValueError):
        raise DecodeError(f"unknown encoding {cookie!r} in the coding comment; name one that Python knows") from None
    if codec.name in _REFUSED:
        raise DecodeError(f"encoding {cookie!r} in the coding comment is not for source files; save the file as UTF-8")
    return codec.name, 0


def encoding_of(path: str, data: bytes, *, python: bool | None = None) -> tuple[str, int]:
    """The codec that ``decode`` reads ``data`` with, and the number of leading bytes of a byte order mark.

    Raises ``DecodeError`` for an unknown one.
    """
    return _encoding(data, path.endswith(".py") if python is None else python)


def decode(path: str, data: bytes, *, python: bool | None = None) -> SourceFile:
    """The file's text with its own line ends and without a byte order mark.

    ``python`` (default: by the suffix) honours coding comments. Raises ``DecodeError``.
    """
    if python is None:
        python = path.endswith(".py")
    name, mark = _encoding(data, python)
    try:
        text = str(data[mark:], name)
    except UnicodeDecodeError as error:
        before = data[mark : mark + error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode(name, "replace")) + 1
        way = "add a coding comment or save it as UTF-8" if python else "save it as UTF-8"
        message = f"file is not valid {name.upper()} ({error.reason}); {way}, or exclude it"
        raise DecodeError(message, line, column) from None
    except (LookupError, UnicodeError) as error:
        raise DecodeError(f"cannot decode file as {name!r} ({error}); save it as UTF-8") from None
    nul = text.find("\0")
    if nul != -1:
        source = SourceFile(path, text)
        at = source.position(nul)
        raise DecodeError("file holds a NUL byte: not a text file; exclude it, or remove the byte", at.line, at.column)
    return SourceFile(path, text)
