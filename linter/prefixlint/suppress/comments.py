"""Comments of a file, and the lines of the statement that each one speaks for."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.model.notebooks import Notebook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from prefixlint.model.sources import SourceFile

YAML_SUFFIXES: Final = (".yaml", ".yml")
# A comment that is none of ours costs nothing: only these are looked at.
_HASH: Final = re.compile(r"#[^\r\n]*?prefixlint:[^\r\n]*")


@dataclass(frozen=True, slots=True)
class Comment:
    """``text`` begins at character ``start`` of the file; it speaks for the lines ``first`` to ``last`` (from 1).

    In a notebook these are lines of its code.
    """

    text: str
    start: int
    first: int
    last: int


def comments(file: SourceFile) -> Iterator[Comment]:
    """The comments of the file that mention prefixlint, in order.

    In Python a comment alone on its line speaks for the statement that begins below; behind code it speaks for the
    statement that ends on its line, or within one for the tokens that end there. In YAML it speaks for the entry below
    it or beside it, nested lines included; in TOML for the line and the strings that begin on it. In other files, and
    inside YAML and TOML, Jinja comments speak for their own line, or
    for the next one when they stand alone. JSON has no comments but those in the code of a notebook.
    """
    if isinstance(file, Notebook):
        for comment in _python(file.code):
            yield replace(comment, start=file.origin.source_offset(comment.start))
    elif file.path.endswith(".py"):
        yield from _python(file)
    elif file.path.endswith(".json"):
        return
    else:
        if file.path.endswith(YAML_SUFFIXES):
            yield from _yaml(file)
        elif file.path.endswith(".toml"):
            yield from _toml(file)
        yield from _jinja(file)


def _lines(file: SourceFile) -> list[str]:
    r"""The lines, each ending in ``\n``, whatever the file's line ends are."""
    text, starts = file.text, file.line_starts
    ends = (*starts[1:], len(text))
    return [text[start:end].rstrip("\r\n") + "\n" for start, end in zip(starts, ends, strict=True)]


def _python(file: SourceFile) -> Iterator[Comment]:
    import tokenize

    found: list[tuple[int, int, str, bool]] = []  # line, column from 0, text, alone on its line
    statements: list[tuple[int, int]] = []  # first and last line of each logical line
    extents: list[tuple[int, int]] = []  # first and last line of each token; an f-string is one
    first = 0
    strings: list[int] = []
    opening = {getattr(tokenize, name, -1) for name in ("FSTRING_START", "TSTRING_START")}
    closing = {getattr(tokenize, name, -1) for name in ("FSTRING_END", "TSTRING_END")}
    spaces = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
    lines = iter(_lines(file))
    try:
        for token in tokenize.generate_tokens(lambda: next(lines, "")):
            kind, (row, column), (last, _) = token.type, token.start, token.end
            if kind == tokenize.COMMENT:
                if "prefixlint:" in token.string:
                    found.append((row, column, token.string, not token.line[:column].strip()))
                continue
            if kind in spaces:
                continue
            if kind == tokenize.NEWLINE:
                if first:
                    statements.append((first, row))
                first = 0
                continue
            first = first or row
            if kind in opening:
                strings.append(row)
            elif kind in closing and strings:
                extents.append((strings.pop(), last))
            else:
                extents.append((row, last))
    except (tokenize.TokenError, SyntaxError):
        pass  # what stands before the error still counts
    ranges = _Ranges(statements, extents)
    for row, column, text, alone in found:
        low, high = ranges.spoken_for(row, alone)
        yield Comment(text, file.line_starts[row - 1] + column, low, high)


class _Ranges:
    """First and last lines of statements (in order, none within another) and of tokens, ready to be asked by line."""

    def __init__(self, statements: list[tuple[int, int]], tokens: list[tuple[int, int]]) -> None:
        self._statements = statements
        self._begin = [low for low, _ in statements]
        self._lows = sorted({low for low, _ in tokens})
        self._first: dict[int, int] = {}  # of the tokens that end on a line, the first line of the longest
        self._last: dict[int, int] = {}  # of the tokens that begin on a line, the last line of the longest
        for low, high in tokens:
            self._first[high] = min(low, self._first.get(high, low))
            self._last[low] = max(high, self._last.get(low, high))

    def spoken_for(self, row: int, alone: bool) -> tuple[int, int]:
        """The lines that a comment on line ``row`` speaks for."""
        behind = bisect_right(self._begin, row)
        before = self._statements[behind - 1] if behind else None
        inside = before if before is not None and before[1] >= row else None
        if not alone:
            if inside is not None and inside[1] == row:
                return inside
            return self._first.get(row, row), row
        if inside is None:
            return self._statements[behind] if behind < len(self._statements) else (row, row)
        # Between the lines of a statement (a list of messages, say): the next line, and what begins on it.
        at = bisect_right(self._lows, row)
        below = self._lows[at] if at < len(self._lows) else row
        return below, self._last.get(below, below)


