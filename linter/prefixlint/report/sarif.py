"""SARIF 2.1.0, for GitHub code scanning and other viewers of static analysis results."""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from prefixlint import __version__
from prefixlint.model.findings import Severity
from prefixlint.ratchet.identity import fingerprints
from prefixlint.report.escape import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from prefixlint.model.findings import Finding, Fix, Related
    from prefixlint.model.sources import Span
    from prefixlint.rulebase import Rule
    from prefixlint.run.result import Crash, RunResult

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT: Final = "prefixlintFinding/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LINK: Final = re.compile(r"(?<!\!)\[([^\]\n]+)\]\([^)\n]*\)")


def sarif(result: RunResult, findings: Sequence[Finding], rules: Sequence[Rule]) -> str:
    """One run with all ``rules``, their pages as help, and the ``findings``.

    Columns count code points, as everywhere else. Fingerprints stay when lines move.
    """
    places = {rule.code: place for place, rule in enumerate(rules)}
    prints = fingerprints(findings, result.templates)
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "prefixlint",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(rule) for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(result.crashes)],
                "results": [
                    _result(finding, mark, places.get(finding.code))
                    for finding, mark in zip(findings, prints, strict=True)
                ],
            }
        ],
    }
    return json_text(document)


def _rule(rule: Rule) -> dict[str, Any]:
    from prefixlint.rulebase import rule_page

    out: dict[str, Any] = {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "defaultConfiguration": {"enabled": rule.default},
        "properties": {"tags": ["prompt-cache", rule.name]},
    }
    if rule.url:
        out["helpUri"] = rule.url
    try:
        page = rule_page(rule)
    except LookupError:
        return out
    out["help"] = {"text": _LINK.sub(r"\1", page), "markdown": page}
    if what := _first_paragraph(page):
        out["fullDescription"] = {"text": what}
    return out


def _first_paragraph(page: str) -> str:
    """The first paragraph of the section *What it does*, on one line."""
    _, _, section = page.partition("## What it does\n")
    return " ".join(section.strip().partition("\n\n")[0].split())


def _invocation(crashes: Sequence[Crash]) -> dict[str, Any]:
    out: dict[str, Any] = {"executionSuccessful": not crashes}
    if crashes:
        out["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": f"internal error in {crash.stage} on {crash.where}: {crash.error}"},
            }
            for crash in crashes
        ]
    return out


def _result(finding: Finding, mark: str, place: int | None) -> dict[str, Any]:
    out: dict[str, Any] = {"ruleId": finding.code}
    if place is not None:
        out["ruleIndex"] = place
    out |= {
        "level": _LEVELS[finding.severity],
        "message": {"text": _plain_message(finding.message)},
        "locations": [{"physicalLocation": _location(finding.span)}],
        "partialFingerprints": {FINGERPRINT: mark},
    }
    if finding.related:
        out["relatedLocations"] = [_related(number, related) for number, related in enumerate(finding.related, 1)]
    if finding.fix is not None and finding.fix.edits:
        out["fixes"] = [_fix(finding.fix)]
    out["properties"] = {
        "confidence": finding.confidence.value,
        "template": finding.template or None,
        "lifetime": finding.lifetime.value if finding.lifetime else None,
        "expression": finding.expression,
        "stableTokensBefore": finding.stable_tokens_before,
        "strandedTokens": finding.stranded_tokens,
        "historyStranded": finding.history_stranded,
    }
    return out


def _plain_message(text: str) -> str:
    """A message in which no ``[text](address)`` of the source is taken for a link: SARIF 2.1.0, 3.11.6."""
    return text.replace("](", "\\](") if "](" in text else text


def _related(number: int, related: Related) -> dict[str, Any]:
    note = _plain_message(related.note)
    return {"id": number, "message": {"text": note}, "physicalLocation": _location(related.span)}


def _fix(fix: Fix) -> dict[str, Any]:
    by_path: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        change: dict[str, Any] = {"deletedRegion": _region(edit.span)}
        if edit.replacement:
            change["insertedContent"] = {"text": edit.replacement}
        by_path.setdefault(edit.span.path, []).append(change)
    return {
        "description": {"text": fix.message},
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": changes} for path, changes in by_path.items()
        ],
    }


def _location(span: Span) -> dict[str, Any]:
    return {"artifactLocation": _artifact(span.path), "region": _region(span)}


def _artifact(path: str) -> dict[str, str]:
    """A path under the working directory is told relative to the root of the sources, any other as it is."""
    pure = PurePosixPath(path)
    encoded = quote(os.fsencode(pure.as_posix()))  # a name is bytes, and need not be UTF-8
    if pure.is_absolute():
        return {"uri": f"file://{encoded}"}
    return {"uri": encoded} if ".." in pure.parts else {"uri": encoded, "uriBaseId": "%SRCROOT%"}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }
