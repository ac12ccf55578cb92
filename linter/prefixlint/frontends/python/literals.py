r"""Reads string literals from source text: decoded characters with their places, and the fields of f-strings.

``ast`` gives wrong positions inside f-strings before Python 3.12 and none for the characters of a literal in any
version, so the tokens of a string expression are read here once more: prefixes, escapes, doubled braces, implicit
concatenation, nested quotes (PEP 701) and ``{x=}``. Reference: Python language reference, "Lexical analysis", sections
on string literals and formatted string literals.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.model.sources import Run, SourceMap

if TYPE_CHECKING:
    from prefixlint.model.sources import SourceFile

_OPEN = re.compile(r"([A-Za-z]{0,3})(\"\"\"|'''|\"|')")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class LiteralText:
    """Decoded text of a literal, with its map. Never empty."""

    text: str
    source: SourceMap


@dataclass(frozen=True, slots=True)
class Field:
    """A replacement field. ``start``/``end`` include the braces; ``expr_start``/``expr_end`` hold the expression.

    ``spec`` are the pieces of the format specification. All offsets count characters of the file.
    """

    start: int
    end: int
    expr_start: int
    expr_end: int
    conversion: str
    spec: tuple[Piece, ...]


Piece = LiteralText | Field


class LiteralError(ValueError):
    """The text is not a string expression that can be read."""


class _Builder:
    """Collects decoded characters and their runs between two fields."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.pieces: list[Piece] = []
        self.parts: list[str] = []
        self.runs: list[Run] = []
        self.length = 0

    def add(self, decoded: str, source_start: int, source_length: int) -> None:
        if not decoded:
            return
        last = self.runs[-1] if self.runs else None
        size = len(decoded)
        if (
            last is not None
            and size == source_length
            and last.length == last.source_length
            and last.source_start + last.source_length == source_start
        ):
            self.runs[-1] = Run(last.start, last.length + size, last.source_start, last.source_length + size)
        else:
            self.runs.append(Run(self.length, size, source_start, source_length))
        self.parts.append(decoded)
        self.length += size

    def flush(self) -> None:
        if self.length:
            self.pieces.append(LiteralText("".join(self.parts), SourceMap(self.file, tuple(self.runs))))
        self.parts, self.runs, self.length = [], [], 0

    def field(self, field: Field) -> None:
        self.flush()
        self.pieces.append(field)


def read_literal(file: SourceFile, start: int, end: int) -> tuple[Piece, ...]:
    """Pieces of the string expression at ``start`` to ``end`` (character offsets), implicit concatenation included.

    Raises ``LiteralError`` when the range holds anything but string tokens, white space, comments and brackets.
    """
    out = _Builder(file)
    text = file.text
    at = start
    found = False
    while at < end:
        char = text[at]
        if char in " \t\r\n\f()":
            at += 1
        elif char == "#":
            while at < end and text[at] not in "\r\n":
                at += 1
        elif char == "\\" and text[at + 1 : at + 2] in ("\n", "\r"):
            at += 2
        else:
            at = _read_token(out, text, at)
            found = True
    if not found or at > end:
        raise LiteralError("no string literal here")
    out.flush()
    return tuple(out.pieces)


def _read_token(out: _Builder, text: str, at: int) -> int:
    match = _OPEN.match(text, at)
    if match is None:
        raise LiteralError(f"no string literal at offset {at}")
    prefix, quote = match.group(1).lower(), match.group(2)
    if "b" in prefix:
        raise LiteralError("bytes literal")
    return _read_body(out, text, match.end(), quote, raw="r" in prefix, formatted="f" in prefix or "t" in prefix)


def _read_body(out: _Builder, text: str, at: int, quote: str, *, raw: bool, formatted: bool) -> int:
    """Reads up to the closing ``quote``; returns the offset behind it."""
    stop = re.compile(r"[\\\r" + re.escape(quote[0]) + ("{}" if formatted else "") + "]")
    size = len(text)
    while True:
        match = stop.search(text, at)
        if match is None:
            raise LiteralError("unterminated string literal")
        out.add(text[at : match.start()], at, match.start() - at)
        at = match.start()
        char = text[at]
        if char == quote[0]:
            if text.startswith(quote, at):
                return at + len(quote)
            out.add(char, at, 1)
            at += 1
        elif char == "\\":
            at = _read_escape(out, text, at, raw=raw, formatted=formatted)
        elif char == "\r":
            width = 2 if text[at + 1 : at + 2] == "\n" else 1
            out.add("\n", at, width)
            at += width
        elif text[at + 1 : at + 2] == char:
            out.add(char, at, 2)
            at += 2
        elif char == "{":
            at = _read_field(out, text, at, quote, raw=raw)
        else:
            raise LiteralError("single '}' in an f-string")
        if at > size:
            raise LiteralError("unterminated string literal")


