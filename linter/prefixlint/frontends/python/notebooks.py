"""Reads notebooks: the code cells of a Jupyter notebook as one module, with the place of each character.

Format: nbformat 4 (https://nbformat.readthedocs.io/en/latest/format_description.html). What IPython adds to Python
(https://ipython.readthedocs.io/en/stable/interactive/reference.html) is taken out: magics, shell commands and calls for
help become statements that do nothing, and cells in other languages are left out. Outputs are never looked at.
"""

from __future__ import annotations

import ast
import itertools
import re
import warnings
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.formats.json_source import parsed
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar, Sequence_
from prefixlint.frontends.python import newer_syntax
from prefixlint.frontends.python.interest import might_hold_prompt
from prefixlint.frontends.python.syntax_versions import is_newer
from prefixlint.model.notebooks import Cell, Notebook, joined
from prefixlint.model.sources import Position, SourceFile, SourceMap
from prefixlint.model.templates import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from prefixlint.frontends.promptfiles.yaml_source import Node

    # Text, with its map, or with offset and length of what it stands for.
    Part = tuple[str, SourceMap | tuple[int, int]]

MOST_CHARS: Final = 64_000_000
"""Longest notebook that is read, in characters: with its outputs, which may hold pictures."""
# Cell magics whose cell is Python all the same: https://ipython.readthedocs.io/en/stable/interactive/magics.html
_PYTHON_CELLS: Final = frozenset({"capture", "debug", "prun", "pypy", "python", "python3", "time", "timeit"})
_CELL_MAGIC: Final = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*%%(\w*)")
# At the beginning of a statement none of these is Python. Magics may go without their sign.
_COMMAND: Final = re.compile(r"([ \t]*)(?:[%!?/;,]|[\w.*%]+\?\??[ \t]*(?:\r|\n|$)|(?:pip3?|conda|mamba|uv)[ \t]+[a-z])")
_ASSIGNED: Final = re.compile(r"([\w.,\[\]'\" \t]*)=[ \t]*(?=[!%])")
_INDENT: Final = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*([ \t]*)")
_LINE: Final = re.compile(r"(?:[^\r\n\\]|\\(?:\r\n|.))*(?:\r\n|\r|\n|\Z)", re.DOTALL)
# What changes the state of a scan for the beginnings of statements.
_STATE: Final = re.compile(r"\"\"\"|'''|[\"'#()\[\]{}]|\\(?:\r\n|.)|\r\n|[\r\n]", re.DOTALL)
_NOTHING: Final = "pass"
_ANYTHING: Final = "get_ipython()"


def bytes_of_code(data: bytes) -> bytes:
    """The notebook's bytes for the cheap tests of Python files: quotes as they are between those of JSON."""
    return data.replace(b'\\"', b'"')


def read(file: SourceFile) -> tuple[Notebook | None, tuple[Problem, ...]]:
    """The notebook in ``file``, and what keeps it or some of its cells from being read.

    None for a notebook that cannot be read, and for one in another language than Python.
    """
    try:
        roots = parsed(file, MOST_CHARS)
    except PromptFileError as error:
        message = f"not a notebook that can be read: {error.problem.message}"
        return None, (Problem(file.path, error.problem.position, message),)
    root = roots[0] if roots else None
    cells = _entry(root, "cells")
    if not isinstance(cells, Sequence_):
        # Before nbformat 4 (2015) cells stood in worksheets.
        way = "save it in format 4" if _entry(root, "worksheets") is not None else "it has no list of cells"
        return None, (Problem(file.path, Position(1, 1), f"not a notebook that can be read: {way}"),)
    if _language(root) not in ("", "python", "ipython"):
        return None, ()
    parts: list[Part] = []
    found: list[Cell] = []
    problems: list[Problem] = []
    line = 1
    for number, node in enumerate(cells.items, 1):
        if _word(_entry(node, "cell_type")) != "code" or _other_language(node):
            continue
        whole, origin = joined(file, list(_source(_entry(node, "source"))))
        if not whole.strip() or not _is_python(whole):
            continue
        whole, origin = joined(file, list(_dedented(whole, origin)))
        code, origin = joined(file, list(_without_commands(whole, origin)))
        problem = _broken(file, code, origin)
        if problem is not None:
            # Many a cell that is no Python is prose or shell.
            if might_hold_prompt(whole.encode("utf-8", "surrogatepass")):
                problems.append(problem)
            code, origin = joined(file, list(_as_comments(code, origin)))
        found.append(Cell(number, line))
        parts.append((code, origin))
        if not code.endswith(("\n", "\r")):
            parts.append(("\n", (origin.source_offset(origin.length), 0)))
            code += "\n"
        line += len(SourceFile("", code).line_starts) - 1
    text, origin = joined(file, parts)
    return Notebook(file.path, file.text, SourceFile(file.path, text), origin, tuple(found)), tuple(problems)


def _entry(node: Node | None, key: str) -> Node | None:
    if not isinstance(node, Mapping_):
        return None
    return next((value for name, value in node.pairs if isinstance(name, Scalar) and name.value == key), None)


def _word(node: Node | None) -> str:
    return node.value if isinstance(node, Scalar) and node.style else ""


def _other_language(cell: Node) -> bool:
    """Whether an editor has noted another language for a single cell."""
    noted = _word(_entry(_entry(_entry(cell, "metadata"), "vscode"), "languageId"))
    return noted not in ("", "python")


