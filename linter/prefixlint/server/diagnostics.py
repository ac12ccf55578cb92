"""Findings as diagnostics, each with the places that belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from prefixlint.model.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from prefixlint.model.findings import Finding
    from prefixlint.server.analysis import Analysis
    from prefixlint.server.places import Units

SOURCE = "prefixlint"
BAD_CONFIGURATION = "PFX903"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}


def by_file(
    analyses: Iterable[Analysis], units: Units, uri_of: Callable[[str], str]
) -> dict[str, tuple[types.Diagnostic, ...]]:
    """The diagnostics of all documents by the path of the file they stand in; each once.

    A value may stand in another file than the prompt it is in: what one document shows may be found in another.
    """
    out: dict[str, dict[tuple[str, str, int, int], types.Diagnostic]] = {}
    for analysis in analyses:
        for path, diagnostic in _all(analysis, units, uri_of):
            start = diagnostic.range.start
            key = (str(diagnostic.code), diagnostic.message, start.line, start.character)
            out.setdefault(path, {}).setdefault(key, diagnostic)
    return {path: tuple(found.values()) for path, found in out.items()}


def _all(analysis: Analysis, units: Units, uri_of: Callable[[str], str]) -> Iterator[tuple[str, types.Diagnostic]]:
    if analysis.trouble and analysis.config_file:
        nowhere = types.Range(types.Position(0, 0), types.Position(0, 0))
        yield (
            analysis.config_file,
            types.Diagnostic(
                nowhere, analysis.trouble, types.DiagnosticSeverity.Error, BAD_CONFIGURATION, source=SOURCE
            ),
        )
    for finding in analysis.findings:
        yield finding.span.path, diagnostic(finding, analysis, units, uri_of)


def diagnostic(finding: Finding, analysis: Analysis, units: Units, uri_of: Callable[[str], str]) -> types.Diagnostic:
    """One finding. Related are the places outside its own, where the text of their file is at hand."""
    related = []
    for place in finding.related:
        source = analysis.text(place.span.path)
        if source is not None and not finding.span.contains(place.span):
            where = types.Location(uri_of(place.span.path), units.range(source, place.span))
            related.append(types.DiagnosticRelatedInformation(where, place.note))
    source = analysis.text(finding.span.path)
    return types.Diagnostic(
        range=units.range(source if source is not None else analysis.source, finding.span),
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(finding.url) if finding.url else None,
        source=SOURCE,
        related_information=related or None,
    )
