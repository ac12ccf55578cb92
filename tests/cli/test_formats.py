"""The formats for other programs, over the whole command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from prefixlint.cli.main import main
from prefixlint.report.schemas import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Invoke = Callable[..., Result]

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_sarif(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\nPROMPT two info\n")
    result = invoke("check", "--output-format", "sarif")
    assert result.exit_code == 1
    (run,) = json.loads(result.stdout)["runs"]
    assert [(found["ruleId"], found["level"]) for found in run["results"]] == [("PFX101", "error")]
    result = invoke("check", "--output-format", "sarif", "--show-info", "--output-file", "out.sarif")
    assert result.stdout == ""
    (run,) = json.loads((folder / "out.sarif").read_text())["runs"]
    assert [found["level"] for found in run["results"]] == ["error", "note"]


def test_gitlab(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    (entry,) = json.loads(invoke("check", "--output-format", "gitlab").stdout)
    assert entry["location"] == {"path": "a.py", "lines": {"begin": 1, "end": 1}}


def test_junit_follows_fail_on(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one warning\n")
    for options, failures in (([], "1"), (["--fail-on", "error"], "0")):
        root = ElementTree.fromstring(invoke("check", "--output-format", "junit", *options).stdout)
        assert (root.get("tests"), root.get("failures")) == ("1", failures)


@pytest.mark.parametrize("output_format", ["json", "sarif", "github", "gitlab", "junit"])
def test_statistics_are_for_people(invoke: Invoke, output_format: str) -> None:
    assert invoke("check", "--statistics", "--output-format", output_format).exit_code == 2


def test_html(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["report", str(EXAMPLES), "--output-format", "html", "--output-file", "report.html"])
    assert (ended.value.code, capsys.readouterr().out) == (0, "")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<details") == page.count('<tr data-n="') > 9


@pytest.mark.parametrize("command", ["check", "report"])
def test_real_output_follows_the_published_schema(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, str(EXAMPLES), "--output-format", "json", *(["--show-info"] if command == "check" else [])])
    document = json.loads(capsys.readouterr().out)
    assert document["diagnostics" if command == "check" else "templates"]
    Draft202012Validator(schema("check" if command == "check" else "report")).validate(document)


def test_other_formats_in_the_same_run(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    result = invoke("check", "--output-format", "concise", "--also", "json=a.json", "--also", "markdown=b=c.md")
    assert (result.exit_code, result.stdout.splitlines()[0][:7]) == (1, "a.py:1:")
    assert json.loads((folder / "a.json").read_text())["summary"]["errors"] == 1
    assert (folder / "b=c.md").read_text().startswith("### prefixlint\n")
    counted = invoke("check", "--statistics", "--also", "json=a.json")
    assert counted.stdout.startswith("1  PFX101")


@pytest.mark.parametrize("value", ["json", "json=", "text=a", "=a"])
def test_also_takes_a_format_and_a_file(invoke: Invoke, value: str) -> None:
    result = invoke("check", "--also", value)
    assert result.exit_code == 2
    assert "FORMAT=FILE" in result.stderr
