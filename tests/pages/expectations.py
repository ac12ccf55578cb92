"""Expectation markers: what they say, where they hold, and whether a run agrees with them.

A marker is a comment on the line above what it speaks of::

    # expect: PFX101 `now()`     this finding is there; the text in backticks is part of the expression
    # ok: PFX101                 nothing of the kind is there
    # todo: PFX101 `now()`       it should be there and is not yet: fails as soon as it is found
    # todook: PFX101             it is there and should not be: fails as soon as it is gone

A file that has no comments is spoken of from another one: ``# expect: PFX101 `now` at prompts/system.txt:1``.

In Python a marker speaks of the largest statement or expression that starts on the next line of code, in YAML of the
key below with all that is indented under it, elsewhere of the line below. Findings that no marker speaks of are wrong.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.model.findings import Finding

MARKER = re.compile(
    r"^\s*(?:#|\{#-?)\s*(expect|ok|todo|todook)\s*:\s*(PFX\d{3})(?:\s+`([^`]+)`)?(?:\s+at\s+(\S+):(\d+))?\s*(?:-?#\})?\s*$"
)


@dataclass(frozen=True, slots=True)
class Marker:
    """``first`` and ``last`` are the lines (from 1, both included) it speaks of; ``line`` is its own.

    ``file`` is the file it speaks of, relative to the folder of its own; "" for its own.
    """

    kind: str
    code: str
    expression: str
    line: int
    first: int
    last: int
    file: str = ""

    def speaks_of(self, finding: Finding) -> bool:
        return (
            finding.code == self.code
            and self.first <= finding.span.start.line <= self.last
            and self.expression in (finding.expression or "")
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.code} `{self.expression}`"


def markers(text: str, suffix: str) -> tuple[Marker, ...]:
    """The markers of a file whose name ends in ``suffix``. Raises ``ValueError`` for one that speaks of nothing."""
    lines = text.splitlines()
    found = []
    for index, line in enumerate(lines):
        match = MARKER.match(line)
        if match is None:
            if re.match(r"^\s*(#|\{#-?)\s*(expect|ok|todo|todook)\s*:", line):
                raise ValueError(f"line {index + 1}: not a marker: {line.strip()}")
            continue
        if match[4]:
            line_there = int(match[5])
            found.append(Marker(match[1], match[2], match[3] or "", index + 1, line_there, line_there, match[4]))
            continue
        below = index + 1
        while below < len(lines) and (not lines[below].strip() or MARKER.match(lines[below])):
            below += 1
        if below == len(lines):
            raise ValueError(f"line {index + 1}: nothing below the marker")
        last = _last_line(text, lines, below, suffix)
        found.append(Marker(match[1], match[2], match[3] or "", index + 1, below + 1, last))
    return tuple(found)


def _last_line(text: str, lines: Sequence[str], index: int, suffix: str) -> int:
    """Last line, from 1, of what starts on the line with this index."""
    if suffix == ".py":
        nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.expr | ast.stmt))
        ends = [node.end_lineno or 0 for node in nodes if node.lineno == index + 1]
        if not ends:
            raise ValueError(f"line {index + 1}: no statement or expression starts here")
        return max(ends)
    if suffix in (".yaml", ".yml"):
        indent = _indent(lines[index])
        last = index
        for at in range(index + 1, len(lines)):
            if lines[at].strip():
                if _indent(lines[at]) <= indent:
                    break
                last = at
        return last + 1
    return index + 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def disagreements(files: Iterable[Path], findings: Sequence[Finding]) -> list[str]:
    """One line for each marker that the findings contradict, and for each finding in the files without a marker."""
    out = []
    files = [file.resolve() for file in files]
    explained: set[Finding] = set()
    for file in files:
        for marker in markers(file.read_text(encoding="utf-8"), file.suffix):
            there = (file.parent / marker.file).resolve() if marker.file else file
            met = [one for one in findings if Path(one.span.path).resolve() == there and marker.speaks_of(one)]
            explained.update(met)
            verdict = _verdict(marker, met)
            if verdict:
                out.append(f"{file.name}:{marker.line}: {verdict}")
    for finding in findings:
        path = Path(finding.span.path).resolve()
        if path in files and finding not in explained:
            place = f"{path.name}:{finding.span.start.line}:{finding.span.start.column}"
            what = f"{finding.severity.value} {finding.code} `{finding.expression}`"
            out.append(f"{place}: unexpected: {what}: {finding.message}")
    return out


def _verdict(marker: Marker, met: Sequence[Finding]) -> str:
    """What is wrong with a marker that the findings ``met`` answer to; "" when nothing is."""
    if marker.kind == "expect" and not met:
        return f"missing: {marker}"
    if marker.kind == "ok" and met:
        return f"false alarm: {marker}: {met[0].message}"
    if marker.kind == "todo" and met:
        return f"found now, make it an expect: {marker}"
    if marker.kind == "todook" and not met:
        return f"gone now, make it an ok: {marker}"
    return ""
