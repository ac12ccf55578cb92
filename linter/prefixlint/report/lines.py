"""One line a finding: ``concise``, GitHub workflow commands, and the summary below them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from prefixlint.model.findings import Severity
from prefixlint.report.escape import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.model.findings import Finding
    from prefixlint.run.result import RunResult


def concise(findings: Iterable[Finding]) -> str:
    """``path:line:col: CODE severity message``."""
    return "".join(
        f"{plain(finding.span.path)}:{finding.span.start.line}:{finding.span.start.column}: "
        f"{finding.code} {finding.severity.value} {plain(finding.message)}\n"
        for finding in findings
    )


_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(findings: Iterable[Finding]) -> str:
    """Workflow commands that GitHub Actions shows as annotations. An end column counts only within one line."""
    out = []
    for finding in findings:
        start, end = finding.span.start, finding.span.end
        properties = {"file": finding.span.path, "line": start.line, "col": start.column, "endLine": end.line}
        if start.line == end.line:
            properties["endColumn"] = end.column
        properties["title"] = f"{finding.code} {finding.name}"
        listed = ",".join(f"{key}={_github_property(str(value))}" for key, value in properties.items())
        out.append(f"::{_COMMANDS[finding.severity]} {listed}::{_github_data(finding.message)}\n")
    return "".join(out)


def _github_data(text: str) -> str:
    # Percent signs first, so that what follows is not escaped twice; the rest of the control characters as for people.
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return plain(text)


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def extent(least: int, most: int) -> str:
    """``5 to 7``, or ``5`` where both are the same."""
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def summary(result: RunResult, shown: Sequence[Finding], known: str = "") -> str:
    """``Found 3 errors, 1 warning in 12 files (9 templates)``; infos that are not shown are counted behind it.

    ``known`` says how many findings are kept back because they are not new.
    """
    parts = [
        plural(count, severity.value)
        for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
        if (count := sum(finding.severity is severity for finding in shown))
    ]
    where = f"{plural(result.files, 'file')} ({plural(len(result.templates), 'template')})"
    text = f"Found {', '.join(parts)} in {where}" if parts else f"No faults found in {where}"
    hidden = result.count(Severity.INFO) - sum(finding.severity is Severity.INFO for finding in shown)
    if hidden > 0:
        text += f"; {plural(hidden, 'info')} hidden (--show-info)"
    if known:
        text += f"; {known}"
    if result.suppressed:
        text += f"; {result.suppressed:,} suppressed"
    if missed := [
        plural(count, noun)
        for count, noun in ((len(result.path_errors), "unusable path"), (len(result.crashes), "internal error"))
        if count
    ]:
        text += f"; {', '.join(missed)}, so this is not all"
    return text + "\n"


def statistics(findings: Iterable[Finding]) -> str:
    """How many findings of each rule, most frequent first: count, code, name, stranded tokens in all."""
    counts: Counter[tuple[str, str]] = Counter()
    stranded: Counter[str] = Counter()
    for finding in findings:
        counts[finding.code, finding.name] += 1
        stranded[finding.code] += finding.stranded_tokens
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    if not rows:
        return ""
    wide = max(len(f"{count:,}") for _, count in rows)
    names = max(len(name) for (_, name), _ in rows)
    numbers = max(len(f"{stranded[code]:,}") for (code, _), _ in rows)
    lines = []
    for (code, name), count in rows:
        tokens = f"  {stranded[code]:>{numbers},} {'token' if stranded[code] == 1 else 'tokens'} stranded"
        told = tokens if stranded[code] else ""
        lines.append(f"{count:>{wide},}  {code}  {name:<{names}}{told}".rstrip() + "\n")
    return "".join(lines)
