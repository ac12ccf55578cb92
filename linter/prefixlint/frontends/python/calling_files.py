"""Finds, among files without a word of prompts in them, those that call a wrapper defined elsewhere.

They are told by their bytes: a file that calls ``advise(`` and names the module ``chef`` that defines it is worth
parsing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from prefixlint.model.sources import SourceFile

    # Names of functions, each with the last names of the modules that define one so called.
    Calls = Mapping[str, frozenset[str]]
    Others = Callable[[Calls], Sequence[SourceFile]]

MOST_FILES = 400
_CALLED = re.compile(rb"([A-Za-z_\x80-\xff][\w\x80-\xff]{3,})\(")
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]+")
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t].*$", re.MULTILINE)


def no_others(calls: Calls) -> Sequence[SourceFile]:
    """No further files."""
    return ()


def named_nowhere(name: str) -> bool:
    """No further files that could name anything."""
    return False


class CallIndex:
    """The names that each of some files calls, and those in its import lines; read when first asked for."""

    def __init__(self, files: Iterable[tuple[str, bytes]]) -> None:
        self._files = list(files)
        self._called: dict[str, tuple[frozenset[bytes], frozenset[bytes]]] = {}

    def names(self, name: str) -> bool:
        """Whether one of the files has this name in it."""
        word = re.compile(rb"(?<![\w\x80-\xff])" + re.escape(name.encode()) + rb"(?![\w\x80-\xff])")
        return any(name.encode() in data and word.search(data) for _, data in self._files)

    def calling(self, calls: Calls) -> list[str]:
        """Paths of the files that call one of these functions and import its module, or something of its name."""
        # Surrogates: a file's name is bytes, and need not be UTF-8.
        wanted = {
            name.encode(): frozenset(module.encode(errors="surrogateescape") for module in modules)
            for name, modules in calls.items()
        }
        out = []
        for path, data in self._files:
            if path not in self._called:
                imports = b"\n".join(_IMPORT.findall(data))
                self._called[path] = frozenset(_CALLED.findall(data)), frozenset(_WORD.findall(imports))
            called, imported = self._called[path]
            if any(name in imported or wanted[name] & imported for name in called & wanted.keys()):
                out.append(path)
                if len(out) == MOST_FILES:
                    break
        return out
