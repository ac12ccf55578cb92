"""Decoding of YAML scalars with the place of every character.

The algorithms follow YAML 1.2 chapters 6 to 8 (line folding, escapes, block scalar headers and chomping). The decoded
value is checked against the parser's own; where they differ, the caller falls back on one coarse span.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

JSON = "json"
"""The style of a string of JSON: quoted, with escapes, and never folded."""
TOML = "toml"
"""The style of a string of TOML, whose quotes say the rest."""

Piece = tuple[str, int, int]
"""Decoded text, offset in the file, number of characters there."""

_BREAK = r"(?:\r\n|[\r\n\x85])"
_FOLD = re.compile(rf"[ \t]*{_BREAK}(?:[ \t]*{_BREAK})*[ \t]*")
_BREAKS = re.compile(_BREAK)
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9A-Fa-f]{2})\\u([dD][c-fC-F][0-9A-Fa-f]{2})"
    r"|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})"
    rf"|({_BREAK}(?:[ \t]*{_BREAK})*[ \t]*)|(.))",
    re.DOTALL,
)
_NAMED = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_SPACES = re.compile(r"[ \t]*")
_PLAIN = re.compile(r"[^ \t\r\n\x85'\\]*")
_HEADER = re.compile(r"[|>]([+-]?)([1-9]?)([+-]?)[^\r\n\x85]*")
_CONTENT = re.compile(r"[^\r\n\x85]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_INDENT = 40


def decode(source: str, start: int, end: int, style: str, value: str) -> list[Piece] | None:
    """Pieces of the scalar whose content (without tag and anchor) stands at ``start`` to ``end``; None when they do not
    make up ``value``. ``style`` is "" (plain), "'", '"', "|", ">", ``JSON`` or ``TOML``."""
    if style in ("|", ">"):
        return _block(source, start, value)
    pieces = list(toml_pieces(source, start, end) if style == TOML else _flow(source, start, end, style))
    return pieces if "".join(piece[0] for piece in pieces) == value else None


def _flow(source: str, start: int, end: int, style: str) -> Iterator[Piece]:
    if style:
        start, end = start + 1, end - 1
    at = start
    while at < end:
        char = source[at]
        fold = _FOLD.match(source, at, end) if char in " \t\r\n\x85" and style != JSON else None
        if fold is not None:
            breaks = len(_BREAKS.findall(fold.group()))
            yield (" " if breaks == 1 else "\n" * (breaks - 1)), at, fold.end() - at
            at = fold.end()
        elif style == "'" and char == "'":
            yield "'", at, 2
            at += 2
        elif style in ('"', JSON) and char == "\\":
            escape = _ESCAPE.match(source, at, end)
            if escape is None:
                yield char, at, 1
                at += 1
                continue
            yield _unescaped(escape), at, escape.end() - at
            at = escape.end()
        else:
            # White space that no line break follows is text, all of it at once.
            run = (_SPACES if char in " \t" else _PLAIN).match(source, at + 1, end)
            stop = run.end() if run else at + 1
            yield source[at:stop], at, stop - at
            at = stop


def _unescaped(escape: re.Match[str]) -> str:
    high, low, *codes, breaks, char = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    code = next((code for code in codes if code), None)
    if code is not None:
        return sound(chr(min(int(code, 16), 0x10FFFF)))
    if breaks:
        return "\n" * (len(_BREAKS.findall(breaks)) - 1)
    return _NAMED.get(char, char)


_TOML_PLAIN = re.compile(r"(?:[^\\\r]|\r(?!\n))+")
_TOML_LITERAL = re.compile(r"(?:[^\r]|\r(?!\n))+")
_TOML_FOLD = re.compile(r"\\[ \t]*\r?\n[ \t\r\n]*")
_TOML_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)


def toml_pieces(source: str, start: int, end: int) -> Iterator[Piece]:
    """Pieces of the TOML string, quotes included, at ``start`` to ``end`` (TOML 1.0.0, "String"). Line breaks become
    ``\\n``, as in ``tomllib``."""
    width = 3 if source.startswith(('"""', "'''"), start) and end - start >= 6 else 1
    literal = source[start] == "'"
    at, end = start + width, end - width
    if width == 3:
        at += 2 if source.startswith("\r\n", at) else source.startswith("\n", at)
    while at < end:
        found = (_TOML_LITERAL if literal else _TOML_PLAIN).match(source, at, end)
        if found is not None:
            yield found.group(), at, found.end() - at
        elif source[at] == "\r":
            yield "\n", at, 2
            at += 2
            continue
        elif width == 3 and (found := _TOML_FOLD.match(source, at, end)):
            yield "", at, found.end() - at
        elif found := _TOML_ESCAPE.match(source, at, end):
            code = found.group(1) or found.group(2) or found.group(3)
            value = chr(int(code, 16)) if code else _NAMED.get(found.group(4), found.group(4))
            yield value, at, found.end() - at
        else:
            return
        at = found.end()


