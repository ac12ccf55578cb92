"""What a run found, as every report gets it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.model.findings import Finding, Severity
    from prefixlint.model.layouts import Layout
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.templates import Problem, Template


@dataclass(frozen=True, slots=True)
class Crash:
    """An internal error: ``stage`` failed on ``where`` (a path or a template id) with ``error``.

    ``path`` is the file that could not be analysed because of it, "" when the rest of its file could.
    """

    stage: str
    where: str
    error: str
    path: str = ""
    traceback: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class RunResult:
    """``files`` counts the files looked at. ``findings`` are sorted by place and hold the problems as PFX901 too.

    ``layouts`` has one entry for each template that could be laid out, in the order of ``templates``. ``sources`` has
    the text of each file that a finding or a template points into, by path. ``path_errors`` are the arguments that
    cannot be used. ``named`` are the files that the arguments name or hold, absolute. ``suppressed`` counts findings
    that a comment or per-file-ignores silenced.
    """

    files: int = 0
    templates: tuple[Template, ...] = ()
    layouts: tuple[Layout, ...] = ()
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    crashes: tuple[Crash, ...] = ()
    path_errors: tuple[str, ...] = ()
    suppressed: int = 0
    named: frozenset[str] = frozenset()
    sources: Mapping[str, SourceFile] = field(default_factory=dict, repr=False)

    def count(self, severity: Severity) -> int:
        """Number of findings of that severity."""
        return sum(finding.severity is severity for finding in self.findings)

    @property
    def unanalysed_files(self) -> int:
        """Number of files that could not be analysed, or only in part."""
        paths = {problem.path for problem in self.problems if not problem.minor} | {
            crash.path for crash in self.crashes
        }
        return len(paths - {""})

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of that severity or a worse one."""
        return tuple(finding for finding in self.findings if finding.severity.rank >= severity.rank)
