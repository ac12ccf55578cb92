"""Where the code of a module stands that has been edited since an earlier run.

A module is cut into its outline (statements, and what stands in front of the bodies of classes and functions) and the
bodies of its functions and methods. While the outline is the same, nothing has changed but the inside of some bodies,
and each other line has its place in the new text. Comments and empty lines between these parts are no part of either.
"""

from __future__ import annotations

import ast
import json
import warnings
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from prefixlint.frontends.python.definitions import FunctionNode, first_line
from prefixlint.model.sources import Position, SourceFile, SourceMap, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.frontends.python.project import Project
    from prefixlint.frontends.python.trace import Place, Question


class Lost(LookupError):
    """What stood at a place is not there any more."""


class Moves:
    """What was edited of the modules of an earlier run, given their ``texts`` then, and where the rest of them stands
    now. Of a module whose outline has changed, nothing is known to have moved."""

    def __init__(self, texts: Mapping[str, str], project: Project) -> None:
        self._edited: dict[str, _Edited] = {}
        self._unlike: set[str] = set()
        for path, text in texts.items():
            file = project.file(path)
            if file is not None and file.text == text:
                continue
            module = None if file is None else project.module(path)
            edited = None if module is None else _edited(SourceFile(path, text), module.file, module.tree)
            if edited is None:
                self._unlike.add(path)
            else:
                self._edited[path] = edited

    def holds(self, question: Question) -> bool:
        """Whether the text that an earlier question was about is the same, where it was about one."""
        kind, path, *at = question
        if kind not in ("outline", "body") or path not in self._edited:
            return kind not in ("outline", "body") or path not in self._unlike
        return kind == "outline" or self._edited[str(path)].keeps_body_at(int(at[0]))

    def mentioned(self, packed: str) -> bool:
        """Whether a packed result names a module in which something may have moved."""
        return any(json.dumps(path) in packed for path in self._edited)

    def question(self, question: Question) -> Question:
        """An earlier question as it is asked now. Raises ``Lost``."""
        out: list[Any] = []
        for item in question:
            out.append(item)
            if _is_place(out[-3:]):
                out[-3:] = self.place((out[-3], out[-2], out[-1]))
        return tuple(out)

    def answer(self, answer: Any) -> Any:
        """An earlier answer (plain lists) as it is given now. Raises ``Lost``."""
        if not isinstance(answer, list):
            return answer
        if _is_place(answer):
            return list(self.place((answer[0], answer[1], answer[2])))
        return [self.answer(part) for part in answer]

    def place(self, place: Place) -> Place:
        """Raises ``Lost``."""
        path, line, column = place
        return (path, self._edited[path].line(line), column) if path in self._edited else place

    def found(self, thing: Any) -> Any:
        """A part of an earlier result, whatever that is, where it is found now. Raises ``Lost``."""
        if isinstance(thing, Span) and thing.path in self._edited:
            edited = self._edited[thing.path]
            return Span(thing.path, *(Position(edited.line(at.line), at.column) for at in (thing.start, thing.end)))
        if isinstance(thing, SourceMap) and thing.file.path in self._edited:
            edited = self._edited[thing.file.path]
            runs = (replace(run, source_start=edited.offset(run.source_start)) for run in thing.runs)
            return SourceMap(thing.file, tuple(runs))
        return thing


def _is_place(parts: Sequence[Any]) -> bool:
    return len(parts) == 3 and isinstance(parts[0], str) and type(parts[1]) is type(parts[2]) is int


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines ``first`` to ``last`` of a module; ``body`` is the function whose body they are."""

    first: int
    last: int
    body: FunctionNode | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """Lines that are the same in both texts, in the new one ``lines`` further down and ``characters`` further on.
    ``start`` and ``end`` are the offsets of their first character and of the one behind their last."""

    first: int
    last: int
    lines: int
    start: int
    end: int
    characters: int


@dataclass(frozen=True, slots=True)
class _Edited:
    """A module in which nothing but bodies were edited: what is ``kept`` of it, in order, and the lines on which the
    functions began whose bodies are not."""

    kept: tuple[_Kept, ...]
    others: frozenset[int]

    def line(self, line: int) -> int:
        """Raises ``Lost``."""
        at = bisect_right(self.kept, line, key=lambda kept: kept.first) - 1
        if at < 0 or line > self.kept[at].last:
            raise Lost(line)
        return line + self.kept[at].lines

    def offset(self, offset: int) -> int:
        """Raises ``Lost``."""
        at = bisect_right(self.kept, offset, key=lambda kept: kept.start) - 1
        if at < 0 or offset > self.kept[at].end:
            raise Lost(offset)
        return offset + self.kept[at].characters

    def keeps_body_at(self, line: int) -> bool:
        """Whether the function that began on a line has the body that it had, or is in one that is as it was."""
        try:
            self.line(line)
        except Lost:
            return False
        return line not in self.others


def _edited(old: SourceFile, new: SourceFile, tree: ast.Module) -> _Edited | None:
    """``tree`` is that of the new text. None where more than bodies have changed, or what a body tells of the whole
    module: imports, and classes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            before = list(_parts(ast.parse(old.text).body, old))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    now = list(_parts(tree.body, new))
    if [part.body is None for part in before] != [part.body is None for part in now]:
        return None
    kept: list[_Kept] = []
    others: set[int] = set()
    for was, part in zip(before, now, strict=True):
        text = _text(was, old)
        if text == _text(part, new):
            start, to = old.line_starts[was.first - 1], new.line_starts[part.first - 1]
            kept.append(_Kept(was.first, was.last, part.first - was.first, start, start + len(text), to - start))
        elif was.body is None or part.body is None or _tells_more(was.body) or _tells_more(part.body):
            return None
        else:
            others.add(was.body.lineno)
    return _Edited(tuple(kept), frozenset(others))


def _parts(body: Sequence[ast.stmt], file: SourceFile) -> Iterator[_Part]:
    for node in body:
        first, last = first_line(node), node.end_lineno or node.lineno
        inner: list[ast.stmt] = node.body if isinstance(node, FunctionNode | ast.ClassDef) else []
        start = first_line(inner[0]) if inner else first
        if start == first or file.line(start)[: inner[0].col_offset].strip():
            yield _Part(first, last)  # it has no body on lines of its own
            continue
        above = start - 1
        while not file.line(above).strip() or file.line(above).lstrip().startswith("#"):
            above -= 1
        yield _Part(first, above)
        if isinstance(node, FunctionNode):
            yield _Part(start, last, node)
        else:
            yield from _parts(inner, file)


def _text(part: _Part, file: SourceFile) -> str:
    start = file.line_starts[part.first - 1]
    end = file.line_starts[part.last] if part.last < len(file.line_starts) else len(file.text)
    return file.text[start:end].rstrip("\r\n")


def _tells_more(node: FunctionNode) -> bool:
    return any(isinstance(inner, ast.Import | ast.ImportFrom | ast.ClassDef) for inner in ast.walk(node))
