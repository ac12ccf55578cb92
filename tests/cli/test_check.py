"""Options and exit status of ``prefixlint check``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Invoke = Callable[..., Result]


def test_clean(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("x = 1\n")
    result = invoke("check")
    assert (result.exit_code, result.output) == (0, "No faults found in 1 file (0 templates)\n")


@pytest.mark.parametrize(
    ("severity", "options", "status"),
    [
        ("error", [], 1),
        ("warning", [], 1),
        ("info", [], 0),
        ("error", ["--exit-zero"], 0),
        ("warning", ["--fail-on", "error"], 0),
        ("error", ["--fail-on", "error"], 1),
        ("info", ["--fail-on", "info"], 1),
        ("info", ["--show-info"], 0),
        ("error", ["--ignore", "PFX101"], 0),
        ("error", ["--select", "PFX9"], 0),
        ("error", ["--select", "PFX9,pfx101"], 1),
        ("error", ["--select", "PFX9", "--extend-select", "PFX1"], 1),
    ],
)
def test_status(invoke: Invoke, folder: Path, severity: str, options: list[str], status: int) -> None:
    (folder / "a.py").write_text(f"PROMPT one {severity}\n")
    assert invoke("check", *options, "a.py").exit_code == status


def test_what_fails_the_run_is_shown(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one info\n")
    result = invoke("check", "--output-format", "concise", "--fail-on", "info")
    assert (result.exit_code, result.output) == (
        1,
        "a.py:1:1: PFX101 info message\nFound 1 info in 1 file (1 template)\n",
    )


def test_info_is_listed_only_when_asked_for(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one info\n")
    assert invoke("check", "--output-format", "concise").output == (
        "No faults found in 1 file (1 template); 1 info hidden (--show-info)\n"
    )
    shown = "a.py:1:1: PFX101 info message\nFound 1 info in 1 file (1 template)\n"
    assert invoke("check", "--output-format", "concise", "--show-info").output == shown
    (folder / "prefixlint.toml").write_text("show-info = true\nfail-on = 'info'")
    result = invoke("check", "--output-format", "concise")
    assert (result.exit_code, result.output) == (1, shown)
    document = json.loads(invoke("check", "--output-format", "json", "--config", "prefixlint.toml").output)
    assert len(document["diagnostics"]) == 1


def test_unanalysed_file_is_a_warning(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("BROKEN\n")
    result = invoke("check", "--output-format", "concise")
    assert result.exit_code == 1
    assert result.output.startswith("a.py:1:1: PFX901 warning broken\n")


def test_internal_error_is_4_and_the_rest_is_printed(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("CRASH\n")
    (folder / "b.py").write_text("PROMPT one\n")
    result = invoke("check", "--output-format", "concise", "--exit-zero")
    assert result.exit_code == 4
    assert result.stdout == (
        "b.py:1:1: PFX101 error message\nFound 1 error in 2 files (1 template); 1 internal error, so this is not all\n"
    )
    assert result.stderr == (
        "prefixlint: internal error in Python front end on a.py: RuntimeError: fault\n"
        "prefixlint: PREFIXLINT_TRACEBACK=1 shows where; please report it\n"
    )


def test_internal_error_with_its_place(invoke: Invoke, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFIXLINT_TRACEBACK", "1")
    (folder / "a.py").write_text("CRASH\n")
    assert 'raise RuntimeError("fault")' in invoke("check").stderr


def test_missing_path_is_2_and_the_rest_is_printed(invoke: Invoke, folder: Path) -> None:
    (folder / "b.py").write_text("PROMPT one\n")
    result = invoke("check", "nowhere", "b.py", "--output-format", "concise")
    assert result.exit_code == 2
    assert result.stderr == "prefixlint: no such file or folder: nowhere\n"
    assert result.stdout.startswith("b.py:1:1: PFX101 error")
    assert result.stdout.endswith("; 1 unusable path, so this is not all\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--select", "PFX10l"], "select: unknown rule code 'PFX10L'"),
        (["check", "--output-format", "yaml"], "'yaml' is not one of"),
        (["check", "--target", "vlm"], "unknown target 'vlm'"),
        (["check", "--config", "none.toml"], "none.toml"),
        (["check", "--frobnicate"], "No such option"),
        (["check", "--statistics", "--output-format", "json"], "--statistics is for people"),
        (["chekc"], "no such command 'chekc'; did you mean 'check'?"),
        (["a.py"], "no such command 'a.py'; to check a path: prefixlint check a.py"),
        (["explain", "PFX10l"], "no rule 'PFX10l'; did you mean"),
        (["explain", "volatile-timestmp"], "no rule 'volatile-timestmp'; did you mean 'volatile-timestamp'?"),
        (["check", "--output-file", "no/such/folder/x"], "cannot write no/such/folder/x"),
    ],
)
def test_wrong_use_is_2(invoke: Invoke, folder: Path, arguments: list[str], message: str) -> None:
    (folder / "a.py").write_text("x = 1\n")
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_bad_configuration_is_2_and_names_file_and_key(invoke: Invoke, folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.prefixlint]\nselct = []\n")
    result = invoke("check")
    assert result.exit_code == 2
    assert result.stderr == "Error: pyproject.toml: unknown key 'selct'; did you mean 'select'?\n"


def test_codes_of_the_command_line_come_after_those_of_the_file(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    (folder / "prefixlint.toml").write_text("ignore = ['PFX101']")
    assert invoke("check").exit_code == 0
    assert invoke("check", "--extend-select", "PFX101").exit_code == 1


def test_standard_input(invoke: Invoke, folder: Path) -> None:
    result = invoke("check", "-", "--stdin-filename", "src/x.py", "--output-format", "concise", data=b"\nPROMPT one\n")
    assert result.exit_code == 1
    assert result.output.startswith("src/x.py:2:1: PFX101 error")
    result = invoke("check", "-", "--output-format", "concise", data=b"PROMPT one\n")
    assert result.output.startswith("stdin.py:1:1: PFX101 error")
    # Its configuration is that of the file it stands for.
    (folder / "src").mkdir()
    (folder / "src" / "prefixlint.toml").write_text("ignore = ['PFX101']")
    assert invoke("check", "--stdin-filename", "src/x.py", data=b"PROMPT one\n").exit_code == 0


def test_output_file(invoke: Invoke, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    (folder / "a.py").write_text("PROMPT one\n")
    result = invoke("check", "--output-file", "out.txt")
    assert (result.exit_code, result.output) == (1, "")
    text = (folder / "out.txt").read_text(encoding="utf-8")
    assert text.startswith("error[PFX101]: message\n --> a.py:1:1\n")
    assert "\x1b" not in text


def test_statistics(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\nPROMPT two\nBROKEN\n")
    assert invoke("check", "--statistics").output == (
        "2  PFX101  each-template      140 tokens stranded\n"
        "1  PFX901  file-not-analysed\n"
        "Found 2 errors, 1 warning in 1 file (2 templates)\n"
    )


def test_machine_formats_hold_nothing_else(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    assert json.loads(invoke("check", "--output-format", "json").stdout)["summary"]["errors"] == 1
    assert invoke("check", "--output-format", "github").stdout == (
        "::error file=a.py,line=1,col=1,endLine=1,endColumn=11,title=PFX101 each-template::message\n"
    )


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
def test_colour(
    invoke: Invoke, folder: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], coloured: bool
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    (folder / "a.py").write_text("PROMPT one\n")
    assert ("\x1b[" in invoke("check").output) is coloured
    assert ("\x1b[" in invoke("report").output) is coloured
    assert "\x1b[" not in invoke("check", "--output-format", "concise").output


def test_report_formats(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    assert "a.py:1 one  error\n" in invoke("report").output
    assert json.loads(invoke("report", "--output-format", "json").output)["templates"][0]["id"] == "a.py:1:one"
    assert invoke("report", "--output-format", "markdown").output.startswith("### Prefix cache report\n")
    assert invoke("report").exit_code == 0


def test_report_has_status_4_and_2_too(invoke: Invoke, folder: Path) -> None:
    assert invoke("report", "nowhere").exit_code == 2
    (folder / "a.py").write_text("CRASH\n")
    assert invoke("report").exit_code == 4


def test_force_exclude_leaves_out_what_is_named(invoke: Invoke, folder: Path) -> None:
    (folder / "tests").mkdir()
    (folder / "tests" / "a.py").write_text("PROMPT one\n")
    assert invoke("check", "tests/a.py").exit_code == 1
    assert invoke("check", "--force-exclude", "tests/a.py").exit_code == 0
    (folder / "prefixlint.toml").write_text("force-exclude = true\n")
    assert invoke("check", "tests/a.py").exit_code == 0