def _yaml(file: SourceFile) -> Iterator[Comment]:
    scalars = _yaml_scalars(file)
    begin = [low for low, _ in scalars]
    ended: dict[int, int] = {}  # line on which scalars end: the first line of the longest
    for low, high in scalars:
        row = file.position(max(low, high - 1)).line  # a block scalar ends with its last line break
        ended[row] = min(file.position(low).line, ended.get(row, row))
    lines = _lines(file)
    below = _next_filled(lines)
    ends = _yaml_ends(lines)
    for match in _HASH.finditer(file.text):
        start = match.start()
        row = file.position(start).line
        before = lines[row - 1][: start - file.line_starts[row - 1]]
        # "#" begins a comment only behind a space, and not within a scalar; a block scalar's first line is its header.
        behind = bisect_right(begin, start)
        if (before and not before[-1].isspace()) or (behind and start < scalars[behind - 1][1]):
            continue
        first = ended.get(row, row) if before.strip() else below[row]
        yield Comment(match.group(), start, first, ends[first - 1])


_TOML_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\r\n]|\\.)*+"'
    r"|'[^'\r\n]*+'|#[^\r\n]*",
    re.DOTALL,
)


def _toml(file: SourceFile) -> Iterator[Comment]:
    lines = _lines(file)
    below = _next_filled(lines)
    found: list[tuple[int, str]] = []
    ends = list(range(len(lines) + 1))  # of each line, counted from 1: where the last string that begins on it ends
    begins = list(ends)
    for match in _TOML_TOKEN.finditer(file.text):
        if match.group().startswith("#"):
            if "prefixlint:" in match.group():
                found.append((match.start(), match.group()))
            continue
        first, last = file.position(match.start()).line, file.position(match.end()).line
        ends[first] = max(ends[first], last)
        begins[last] = min(begins[last], first)
    for start, text in found:
        row = file.position(start).line
        alone = not lines[row - 1][: start - file.line_starts[row - 1]].strip()
        first = below[row] if alone else begins[row]
        yield Comment(text, start, first, ends[first])


def _next_filled(lines: list[str]) -> list[int]:
    """For each line, counted from 1, the next one that is neither blank nor a comment, else itself."""
    out = [0] * (len(lines) + 1)
    following = 0
    for number in range(len(lines), 0, -1):
        out[number] = following or number
        if not _is_blank(lines[number - 1]):
            following = number
    return out


def _is_blank(line: str) -> bool:
    stripped = line.strip()
    return not stripped or stripped.startswith("#")


def _yaml_ends(lines: list[str]) -> list[int]:
    """For each line the last line of the entry on it: the lines indented deeper than it, blank ones in between too."""
    ends = list(range(1, len(lines) + 1))
    open_entries: list[tuple[int, int]] = []  # indentation and line, each deeper than the one before
    last = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip(" "))
        while open_entries and open_entries[-1][0] >= indent:
            ends[open_entries.pop()[1] - 1] = last
        open_entries.append((indent, number))
        last = number
    for _, number in open_entries:
        ends[number - 1] = last
    return ends


def _yaml_scalars(file: SourceFile) -> list[tuple[int, int]]:
    """Character ranges of the scalars' own text. A file that is not YAML all through gives those before the error."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    out: list[tuple[int, int]] = []
    try:
        for token in YAML(typ="safe", pure=True).scan(file.text):
            style = getattr(token, "style", None)
            if type(token).__name__ != "ScalarToken":
                continue
            start, end = token.start_mark.index, token.end_mark.index
            if style in ("|", ">"):
                line = file.position(start).line
                start = file.line_starts[line] if line < len(file.line_starts) else len(file.text)
            out.append((start, end))
    except YAMLError:
        pass
    return out


def _jinja_comments(text: str) -> Iterator[tuple[int, int]]:
    """Character ranges of the Jinja comments; one that is never closed is none."""
    start = text.find("{#")
    while start != -1:
        end = text.find("#}", start + 2)
        if end == -1:
            return
        yield start, end + 2
        start = text.find("{#", end + 2)


def _jinja(file: SourceFile) -> Iterator[Comment]:
    lines = _lines(file)
    for start, end in _jinja_comments(file.text):
        text = file.text[start:end]
        if "prefixlint:" not in text:
            continue
        first, last = file.position(start).line, file.position(end).line
        before = file.text[file.line_starts[first - 1] : start]
        after = lines[last - 1][end - file.line_starts[last - 1] :]
        alone = not before.strip() and not after.strip()
        below = min(last + 1, len(lines)) if alone else last
        yield Comment(text, start, first, below)