def _language(root: Node | None) -> str:
    metadata = _entry(root, "metadata")
    return _word(_entry(_entry(metadata, "language_info"), "name")) or _word(
        _entry(_entry(metadata, "kernelspec"), "language")
    )


def _source(node: Node | None) -> Iterator[Part]:
    """The text of a cell: a string, or a list of strings that follow one another."""
    for each in node.items if isinstance(node, Sequence_) else (node,):
        if isinstance(each, Scalar) and each.style and each.value:
            text = each.text()
            yield text.text, text.source if isinstance(text.source, SourceMap) else (each.start, each.end - each.start)


def _is_python(text: str) -> bool:
    magic = _CELL_MAGIC.match(text)
    return magic is None or magic[1] in _PYTHON_CELLS


def _dedented(text: str, origin: SourceMap) -> Iterator[Part]:
    """The cell without the indentation of its first line, as IPython takes it away."""
    first = _INDENT.match(text)
    margin = first[1] if first is not None else ""
    at = 0
    if margin:
        for start in SourceFile("", text).line_starts:
            if text.startswith(margin, start):
                if start > at:
                    yield text[at:start], origin.slice(at, start)
                at = start + len(margin)
    if at < len(text):
        yield text[at:], origin.slice(at, len(text))


def _without_commands(text: str, origin: SourceMap) -> Iterator[Part]:
    """The cell with Python in the place of what IPython alone understands."""
    at = 0
    for start, end, instead in _commands(text):
        if start > at:
            yield text[at:start], origin.slice(at, start)
        first = origin.source_offset(start)
        yield instead, (first, origin.source_offset(end) - first)
        at = end
    if at < len(text):
        yield text[at:], origin.slice(at, len(text))


def _as_comments(text: str, origin: SourceMap) -> Iterator[Part]:
    """As many lines that say nothing."""
    starts = (*SourceFile("", text).line_starts, len(text))
    for start, end in itertools.pairwise(starts):
        if start < end:
            content = start + len(text[start:end].rstrip("\r\n"))
            first = origin.source_offset(start)
            yield "#", (first, origin.source_offset(content) - first)
            if content < end:
                yield text[content:end], origin.slice(content, end)


def _commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each command, without its line end, and what stands for it."""
    for at in _statements(text):
        command = _COMMAND.match(text, at)
        assigned = None if command is not None else _assigned(text, at)
        if command is None and assigned is None:
            continue
        line = _LINE.match(text, at)
        end = at + len(line.group().rstrip("\r\n")) if line is not None else len(text)
        start = at + len(command[1]) if command is not None else assigned or at
        yield start, end, _NOTHING if command is not None else _ANYTHING


def _assigned(text: str, at: int) -> int | None:
    """Offset of the command whose result the statement at ``at`` keeps; None for any other statement."""
    found = _ASSIGNED.match(text, at)
    target = found[1].rstrip() if found is not None else ""
    return found.end() if found is not None and (target[-1:].isalnum() or target[-1:] in ("_", "]")) else None


def _statements(text: str) -> Iterator[int]:
    """Offsets of the lines that begin a statement. A line that is a command is passed over as a whole."""
    at = depth = 0
    yield 0
    at = _behind_command(text, 0)
    quote = ""
    while found := _STATE.search(text, at):
        at, mark = found.end(), found.group()
        if quote:
            if mark == quote or (len(quote) == 1 and mark in ("\n", "\r", "\r\n")):
                quote = ""
            elif len(quote) == 1 and len(mark) == 3 and mark[0] == quote:
                # In a string with single quotes, three of them close it and begin another one.
                quote, at = "", found.start() + 1
            if quote or mark not in ("\n", "\r", "\r\n"):
                continue
        if mark[0] == "#":
            end = re.compile(r"[\r\n]|\Z").search(text, at)
            at = end.start() if end is not None else len(text)
        elif mark[0] in "\"'":
            quote = mark
        elif mark in ("(", "[", "{"):
            depth += 1
        elif mark in (")", "]", "}"):
            depth = max(0, depth - 1)
        elif mark in ("\n", "\r", "\r\n") and not depth:
            yield at
            at = _behind_command(text, at)


def _behind_command(text: str, at: int) -> int:
    """Offset of the line end of the command at ``at``; ``at`` where there is none."""
    if _COMMAND.match(text, at) is None and _assigned(text, at) is None:
        return at
    line = _LINE.match(text, at)
    return at + len(line.group().rstrip("\r\n")) if line is not None else len(text)


def _broken(file: SourceFile, code: str, origin: SourceMap) -> Problem | None:
    """What keeps a cell from being read, with its place."""
    line, column = 1, 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except SyntaxError as error:
        cell = SourceFile("", code)
        if is_newer(cell.line(error.lineno or 1), error.msg) and newer_syntax.parsed(cell) is not None:
            return None
        message, line, column = error.msg or "invalid syntax", error.lineno or 1, error.offset or 1
    except (ValueError, RecursionError, MemoryError) as error:
        message = str(error) or "too deeply nested to parse"
    else:
        return None
    at = SourceFile("", code).offset(Position(line, max(1, column)))
    place = origin.span(min(at, len(code) - 1), min(at, len(code) - 1)).start
    message = f"cell is not valid Python: {message}; its prompts are not checked (mend the cell, or exclude the file)"
    return Problem(file.path, place, message)
