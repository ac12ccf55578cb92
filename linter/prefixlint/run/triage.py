"""What each file is for: one of the front ends, comments that silence, code that measures."""

from __future__ import annotations

import codecs
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.discover.read import source_of
from prefixlint.model.notebooks import Notebook
from prefixlint.model.templates import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.discover.read import Contents
    from prefixlint.model.sources import SourceFile
    from prefixlint.run.collect import Collected
    from prefixlint.run.stages import Stages

MARK = b"prefixlint:"
"""What every suppression comment contains."""
NOTEBOOK = ".ipynb"
LARGER = 16
"""How many times as large as other files a notebook may be: pictures in it are passed over."""
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_python(path: str) -> bool:
    return path.endswith((".py", NOTEBOOK))


@dataclass(slots=True)
class Triage:
    """The files that were taken: ``python`` and ``others`` for the two front ends, ``notebooks`` for what is found in
    the modules made of them. ``unread`` are Python files without a word of prompts, with their bytes.

    ``overlay`` are texts that stand for the files at these absolute paths, ``largest`` is the number of bytes of the
    largest file that is read.
    """

    out: Collected
    stages: Stages
    overlay: Mapping[str, SourceFile]
    largest: int
    python: list[SourceFile] = field(default_factory=list)
    others: list[SourceFile] = field(default_factory=list)
    notebooks: list[Notebook] = field(default_factory=list)
    unread: list[tuple[str, bytes]] = field(default_factory=list)

    def limit(self, path: str) -> int:
        """How many bytes the file at ``path`` may have."""
        return self.largest * (LARGER if path.endswith(NOTEBOOK) else 1)

    def take(self, path: str, contents: Contents) -> None:
        """Takes a file for what its bytes may hold; says in ``out`` what is wrong with it."""
        python = is_python(path)
        notebook = path.endswith(NOTEBOOK)
        code = self.stages.notebook_bytes(contents.data) if notebook else contents.data
        if code.startswith(_WIDE):
            code = code.replace(b"\0", b"")  # the words in a file that Python cannot read, so that it is told
        if python:
            candidate = self.stages.python_might_hold(code)
        else:
            candidate = self.stages.file_might_hold(path, contents.data)
        marked = MARK in contents.data
        measures = python and self.stages.might_measure(code)
        if python and not candidate and not notebook:
            self.unread.append((path, contents.data))
        if not candidate and not marked and not measures:
            return
        source = self.overlay.get(os.path.abspath(path)) or source_of(path, contents, self.limit(path))
        if isinstance(source, Problem):
            if candidate:
                # A plain text that only its braces make a candidate is more likely none that anybody sends.
                likely = python or self.stages.file_named(path)
                self.out.problems.append(source if likely else replace(source, minor=True))
            return
        analysed = source
        if notebook:
            cells, problems = self.stages.read_notebook(source)
            self.out.problems.extend(problems)
            if cells is None:
                return
            source, analysed = cells, cells.code
            self.notebooks.append(cells)
        self.out.sources[path] = source
        self.out.taken.add(path)
        if marked:
            self.out.marked.add(path)
        if candidate:
            (self.python if python else self.others).append(analysed)
        if measures:
            facts = self.stages.code_facts(analysed)
            self.out.facts.extend(map(source.placed, facts) if isinstance(source, Notebook) else facts)
