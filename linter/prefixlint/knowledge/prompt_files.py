"""What a project says of its prompt files, and where a file lies in its project."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class Declared:
    """What a project says of its prompt files.

    ``included`` and ``excluded`` judge paths as the run names them: files that are prompts whatever they are called,
    and files that are none. ``keys`` are the YAML keys, in lower case, whose text is a prompt. ``place`` gives the path
    of a file from its project's folder: what the folders it lies in are called counts from there, wherever the run
    starts and however it names the file.
    """

    included: Callable[[str], bool]
    excluded: Callable[[str], bool]
    keys: frozenset[str] = frozenset()
    place: Callable[[str], str] = str


_declared: ContextVar[Declared | None] = ContextVar("declared", default=None)


@contextmanager
def declared(files: Declared) -> Iterator[None]:
    """Until it is left, these files count as said, in this context alone."""
    token = _declared.set(files)
    try:
        yield
    finally:
        _declared.reset(token)


def current() -> Declared | None:
    """What is said in this context."""
    return _declared.get()
