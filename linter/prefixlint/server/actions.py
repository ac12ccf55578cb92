"""What can be done about a finding: a fix that was shown to hold, all safe fixes, or a comment that silences it.

Each is tried on the text as it is in the editor before it is offered.
"""

from __future__ import annotations

import re
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.fixes.edits import replace as difference
from prefixlint.model.findings import Edit
from prefixlint.model.sources import SourceFile
from prefixlint.run.fixing import mend, proven

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.model.findings import Finding
    from prefixlint.model.sources import Position
    from prefixlint.server.analysis import Analysis

YAML = (".yaml", ".yml")
JINJA = (".j2", ".jinja", ".jinja2")


@dataclass(frozen=True, slots=True)
class Action:
    """``findings`` are those that it does away with; ``edits`` are all in the document. ``best``: do this one first."""

    title: str
    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    best: bool = False


def fixes(analysis: Analysis, first: Position, last: Position) -> tuple[Action, ...]:
    """Fixes of the findings that touch the places from ``first`` to ``last`` of the document."""
    wanted = tuple(within(analysis, first, last))
    if not wanted:
        return ()
    out = []
    for finding in proven(wanted, analysis.result, analysis.again, wanted):
        if finding.fix is not None:
            sure = finding.fix.applicability == "safe"
            title = finding.fix.message[:1].upper() + finding.fix.message[1:]
            title = title if sure else f"{title} (may change what the prompt means)"
            out.append(Action(f"{finding.code}: {title}", (finding,), finding.fix.edits, sure))
    return tuple(out)


def all_fixes(analysis: Analysis) -> Action | None:
    """All safe fixes of the document that hold together."""
    here = [finding for finding in analysis.findings if finding.span.path == analysis.source.path]
    if not here:
        return None
    mended = mend(analysis.result, analysis.again, unsafe=False, among=here)
    for source, text in mended.changed:
        if source.path == analysis.source.path:
            made = tuple(proposal.finding for proposal in mended.made)
            return Action("Fix all safe prefixlint findings", made, (difference(source, 0, len(source.text), text),))
    return None


def suppressions(analysis: Analysis, first: Position, last: Position) -> tuple[Action, ...]:
    """A comment for each finding, where one can be put that silences it and changes nothing else."""
    out = []
    for finding in within(analysis, first, last):
        edit = next((each for each in _comments(analysis.source, finding) if _silences(analysis, finding, each)), None)
        if edit is not None:
            out.append(Action(f"Suppress {finding.code} here with a comment", (finding,), (edit,)))
    return tuple(out)


def within(analysis: Analysis, first: Position, last: Position) -> Iterator[Finding]:
    """The findings in the document that touch what is selected."""
    for finding in analysis.findings:
        span = finding.span
        if span.path == analysis.source.path and span.start <= last and first <= span.end:
            yield finding


def _silences(analysis: Analysis, finding: Finding, edit: Edit) -> bool:
    source = analysis.source
    at = source.offset(edit.span.start)
    text = source.text[:at] + edit.replacement + source.text[at:]
    after = analysis.again({source.path: SourceFile(source.path, text)})
    before = [each.code for each in analysis.result.findings]
    before.remove(finding.code)
    same = [layout.total_tokens for layout in after.layouts] == [each.total_tokens for each in analysis.result.layouts]
    return same and not after.crashes and sorted(each.code for each in after.findings) == sorted(before)


def _comments(source: SourceFile, finding: Finding) -> Iterator[Edit]:
    """The comment in the places where it may help, the nearest first; nothing in a file that has no comments."""
    line = finding.span.start.line
    words = f"prefixlint: ignore[{finding.code}]"
    if source.path.endswith(JINJA):
        at = source.line_starts[line - 1] + len(source.line(line).rstrip("\r\n"))
        yield Edit(source.span(at, at), f"{{# {words} #}}")
    elif source.path.endswith((".py", *YAML, ".toml")):
        numbers: Iterable[int]
        if source.path.endswith(".py"):
            numbers = (_token_line(source, finding.span.start),)
        else:
            numbers = (_toml_lines if source.path.endswith(".toml") else _entry_lines)(source, line)
        for number in numbers:
            edit = _above(source, number, f"# {words}")
            if edit is not None:
                yield edit


def _above(source: SourceFile, line: int, comment: str) -> Edit | None:
    if line > 1 and source.line(line - 1).rstrip("\r\n").endswith("\\"):
        return None  # no comment may stand within a line that goes on
    text = source.line(line)
    indent = text[: len(text) - len(text.lstrip())]
    end = "\r\n" if text.endswith("\r\n") else "\n"
    at = source.line_starts[line - 1]
    return Edit(source.span(at, at), f"{indent}{comment}{end}")


def _token_line(source: SourceFile, position: Position) -> int:
    """The first line of the string that the place is in, or its own: no comment stands inside a string."""
    lines = iter([source.line(number).rstrip("\r\n") + "\n" for number in range(1, len(source.line_starts) + 1)])
    opened: list[int] = []
    at = (position.line, position.column - 1)
    try:
        for token in tokenize.generate_tokens(lambda: next(lines, "")):
            name = tokenize.tok_name[token.type]
            if name in ("FSTRING_START", "TSTRING_START"):
                opened.append(token.start[0])
            if token.start <= at < token.end or token.start > at:
                inside = name == "STRING" and token.start <= at
                return opened[0] if opened else token.start[0] if inside else position.line
            if name in ("FSTRING_END", "TSTRING_END") and opened:
                opened.pop()
    except (tokenize.TokenError, SyntaxError):
        pass
    return position.line


def _entry_lines(source: SourceFile, line: int) -> Iterator[int]:
    """The lines of the YAML entries that a place may be in: its own, then those above with ever less indentation."""
    indent = 1 << 30
    for number in range(line, 0, -1):
        text = source.line(number)
        own = len(text) - len(text.lstrip())
        if text.strip() and own < indent and ":" in text:
            indent = own
            yield number


_TOML_STRING = re.compile(r"""\s*[\w.\-"']+\s*=\s*(?:\"{3}|'{3})""")


def _toml_lines(source: SourceFile, line: int) -> Iterator[int]:
    """The line itself, then those above that a string of several lines may begin on."""
    yield line
    yield from (number for number in range(line - 1, 0, -1) if _TOML_STRING.match(source.line(number)))