def sound(value: str) -> str:
    """``value`` with surrogate pairs joined and lone surrogates replaced: text that can be encoded."""
    if value.isascii() or not _SURROGATE.search(value):
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _block(source: str, start: int, value: str) -> list[Piece] | None:
    header = _HEADER.match(source, start)
    if header is None:
        return None
    folded = source[start] == ">"
    chomping = header.group(1) or header.group(3)
    body = _BREAKS.match(source, header.end())
    if body is None:
        return [] if not value else None
    guess = _detected_indent(source, body.end())
    tried = [guess] if not header.group(2) else []
    tried += [indent for indent in range(guess, -1, -1) if indent not in tried]
    tried += range(guess + 1, min(guess + 10, _MAX_INDENT))
    for indent in tried:
        pieces = _block_lines(source, body.end(), indent, folded, chomping)
        if "".join(piece[0] for piece in pieces) == value:
            return pieces
    return None


def _detected_indent(source: str, at: int) -> int:
    deepest = column = 0
    while at < len(source) and source[at] in " \r\n\x85":
        if source[at] == " ":
            column += 1
            deepest = max(deepest, column)
        else:
            column = 0
        at += 1
    return deepest


def _blank_lines(source: str, at: int, indent: int) -> tuple[list[Piece], int, int]:
    """Line breaks of blank lines from ``at``, the offset behind them, and the column reached there."""
    breaks: list[Piece] = []
    while True:
        column = 0
        while column < indent and source.startswith(" ", at):
            at += 1
            column += 1
        found = _BREAKS.match(source, at)
        if found is None:
            return breaks, at, column
        breaks.append(("\n", at, found.end() - at))
        at = found.end()


def _block_lines(source: str, at: int, indent: int, folded: bool, chomping: str) -> list[Piece]:
    pieces: list[Piece] = []
    breaks, at, column = _blank_lines(source, at, indent)
    line_break: Piece = ("", at, 0)
    while column == indent and at < len(source):
        pieces += breaks
        starts_with_text = source[at] not in " \t"
        content = _CONTENT.match(source, at)
        assert content is not None
        pieces.append((content.group(), at, content.end() - at))
        at = content.end()
        found = _BREAKS.match(source, at)
        line_break = ("\n", at, found.end() - at) if found else ("", at, 0)
        at += line_break[2]
        behind = at
        breaks, at, column = _blank_lines(source, at, indent)
        if column != indent or at >= len(source):
            break
        if folded and line_break[0] and starts_with_text and source[at] not in " \t":
            if not breaks:
                pieces.append((" ", line_break[1], behind - line_break[1]))
        else:
            pieces.append(line_break)
        line_break = ("", at, 0)
    if chomping != "-":
        pieces.append(line_break)
    if chomping == "+":
        pieces += breaks
    return [piece for piece in pieces if piece[0]]
