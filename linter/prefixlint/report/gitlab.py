"""GitLab's code quality report: the part of the Code Climate format that GitLab reads."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.model.findings import Severity
from prefixlint.ratchet.identity import fingerprints
from prefixlint.report.escape import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.findings import Finding
    from prefixlint.run.result import RunResult

# GitLab knows info, minor, major, critical and blocker; nothing here stops a program from working.
_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def gitlab(result: RunResult, findings: Sequence[Finding]) -> str:
    """A JSON array with one entry a finding; paths relative, as GitLab wants them, where the run's are."""
    document = [
        {
            "description": f"{finding.code} {finding.message}",
            "check_name": finding.name,
            "fingerprint": mark,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": PurePosixPath(finding.span.path).as_posix(),
                "lines": {"begin": finding.span.start.line, "end": finding.span.end.line},
            },
        }
        for finding, mark in zip(findings, fingerprints(findings, result.templates), strict=True)
    ]
    return json_text(document)
