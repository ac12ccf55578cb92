"""``check --write-baseline`` and ``check --baseline``. A line ``PROMPT name severity`` has one finding ``message``."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Invoke = Callable[..., Result]

HEAD = (
    "# prefixlint baseline, version 1\n"
    "# Findings listed here are known and not reported. A line for each: file, template, rule, value.\n"
)


def listed(folder: Path, name: str = "base.txt") -> list[list[str]]:
    text = (folder / name).read_text()
    assert text.startswith(HEAD)
    return [line.split("\t") for line in text.removeprefix(HEAD).splitlines()]


def found(result: Result) -> list[tuple[str, int]]:
    document: dict[str, Any] = json.loads(result.stdout)
    return [(each["path"], each["start"]["line"]) for each in document["diagnostics"]]


def check(invoke: Invoke, *arguments: str) -> Result:
    return invoke("check", "--baseline", "base.txt", "--output-format", "json", *arguments)


def test_written_then_clean(invoke: Invoke, folder: Path) -> None:
    (folder / "b.py").write_text("PROMPT two warning\nPROMPT quiet info\n")
    (folder / "a.py").write_text("PROMPT one\nPROMPT one\nBROKEN\n")
    result = invoke("check", "--write-baseline", "base.txt")
    assert (result.exit_code, result.output) == (0, "Wrote 4 findings to base.txt\n")
    assert listed(folder) == [
        ["a.py", "", "PFX901", "broken"],
        ["a.py", "one", "PFX101", "message"],
        ["a.py", "one", "PFX101", "message"],
        ["b.py", "two", "PFX101", "message"],
    ]
    result = invoke("check", "--baseline", "base.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "No faults found in 2 files (4 templates); 1 info hidden (--show-info); 4 in the baseline\n"
    )


def test_severities_that_are_asked_for_are_written(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one info\n")
    for option in (["--show-info"], ["--fail-on", "info"]):
        assert invoke("check", "--write-baseline", "base.txt", *option).output == "Wrote 1 finding to base.txt\n"
    assert invoke("check", "--baseline", "base.txt", "--fail-on", "info").exit_code == 0
    # A finding that has become an info is still the one that is listed.
    result = check(invoke)
    assert (result.exit_code, result.stderr) == (0, "")


def test_moves_with_edits_and_the_new_one_is_found(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\nPROMPT two\n")
    invoke("check", "--write-baseline", "base.txt")
    (folder / "a.py").write_text("#\n" * 50 + "PROMPT two\nPROMPT three\nPROMPT one\n")
    result = check(invoke)
    assert (result.exit_code, found(result)) == (1, [("a.py", 52)])
    assert json.loads(result.stdout)["summary"]["errors"] == 1
    assert result.stderr == ""


def test_the_same_fault_once_more_is_new(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    invoke("check", "--write-baseline", "base.txt")
    (folder / "a.py").write_text("PROMPT one\nPROMPT one\n")
    assert found(check(invoke)) == [("a.py", 2)]


def test_renamed_template_and_moved_file_are_followed(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    invoke("check", "--write-baseline", "base.txt")
    (folder / "a.py").write_text("PROMPT renamed\n")
    assert (found(check(invoke)), check(invoke).stderr) == ([], "")
    (folder / "a.py").write_text("PROMPT one\n")
    (folder / "sub").mkdir()
    (folder / "a.py").rename(folder / "sub" / "b.py")
    assert (found(check(invoke)), check(invoke).stderr) == ([], "")
    # A copy is no move: the listed fault is still in its place.
    (folder / "a.py").write_text("PROMPT one\n")
    assert found(check(invoke)) == [("sub/b.py", 1)]


def test_mended_here_and_made_there_is_new(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\nPROMPT two info\n")
    invoke("check", "--write-baseline", "base.txt")
    (folder / "a.py").write_text("PROMPT one info\nPROMPT two\n")
    result = check(invoke, "--ignore", "PFX9")
    # The listed fault of "one" has become an info; that of "two" was not listed.
    assert found(result) == [("a.py", 2)]


def test_what_is_not_needed_any_more_is_told(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\nPROMPT two\n")
    (folder / "b.py").write_text("PROMPT one\n")
    (folder / "c.py").write_text("PROMPT one\n")
    invoke("check", "--write-baseline", "base.txt")
    (folder / "a.py").write_text("PROMPT one\n")
    (folder / "b.py").unlink()
    (folder / "c.py").write_text("x = 1\n")
    result = check(invoke)
    assert result.exit_code == 0
    assert result.stderr == (
        "prefixlint: base.txt:4: no longer needed: PFX101 `message` in a.py (two)\n"
        "prefixlint: base.txt:5: no longer needed: PFX101 `message` in b.py (one)\n"
        "prefixlint: base.txt:6: no longer needed: PFX101 `message` in c.py (one)\n"
    )
    # Nothing is said of files that were not looked at, of rules that did not run, and after an internal error.
    assert check(invoke, "a.py").stderr.count("\n") == 1
    assert check(invoke, "--select", "PFX9").stderr == ""
    (folder / "d.py").write_text("CRASH\n")
    result = check(invoke)
    assert (result.exit_code, "no longer needed" in result.stderr) == (4, False)


def test_nothing_is_said_of_a_file_that_cannot_be_analysed(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    invoke("check", "--write-baseline", "base.txt")
    (folder / "a.py").write_text("BROKEN\n")
    result = check(invoke)
    assert (result.exit_code, found(result), result.stderr) == (1, [("a.py", 1)], "")


def test_many_unneeded_lines_are_counted(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("".join(f"PROMPT p{number}\n" for number in range(13)))
    invoke("check", "--write-baseline", "base.txt")
    (folder / "a.py").write_text("")
    lines = check(invoke).stderr.splitlines()
    assert len(lines) == 11
    assert lines[-1] == "prefixlint: base.txt: 3 more lines are no longer needed"


def test_written_anew_for_some_files_keeps_the_others(invoke: Invoke, folder: Path) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (folder / name).write_text("PROMPT one\n")
    invoke("check", "--write-baseline", "base.txt")
    (folder / "a.py").write_text("PROMPT other\n")
    (folder / "c.py").unlink()
    assert invoke("check", "--write-baseline", "base.txt", "a.py").exit_code == 0
    assert [line[:2] for line in listed(folder)] == [["a.py", "other"], ["b.py", "one"]]


def test_paths_are_relative_to_the_baseline(invoke: Invoke, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "app").mkdir()
    (folder / "app" / "a.py").write_text("PROMPT one\n")
    (folder / "ci").mkdir()
    invoke("check", "--write-baseline", "ci/base.txt")
    assert [line[0] for line in listed(folder / "ci")] == ["../app/a.py"]
    monkeypatch.chdir(folder / "app")
    result = invoke("check", "--baseline", "../ci/base.txt")
    assert (result.exit_code, result.stderr) == (0, "")


def test_text_from_standard_input_stands_for_its_file(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    invoke("check", "--write-baseline", "base.txt")
    result = invoke(
        "check", "--baseline", "base.txt", "--stdin-filename", "a.py", "-", data=b"\nPROMPT one\nPROMPT two\n"
    )
    assert "a.py:3:1" in result.stdout
    assert "a.py:2:1" not in result.stdout


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no baseline base.txt; prefixlint check --write-baseline base.txt writes it"),
        ("[]\n", "base.txt: not a prefixlint baseline; prefixlint check --write-baseline makes one"),
        (f"{HEAD}<<<<<<< HEAD\n", "base.txt:3: merge conflict; keep the lines of both sides, or run prefixlint check"),
        (f"{HEAD}a.py one\n", "base.txt:3: expected 4 fields apart by tabs, found 1"),
    ],
)
def test_baseline_that_cannot_be_used(invoke: Invoke, folder: Path, content: str | None, message: str) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    if content is not None:
        (folder / "base.txt").write_text(content)
    result = invoke("check", "--baseline", "base.txt")
    assert result.exit_code == 2
    assert message in result.stderr


def test_no_other_file_is_overwritten(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    result = invoke("check", "--write-baseline", "a.py")
    assert (result.exit_code, (folder / "a.py").read_text()) == (2, "PROMPT one\n")
    assert "not a prefixlint baseline" in result.stderr
    assert invoke("check", "--write-baseline", "none/base.txt").exit_code == 2
    assert invoke("check", "--write-baseline", "b", "--baseline", "b").exit_code == 2
    assert sorted(path.name for path in folder.iterdir()) == ["a.py"]


def test_not_written_after_an_internal_error_or_for_a_wrong_path(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("CRASH\n")
    assert invoke("check", "--write-baseline", "base.txt").exit_code == 4
    assert invoke("check", "--write-baseline", "base.txt", "missing.py").exit_code == 2
    assert not (folder / "base.txt").exists()


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_branches_merge(invoke: Invoke, folder: Path) -> None:
    """Two branches add a finding each, to files on either side of one that both leave alone."""
    for name in ("a.py", "m.py", "z.py"):
        (folder / name).write_text("PROMPT one\n")
    invoke("check", "--write-baseline", "base.txt")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "start")
    for branch, name in (("left", "a.py"), ("right", "z.py")):
        git(folder, "checkout", "-q", "-b", branch, "main")
        (folder / name).write_text("PROMPT one\nPROMPT two\n")
        invoke("check", "--write-baseline", "base.txt")
        git(folder, "commit", "-qam", branch)
    git(folder, "merge", "-q", "left")
    merged = (folder / "base.txt").read_text()
    assert invoke("check", "--baseline", "base.txt").exit_code == 0
    invoke("check", "--write-baseline", "base.txt")
    assert (folder / "base.txt").read_text() == merged
