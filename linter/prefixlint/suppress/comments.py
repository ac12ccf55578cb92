"""Comments of a file, and the lines of the statement that each one speaks for."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from prefixlint.model.sources import SourceFile

YAML_SUFFIXES: Final = (".yaml", ".yml")
_JINJA: Final = re.compile(r"\{#.*?#\}", re.DOTALL)
# A comment that is none of ours costs nothing: only these are looked at.
_HASH: Final = re.compile(r"#[^\r\n]*?prefixlint:[^\r\n]*")


@dataclass(frozen=True, slots=True)
class Comment:
    """``text`` begins at character ``start`` of the file; it speaks for the lines ``first`` to ``last`` (from 1)."""

    text: str
    start: int
    first: int
    last: int


def comments(file: SourceFile) -> Iterator[Comment]:
    """The comments of the file that mention prefixlint, in order.

    In Python a comment alone on its line speaks for the statement that begins below; behind code it speaks for the
    statement that ends on its line, or within one for the tokens that end there. In YAML it speaks for the entry below
    it or beside it, nested lines included. In other files, and inside YAML, Jinja comments speak for their own line, or
    for the next one when they stand alone. JSON has no comments.
    """
    if file.path.endswith(".py"):
        yield from _python(file)
    elif file.path.endswith(".json"):
        return
    else:
        if file.path.endswith(YAML_SUFFIXES):
            yield from _yaml(file)
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
    lines = _lines(file)
    for match in _HASH.finditer(file.text):
        start = match.start()
        row = file.position(start).line
        before = lines[row - 1][: start - file.line_starts[row - 1]]
        # "#" begins a comment only behind a space, and not within a scalar; a block scalar's first line is its header.
        if (before and not before[-1].isspace()) or any(low <= start < high for low, high in scalars):
            continue
        if before.strip():
            ended = [file.position(low).line for low, high in scalars if file.position(high).line == row]
            first = min((*ended, row))
        else:
            first = next((n for n in range(row + 1, len(lines) + 1) if not _is_blank(lines[n - 1])), row)
        yield Comment(match.group(), start, first, _yaml_end(lines, first))


def _is_blank(line: str) -> bool:
    stripped = line.strip()
    return not stripped or stripped.startswith("#")


def _yaml_end(lines: list[str], first: int) -> int:
    """Last line of the entry on line ``first``: the lines indented deeper than it, blank ones in between included."""

    def indent(line: str) -> int:
        return len(line) - len(line.lstrip(" "))

    last, depth = first, indent(lines[first - 1])
    for number in range(first + 1, len(lines) + 1):
        line = lines[number - 1]
        if not line.strip():
            continue
        if indent(line) <= depth:
            break
        last = number
    return last


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


def _jinja(file: SourceFile) -> Iterator[Comment]:
    lines = _lines(file)
    for match in _JINJA.finditer(file.text):
        if "prefixlint:" not in match.group():
            continue
        first, last = file.position(match.start()).line, file.position(match.end()).line
        before = file.text[file.line_starts[first - 1] : match.start()]
        after = lines[last - 1][match.end() - file.line_starts[last - 1] :]
        alone = not before.strip() and not after.strip()
        below = min(last + 1, len(lines)) if alone else last
        yield Comment(match.group(), match.start(), first, below)
