"""JUnit XML: a suite for each file, a failed case for each finding, a passed one for each template without any."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from prefixlint.report.escape import plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from prefixlint.model.findings import Finding, Severity
    from prefixlint.model.templates import Template
    from prefixlint.run.result import Crash, RunResult

# Code points that no XML 1.0 document may hold, over those that ``plain`` escapes.
_NOT_XML: Final = re.compile("[\ufffe\uffff]")


def junit(result: RunResult, findings: Sequence[Finding], fail_on: Severity) -> str:
    """``findings`` below ``fail_on`` are passed cases with the message as their output; internal errors are errors."""
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.span.path, []).append(finding)
    faulty = {finding.template for finding in findings}
    clean: dict[str, list[Template]] = {}
    for template in result.templates:
        if template.id not in faulty:
            clean.setdefault(template.span.path, []).append(template)
    root = Element("testsuites", name="prefixlint")
    for path in sorted({*by_path, *clean}):
        suite = SubElement(root, "testsuite", name=_text(path))
        for template in clean.get(path, ()):
            _case(suite, path, f"{template.name} (line {template.span.start.line})")
        for finding in by_path.get(path, ()):
            _finding(suite, path, finding, fail_on)
        _count(suite)
    if result.crashes:
        suite = SubElement(root, "testsuite", name="internal errors")
        for crash in result.crashes:
            _crash(suite, crash)
        _count(suite)
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _text(text: str) -> str:
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", plain(text))


def _case(suite: Element, path: str, name: str) -> Element:
    # No "file" and "line": the schema that Jenkins holds such files against knows neither.
    return SubElement(suite, "testcase", name=_text(name), classname=_text(path))


def _finding(suite: Element, path: str, finding: Finding, fail_on: Severity) -> None:
    start = finding.span.start
    case = _case(suite, path, f"{finding.code} {finding.name} (line {start.line}, column {start.column})")
    message = _text(finding.message)
    detail = f"{_text(path)}:{start.line}:{start.column}: {finding.severity.value} {finding.code} {message}"
    if finding.severity.rank >= fail_on.rank:
        SubElement(case, "failure", message=message, type=finding.severity.value).text = detail
    else:
        SubElement(case, "system-out").text = detail


def _crash(suite: Element, crash: Crash) -> None:
    case = SubElement(suite, "testcase", name=_text(crash.where), classname=_text(crash.stage))
    SubElement(case, "error", message=_text(crash.error), type="internal error")


def _count(suite: Element) -> None:
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
