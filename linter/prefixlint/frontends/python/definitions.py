"""Parses single functions and outlines of classes and modules again, when the syntax tree of the module has gone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.model.sources import SourceFile

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Definition = FunctionNode | ast.ClassDef


class Lines(NamedTuple):
    """Lines of a function or class, counted from 1: the ``first`` with its decorators, the first of its ``body``, which
    is 0 where something else stands on it, and the ``last``."""

    first: int
    body: int
    last: int


def lines_of(node: Definition, file: SourceFile) -> Lines:
    """The lines on which a definition stands."""
    inner = node.body[0]
    body = first_line(inner)
    line = file.line(body)
    indentation = line[: len(line) - len(line.lstrip())]
    is_own = len(indentation.encode()) == inner.col_offset
    return Lines(first_line(node), body if is_own else 0, node.end_lineno or node.lineno)


def first_line(node: ast.stmt) -> int:
    """The line of the first decorator, or of the statement."""
    decorators = node.decorator_list if isinstance(node, Definition) else ()
    return min([node.lineno, *(each.lineno for each in decorators)])


def text_of(file: SourceFile, first: int, last: int, closed: Iterable[Lines] = ()) -> str:
    """The text of these lines, behind empty ones: of definitions that are ``closed`` without the bodies, in whose place
    there is a ``pass``. All else stays where it is."""
    parts, at = ["\n" * (first - 1)], first
    for _, begin, end in sorted(closed):
        if at <= begin <= end <= last:
            line = file.line(begin)
            indentation = line[: len(line) - len(line.lstrip())]
            parts += _between(file, at, begin - 1), indentation, "pass", "\n" * (end - begin + 1)
            at = end + 1
    return "".join([*parts, _between(file, at, last)])


def _between(file: SourceFile, first: int, last: int) -> str:
    starts, end = file.line_starts, len(file.text)
    start, stop = ((starts[line] if line < len(starts) else end) for line in (first - 1, last))
    return file.text[start:stop]


def parsed_definition(text: str, first: int, at: tuple[int, int]) -> Definition | None:
    """What is defined at a line and column, as syntax nodes count them, in a ``text`` that holds nothing else, from its
    ``first`` line on: the same node as in the tree of the whole file, with the same positions.

    None where there is anything else, or that cannot be parsed by itself.
    """
    if at[1]:
        # Of what stands around it nothing is needed but the indentation.
        text = "\n" * (first - 2) + "if 1:" + text[first - 2 :]
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if at[1] and len(body) == 1 and isinstance(body[0], ast.If):
        body = body[0].body
    node = body[0] if len(body) == 1 else None
    return node if isinstance(node, Definition) and (node.lineno, node.col_offset) == at else None
