from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from jsonschema import Draft202012Validator
from prefixlint.model.sources import Position, Span
from prefixlint.report.gitlab import gitlab

if TYPE_CHECKING:
    from prefixlint.run.result import RunResult

# What GitLab's documentation of code quality reports asks for, written down as a schema.
DOCUMENTED = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "location", "severity"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer"}}},
                },
            },
        },
    },
}


def test_entries(result: RunResult) -> None:
    document = json.loads(gitlab(result, result.findings))
    Draft202012Validator(DOCUMENTED).validate(document)
    mark = document[0].pop("fingerprint")
    assert len(mark) == 32
    assert document[0] == {
        "description": "PFX101 `now()` changes with every request; move it behind them",
        "check_name": "volatile-timestamp",
        "severity": "major",
        "location": {"path": "app/agent.py", "lines": {"begin": 4, "end": 4}},
    }
    assert [entry["severity"] for entry in document] == ["major", "minor", "info"]


def test_paths_and_fingerprints(result: RunResult) -> None:
    finding = replace(result.findings[0], span=Span("./app/agent.py", Position(1, 1), Position(2, 1)))
    one, other = json.loads(gitlab(result, (finding, finding)))
    assert one["location"]["path"] == "app/agent.py"
    assert one["fingerprint"] != other["fingerprint"]
    assert json.loads(gitlab(result, ())) == []
