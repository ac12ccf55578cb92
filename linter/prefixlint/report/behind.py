"""The text that a value strands, as lines of the files that it stands in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.model.segments import Text
from prefixlint.report.frame import line_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prefixlint.model.findings import Finding
    from prefixlint.model.layouts import Layout
    from prefixlint.model.sources import SourceFile, Span


@dataclass(frozen=True, slots=True)
class Behind:
    """The first lines of stranded text, ``numbers`` (from 1) of the file ``source``, and how many lines more there are.

    ``first`` are the character offsets at which that text begins and ends.
    """

    source: SourceFile | None = None
    numbers: tuple[int, ...] = ()
    more: int = 0
    first: tuple[int, int] = (0, 0)


def stranded_text(finding: Finding, layout: Layout | None, sources: Mapping[str, SourceFile], most: int) -> Behind:
    """At most ``most`` lines of what stands behind the finding's value and lives longer, in the order of the prompt.

    Blank lines and the value's own line are left out.
    """
    if layout is None or finding.lifetime is None:
        return Behind()
    shown: list[int] = []
    source: SourceFile | None = None
    first = (0, 0)
    seen: set[tuple[str, int]] = {(finding.span.path, finding.span.start.line)}
    for span in _spans(finding, layout):
        file = sources.get(span.path)
        if file is None:
            continue
        for number in range(span.start.line, span.end.line + 1):
            if (span.path, number) in seen or not _part(file, number, span).strip():
                continue
            seen.add((span.path, number))
            if source is None:
                source, first = file, (file.offset(span.start), file.offset(span.end))
            if file is source and len(shown) < most and len(shown) == len(seen) - 2:
                shown.append(number)
    return Behind(source, tuple(shown), len(seen) - 1 - len(shown), first)


def _part(file: SourceFile, number: int, span: Span) -> str:
    """What of the span stands on line ``number``."""
    text = line_text(file, number)
    end = span.end.column - 1 if number == span.end.line else len(text)
    return text[span.start.column - 1 if number == span.start.line else 0 : end]


def _spans(finding: Finding, layout: Layout) -> Iterator[Span]:
    """The places of the stranded text."""
    assert finding.lifetime is not None
    behind = False
    for placed in layout.placed:
        segment = placed.segment
        if not isinstance(segment, Text):
            behind = behind or segment.span == finding.span
        elif behind and segment.text.strip() and placed.lifetime.outlives(finding.lifetime):
            yield from segment.spans()
