"""``check --diff-base``. A line ``PROMPT name severity`` has one finding ``message``."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from prefixlint.cli.main import main
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Invoke = Callable[..., Result]


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(folder: Path) -> Path:
    (folder / "app").mkdir()
    (folder / "app" / "a.py").write_text("PROMPT one\nPROMPT two\n")
    (folder / "b.py").write_text("PROMPT one\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "start")
    return folder


def found(invoke: Invoke, *arguments: str) -> tuple[int, list[str], str]:
    result = invoke("check", "--output-format", "concise", *arguments)
    assert result.stderr == ""
    *lines, summary = result.stdout.splitlines()
    return result.exit_code, [line.split(" ")[0] for line in lines], summary


def test_only_what_is_new(invoke: Invoke, repository: Path) -> None:
    assert found(invoke, "--diff-base", "HEAD")[:2] == (0, [])
    (repository / "app" / "a.py").write_text("#\n" * 50 + "PROMPT two\nPROMPT three\nPROMPT one\n")
    (repository / "new.py").write_text("PROMPT one\n")
    assert found(invoke, "--diff-base", "HEAD") == (
        1,
        ["app/a.py:52:1:", "new.py:1:1:"],
        "Found 2 errors in 3 files (5 templates); 3 older than HEAD",
    )
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "more")
    assert found(invoke, "--diff-base", "HEAD")[:2] == (0, [])
    assert found(invoke, "--diff-base", "HEAD~1")[1] == ["app/a.py:52:1:", "new.py:1:1:"]
    assert found(invoke, "--diff-base", "main~1", "new.py")[1] == ["new.py:1:1:"]


def test_moved_files_are_followed(invoke: Invoke, repository: Path) -> None:
    git(repository, "mv", "app/a.py", "app/c.py")
    assert found(invoke, "--diff-base", "HEAD")[:2] == (0, [])


def test_from_a_folder_below(invoke: Invoke, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "app")
    assert found(invoke, "--diff-base", "HEAD")[:2] == (0, [])
    (repository / "app" / "a.py").write_text("PROMPT one\nPROMPT four\nPROMPT two\n")
    assert found(invoke, "--diff-base", "HEAD")[1] == ["a.py:2:1:"]


def test_the_configuration_is_todays(invoke: Invoke, repository: Path) -> None:
    (repository / "b.py").write_text("PROMPT one\nPROMPT four\n")
    (repository / "prefixlint.toml").write_text("exclude = ['app']\n")
    assert found(invoke, "--diff-base", "HEAD") == (
        1,
        ["b.py:2:1:"],
        "Found 1 error in 1 file (2 templates); 1 older than HEAD",
    )


def test_together_with_a_baseline(invoke: Invoke, repository: Path) -> None:
    invoke("check", "--write-baseline", "base.txt", "b.py")
    (repository / "b.py").write_text("PROMPT one\nPROMPT four\n")
    assert found(invoke, "--baseline", "base.txt", "--diff-base", "HEAD") == (
        1,
        ["b.py:2:1:"],
        "Found 1 error in 2 files (4 templates); 1 in the baseline; 2 older than HEAD",
    )


def test_text_from_standard_input(invoke: Invoke, repository: Path) -> None:
    result = invoke(
        "check", "--output-format", "concise", "--diff-base", "HEAD", "--stdin-filename", "b.py", "-",
        data=b"PROMPT one\nPROMPT new\n",
    )  # fmt: skip
    assert result.stdout.splitlines()[0].startswith("b.py:2:1:")
    assert len(result.stdout.splitlines()) == 2


def test_links_and_other_files_are_not_laid_out(invoke: Invoke, repository: Path) -> None:
    os.symlink("b.py", repository / "link.py")
    (repository / "big.bin").write_bytes(b"\0" * 1000)
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "link")
    assert found(invoke, "--diff-base", "HEAD")[:2] == (0, [])


def test_no_program_of_the_repository_runs(invoke: Invoke, repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "attributes")
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "core.fsmonitor"):
        git(repository, "config", key, f"touch {repository}/ran; cat")
    assert found(invoke, "--diff-base", "HEAD")[:2] == (0, [])
    assert not (repository / "ran").exists()


@pytest.mark.parametrize("revision", ["missing", "--help", "HEAD:b.py", ""])
def test_no_such_revision(invoke: Invoke, repository: Path, revision: str) -> None:
    result = invoke("check", f"--diff-base={revision}")
    assert result.exit_code == 2
    assert f"no git revision {revision!r} here" in result.stderr


def test_not_in_a_work_tree(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("PROMPT one\n")
    result = invoke("check", "--diff-base", "HEAD")
    assert result.exit_code == 2
    assert "is not in a git work tree" in result.stderr


def test_a_path_outside_of_the_work_tree(
    invoke: Invoke, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "c.py"
    other.write_text("PROMPT one\n")
    result = invoke("check", "--diff-base", "HEAD", "b.py", str(other))
    assert result.exit_code == 2
    assert "is not in the git work tree" in result.stderr


def test_nothing_is_written_with_it(invoke: Invoke, repository: Path) -> None:
    assert invoke("check", "--diff-base", "HEAD", "--write-baseline", "base.txt").exit_code == 2
    assert not (repository / "base.txt").exists()


RULES = "Answer in the language of the question, in at most three short paragraphs, and never invent a price."


def test_markdown_tells_of_changed_prefixes(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Real prompts: one changes, one is new, one stays; from another folder, with a tokenizer of the project."""
    tokenizer = Tokenizer(WordLevel({"a": 0, "?": 1}, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()  # type: ignore[assignment]
    tokenizer.save(str(repository / "tokenizer.json"))
    (repository / "prefixlint.toml").write_text(
        'target = ["vllm"]\nmin-stranded-tokens = 1\n[targets.vllm]\ntokenizer = "tokenizer.json"\n'
    )
    prompts = repository / "prompts"
    prompts.mkdir()
    for name in ("ask", "stay"):
        (prompts / f"{name}.jinja").write_text(f"{RULES}\n{{{{ question }}}}")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "prompts")
    (prompts / "ask.jinja").write_text(f"It is {{{{ now() }}}}.\n{RULES}\n{{{{ question }}}}")
    (prompts / "new.jinja").write_text(f"{RULES}\n{{{{ question }}}}")
    with pytest.raises(SystemExit):
        main(["check", "--diff-base", "HEAD", "--output-format", "markdown"])
    assert "#### 2 prompts changed since" in capsys.readouterr().out
    monkeypatch.chdir(repository / "app")
    with pytest.raises(SystemExit) as ended:
        main(["check", "../prompts", "--diff-base", "HEAD", "--output-format", "markdown"])
    out, err = capsys.readouterr()
    assert (ended.value.code, err) == (1, "")
    assert "#### 2 prompts changed since <code>HEAD</code>\n" in out
    rows = [line.split(" | ") for line in out.splitlines() if line.startswith(("| ask", "| new"))]
    assert [(row[0], row[2]) for row in rows] == [
        ("| ask<br><code>../prompts/ask.jinja:1</code>", "<code>now()</code> added at line 1 |"),
        ("| new<br><code>../prompts/new.jinja:1</code>", "new |"),
    ]
    assert "PFX101 volatile-timestamp" in out