def _read_escape(out: _Builder, text: str, at: int, *, raw: bool, formatted: bool) -> int:
    after = text[at + 1 : at + 2]
    if raw:
        if formatted and after in "{}":
            out.add("\\", at, 1)
            return at + 1
        if after == "\r" and text[at + 2 : at + 3] == "\n":
            out.add("\\", at, 1)
            out.add("\n", at + 1, 2)
            return at + 3
        out.add(text[at : at + 2].replace("\r", "\n"), at, 2)
        return at + 2
    if after in ("\n", "\r"):
        return at + (3 if text[at + 1 : at + 3] == "\r\n" else 2)
    if after in _SIMPLE:
        out.add(_SIMPLE[after], at, 2)
        return at + 2
    if after in "01234567" and after:
        match = re.compile(r"[0-7]{1,3}").match(text, at + 1)
        assert match is not None
        out.add(chr(int(match.group(), 8)), at, match.end() - at)
        return match.end()
    for letter, width in (("x", 2), ("u", 4), ("U", 8)):
        if after == letter:
            digits = text[at + 2 : at + 2 + width]
            try:
                out.add(chr(int(digits, 16)), at, 2 + width)
            except (ValueError, OverflowError) as error:
                raise LiteralError("bad escape") from error
            return at + 2 + width
    if after == "N" and text[at + 2 : at + 3] == "{":
        close = text.find("}", at)
        try:
            out.add(unicodedata.lookup(text[at + 3 : close]), at, close + 1 - at)
        except KeyError as error:
            raise LiteralError("unknown character name") from error
        return close + 1
    out.add("\\", at, 1)
    return at + 1


def _read_field(out: _Builder, text: str, at: int, quote: str, *, raw: bool) -> int:
    """Reads the field that opens at ``at``; returns the offset behind its closing brace."""
    start, expr_start = at, at + 1
    at, debug_at = _expression_end(text, expr_start)
    expr_end = debug_at if debug_at >= 0 else at
    if debug_at >= 0:
        _add_shown(out, text, expr_start, at)
    conversion = ""
    if text[at : at + 1] == "!":
        conversion = text[at + 1 : at + 2]
        at += 2
        while text[at : at + 1] in (" ", "\t") and text[at : at + 1]:
            at += 1
    elif debug_at >= 0 and text[at : at + 1] == "}":
        conversion = "r"
    spec: tuple[Piece, ...] = ()
    if text[at : at + 1] == ":":
        spec, at = _read_spec(out.file, text, at + 1, quote, raw=raw)
    if text[at : at + 1] != "}":
        raise LiteralError("unterminated field")
    out.field(Field(start, at + 1, expr_start, expr_end, conversion, spec))
    return at + 1


def _read_spec(file: SourceFile, text: str, at: int, quote: str, *, raw: bool) -> tuple[tuple[Piece, ...], int]:
    """Pieces of a format specification from ``at``, and the offset of the closing brace."""
    out = _Builder(file)
    while True:
        char = text[at : at + 1]
        if not char or text.startswith(quote, at):
            raise LiteralError("unterminated field")
        if char == "}":
            out.flush()
            return tuple(out.pieces), at
        if char == "{":
            at = _read_field(out, text, at, quote, raw=raw)
        elif char == "\\" and not raw:
            at = _read_escape(out, text, at, raw=raw, formatted=True)
        else:
            out.add(char, at, 1)
            at += 1


def _expression_end(text: str, at: int) -> tuple[int, int]:
    """Offset of the ``}``, ``!`` or ``:`` that ends a field's expression, and of a debugging ``=`` before it or -1."""
    closers: list[str] = []
    size = len(text)
    while at < size:
        char = text[at]
        if char in "'\"":
            at = _skip_string(text, at)
            continue
        if char == "#":
            at = _skip_comment(text, at)
            continue
        if char in _CLOSERS:
            closers.append(_CLOSERS[char])
        elif closers and char == closers[-1]:
            closers.pop()
        elif not closers:
            if char in "}:":
                return at, -1
            if char == "!" and text[at + 1 : at + 2] != "=":
                return at, -1
            if char == "=" and text[at - 1] not in "=!<>:" and text[at + 1 : at + 2] != "=":
                after = _skip_space(text, at + 1)
                if text[after : after + 1] in ("}", "!", ":"):
                    return after, at
        at += 1
    raise LiteralError("unterminated field")


def _add_shown(out: _Builder, text: str, at: int, end: int) -> None:
    """Adds the text that ``{x = }`` shows: the expression as it stands, without its comments."""
    begin = at
    while at < end:
        if text[at] in "'\"":
            at = _skip_string(text, at)
        elif text[at] == "#":
            out.add(text[begin:at], begin, at - begin)
            at = begin = _skip_comment(text, at)
        else:
            at += 1
    out.add(text[begin:end], begin, end - begin)


def _skip_comment(text: str, at: int) -> int:
    """Offset of the line end behind the comment at ``at``."""
    while at < len(text) and text[at] not in "\r\n":
        at += 1
    return at


def _skip_space(text: str, at: int) -> int:
    """Offset behind white space and comments."""
    while at < len(text) and text[at] in " \t\r\n\f#":
        at = _skip_comment(text, at) if text[at] == "#" else at + 1
    return at


def _skip_string(text: str, at: int) -> int:
    """Offset behind the string whose opening quote stands at ``at``; its prefix decides how it is read."""
    begin = at
    while begin > 0 and text[begin - 1].isalpha() and at - begin < 3:
        begin -= 1
    prefix = text[begin:at].lower()
    quote = text[at : at + 3] if text[at : at + 3] in ('"""', "'''") else text[at]
    if not set(prefix) <= set("rbuft"):
        prefix = ""
    from prefixlint.model.sources import SourceFile

    scratch = _Builder(SourceFile("", ""))
    formatted = "f" in prefix or "t" in prefix
    return _read_body(scratch, text, at + len(quote), quote, raw="r" in prefix, formatted=formatted)
