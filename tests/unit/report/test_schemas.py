"""The published schemas describe what is printed: all of it, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from prefixlint.model.findings import Fix
from prefixlint.report import jsonout
from prefixlint.report.schemas import schema
from prefixlint.run.result import RunResult

if TYPE_CHECKING:
    from typing import Literal


def closed(part: Any) -> Any:
    """The schema with every object limited to the keys that it names."""
    if isinstance(part, list):
        return [closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    out = {key: closed(value) for key, value in part.items()}
    return {**out, "additionalProperties": False} if part.get("type") == "object" else out


def validator(command: Literal["check", "report"]) -> Draft202012Validator:
    document = schema(command)
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(closed(document))


def test_check(result: RunResult) -> None:
    fixed = replace(result.findings[0], fix=Fix("safe", "sort it"))
    for findings in ((), result.findings, (fixed,)):
        validator("check").validate(json.loads(jsonout.check(result, findings)))


def test_report(result: RunResult) -> None:
    without = replace(result.layouts[0], breakpoint=None, predictions=(), shared_prefix=())
    validator("report").validate(json.loads(jsonout.report(replace(result, layouts=(*result.layouts, without)))))
    validator("report").validate(json.loads(jsonout.report(RunResult())))


@pytest.mark.parametrize(
    ("key", "value"), [("severity", "fatal"), ("start", {"line": 0, "column": 1}), ("stranded_tokens", -1)]
)
def test_wrong_values_are_refused(result: RunResult, key: str, value: object) -> None:
    document = json.loads(jsonout.check(result, result.findings))
    document["diagnostics"][0][key] = value
    assert not Draft202012Validator(schema("check")).is_valid(document)


def test_every_key_is_required(result: RunResult) -> None:
    for command, text in (("check", jsonout.check(result, result.findings)), ("report", jsonout.report(result))):
        document = json.loads(text)
        (items,) = (value for value in document.values() if isinstance(value, list))
        for key in list(items[0]):
            kept = items[0].pop(key)
            assert not Draft202012Validator(schema(command)).is_valid(document), key
            items[0][key] = kept


def test_no_other_version() -> None:
    with pytest.raises(FileNotFoundError):
        schema("check", 2)
