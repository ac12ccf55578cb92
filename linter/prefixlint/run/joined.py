"""Prompt files that something else sends: the sender's template stands for them.

A file is first judged by itself, its placeholders by their names. Where code, a configuration or another file loads it,
the template made there knows more, so the file's own one would only say the same again, or something wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from prefixlint.model.segments import Text, walk
from prefixlint.model.sources import SourceMap
from prefixlint.run.triage import is_python

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from prefixlint.model.templates import Template

MOSTLY = 0.9
"""Share of a file's fixed text that has to stand in another template. A loader may strip or cut some."""

Range = tuple[int, int]
"""Offsets in a file, the second one behind the range."""


def without_loaded(templates: Sequence[Template], of_files: Iterable[Template]) -> list[Template]:
    """``templates`` without those of whole files, which ``of_files`` are, whose text stands in one that was made
    elsewhere."""
    own = {id(template) for template in of_files}
    loaded: dict[str, list[Range]] = {}
    for template in templates:
        for path, start, end in _places(template):
            if not is_python(path) and (path != template.span.path or id(template) not in own):
                loaded.setdefault(path, []).append((start, end))
    if not loaded:
        return list(templates)
    covered = {path: _union(ranges) for path, ranges in loaded.items()}
    return [
        template
        for template in templates
        if id(template) not in own or not _stands_in(template, covered.get(template.span.path, ()))
    ]


def _places(template: Template) -> Iterator[tuple[str, int, int]]:
    """Path and offsets of the fixed texts that have places."""
    for block in template.blocks:
        for segment in walk(block.segments):
            if isinstance(segment, Text) and isinstance(segment.source, SourceMap) and segment.source.runs:
                runs = segment.source.runs
                yield segment.source.file.path, runs[0].source_start, runs[-1].source_start + runs[-1].source_length


def _union(ranges: Iterable[Range]) -> list[Range]:
    out: list[Range] = []
    for start, end in sorted(ranges):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def _stands_in(template: Template, covered: Sequence[Range]) -> bool:
    if not covered:
        return False
    total = held = 0
    for path, start, end in _places(template):
        if path != template.span.path:
            return False
        total += end - start
        held += _overlap(start, end, covered)
    return total > 0 and held >= MOSTLY * total


def _overlap(start: int, end: int, covered: Sequence[Range]) -> int:
    at = max(0, bisect_left(covered, (start, start)) - 1)
    held = 0
    while at < len(covered) and covered[at][0] < end:
        held += max(0, min(end, covered[at][1]) - max(start, covered[at][0]))
        at += 1
    return held
