"""What keeps the prompts of a Python file from being checked, in words that say what to do."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax_versions import written_for
from prefixlint.knowledge.python_files import file_words
from prefixlint.model.sources import Position
from prefixlint.model.templates import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.model.sources import SourceFile


def not_parsed(file: SourceFile, message: str, line: int, column: int) -> Problem | None:
    """A file that is not valid Python, as the parser's message and place say, ``minor`` where no word of it tells of
    prompts; None for one that is no Python yet."""
    if _makes_code(file, line):
        return None
    text = _line(file, line)
    # Behind a string of several lines the parser counts from its first one.
    place = Position(line, min(max(column, 1), len(text.rstrip("\r\n")) + 1))
    return Problem(file.path, place, _not_valid(message, text), minor=not file_words().begins_in(file.text))


def left_out(infos: Sequence[FunctionInfo], *, minor: bool) -> Problem:
    """Functions of one file that the bound on its steps kept from being run; ``minor`` where nothing says that they
    make prompts."""
    problem = unfollowed(min(infos, key=lambda info: info.line), _takes_long(len(infos) - 1))
    return replace(problem, minor=minor)


def unfollowed(info: FunctionInfo, reason: str, *, minor: bool = False) -> Problem:
    """A function that could not be followed for that reason; ``minor`` where only its end was not."""
    place = Position(info.line, info.column + 1)
    end = "put what builds a prompt into a function of its own" if minor else "its prompts are not checked"
    message = f"`{info.name}()` could not be followed{' to its end' if minor else ''}: {reason}; {end}"
    return Problem(info.module.path, place, message, minor)


def _makes_code(file: SourceFile, line: int) -> bool:
    """True for a template that Python is made of (cookiecutter, copier): its tags are what does not parse."""
    return any(mark in name for mark in ("{%", "{{") for name in (file.path, _line(file, line)))


def _line(file: SourceFile, number: int) -> str:
    starts = file.line_starts
    if number > len(starts):
        return ""
    return file.text[starts[number - 1] : starts[number] if number < len(starts) else None]


def _not_valid(message: str, line: str) -> str:
    running = ".".join(str(part) for part in sys.version_info[:2])
    version = written_for(line, message)
    if version == "Python 2":
        way_out = "this looks like Python 2, which prefixlint does not read: convert the file, or exclude it"
    elif version:
        way_out = f"this looks like {version}: run prefixlint with that"
    else:
        way_out = "if the file is for a newer Python, run prefixlint with that one"
    return f"not valid Python {running}: {message} ({way_out})"


def _takes_long(others: int) -> str:
    more = f", nor could {others:,} other function{'s' if others > 1 else ''} of the file" if others else ""
    return f"the file takes too many steps{more} (split it, or exclude it)"
