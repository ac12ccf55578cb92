from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from prefixlint.model.findings import Severity
from prefixlint.model.sources import Position, Span
from prefixlint.report.junit import junit
from prefixlint.run.result import Crash

if TYPE_CHECKING:
    from prefixlint.run.result import RunResult


def test_cases(result: RunResult) -> None:
    span = Span("app/clean.py", Position(7, 1), Position(7, 2))
    clean = replace(result.templates[0], span=span, name="quiet")
    root = ElementTree.fromstring(
        junit(replace(result, templates=(*result.templates, clean)), result.findings, Severity.WARNING)
    )
    assert root.tag == "testsuites"
    assert root.attrib == {"name": "prefixlint", "tests": "4", "failures": "2", "errors": "0"}
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["app/agent.py", "app/clean.py", "app/old.py", "app/zero.py"]
    (case,) = suites["app/agent.py"]
    assert case.attrib == {
        "name": "PFX101 volatile-timestamp (line 4, column 15)",
        "classname": "app/agent.py",
    }
    (failure,) = case
    assert (failure.tag, failure.attrib) == (
        "failure",
        {"message": "`now()` changes with every request; move it behind them", "type": "error"},
    )
    assert failure.text == "app/agent.py:4:15: error PFX101 `now()` changes with every request; move it behind them"
    (passed,) = suites["app/clean.py"]
    assert (passed.get("name"), len(passed)) == ("quiet (line 7)", 0)
    (note,) = suites["app/zero.py"].find("testcase") or ()
    assert note.tag == "system-out"
    assert suites["app/zero.py"].get("failures") == "0"


# What Jenkins' schema (junit-10.xsd) allows: for each element its attributes, and the elements in it.
ALLOWED = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "time", "skipped"}, {"testcase", "system-out"}),
    "testcase": ({"name", "time", "classname", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}


def test_nothing_that_the_schema_does_not_know(result: RunResult) -> None:
    crashed = replace(result, crashes=(Crash("layout", "a.py:1:x", "ValueError: no"),))
    root = ElementTree.fromstring(junit(crashed, result.findings, Severity.WARNING))
    seen = set()
    for element in root.iter():
        attributes, children = ALLOWED[element.tag]
        assert set(element.attrib) <= attributes
        assert {child.tag for child in element} <= children
        seen.add(element.tag)
    assert seen == set(ALLOWED)
    for suite in root:
        assert {"name", "tests", "failures", "errors"} <= set(suite.attrib)


def test_fail_on(result: RunResult) -> None:
    root = ElementTree.fromstring(junit(result, result.findings, Severity.ERROR))
    assert (root.get("tests"), root.get("failures")) == ("3", "1")


def test_crash_is_an_error(result: RunResult) -> None:
    crashed = replace(result, crashes=(Crash("layout", "a.py:1:x", "ValueError: no"),))
    root = ElementTree.fromstring(junit(crashed, (), Severity.WARNING))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "0", "1")
    error = root.find("testsuite/testcase/error")
    assert error is not None
    assert error.get("message") == "ValueError: no"


def test_any_text_is_well_formed(result: RunResult) -> None:
    hostile = "]]>&amp;<b>\"'\x00\x1b[31m\x85\u202e\ud800\ufffe\uffff\U0001f600é"
    finding = replace(
        result.findings[0],
        message=hostile,
        span=Span(f"{hostile}.py", Position(1, 1), Position(1, 2)),
    )
    root = ElementTree.fromstring(junit(result, (finding,), Severity.WARNING).encode())
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.get("message") == ("]]>&amp;<b>\"'\\x00\\x1b[31m\\x85\\u202e\\ud800\\ufffe\\uffff\U0001f600é")
