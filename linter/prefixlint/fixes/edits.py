"""Edits of a text: which of them belong to a file, whether they agree, and what they make of it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from prefixlint.model.findings import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.model.findings import Finding
    from prefixlint.model.sources import SourceFile


class EditError(ValueError):
    """Edits that overlap, or that speak of another file."""


def edits(finding: Finding, source: SourceFile) -> tuple[Edit, ...]:
    """The edits of the finding's fix in ``source``, in the order of their places; none where it has no fix.

    ``finding.fix.applicability`` says whether they keep the meaning ("safe") or are to be asked for ("unsafe"). The
    edits of one fix belong together: all files it touches are changed, or none.
    """
    if finding.fix is None:
        return ()
    return tuple(sorted((edit for edit in finding.fix.edits if edit.span.path == source.path), key=_place))


def replace(source: SourceFile, start: int, end: int, replacement: str) -> Edit:
    """The edit that puts ``replacement`` in the place of the characters ``start`` to ``end``, no more than differ."""
    old = source.text[start:end]
    head = 0
    while head < min(len(old), len(replacement)) and old[head] == replacement[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(replacement)) - head and old[-1 - tail] == replacement[-1 - tail]:
        tail += 1
    # A line end of two characters is not cut in two: editors count it as one.
    if head and source.text[start + head - 1] == "\r":
        head -= 1
    if tail and source.text[end - tail] == "\n" and source.text[end - tail - 1 : end - tail] == "\r":
        tail -= 1
    return Edit(source.span(start + head, end - tail), replacement[head : len(replacement) - tail])


def apply(source: SourceFile, changes: Iterable[Edit]) -> str:
    """The file's text with all ``changes`` made. Raises ``EditError`` where two of them overlap."""
    placed = sorted({(source.offset(edit.span.start), source.offset(edit.span.end), edit) for edit in changes}, key=_at)
    for (start, end, edit), (after, _, other) in pairwise(placed):
        if after < end or (start == after and edit != other):
            raise EditError(f"two edits overlap at {source.path}:{other.span.start.line}")
    out, at = [], 0
    for start, end, edit in placed:
        if edit.span.path != source.path:
            raise EditError(f"an edit of {edit.span.path} in {source.path}")
        out += [source.text[at:start], edit.replacement]
        at = end
    return "".join([*out, source.text[at:]])


def _place(edit: Edit) -> tuple[int, int, int, int]:
    start, end = edit.span.start, edit.span.end
    return start.line, start.column, end.line, end.column


def _at(item: tuple[int, int, Edit]) -> tuple[int, int]:
    return item[0], item[1]
