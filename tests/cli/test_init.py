"""``prefixlint init``: what it adds to which files, and that it takes nothing away. Read back by pre-commit itself."""

from __future__ import annotations

import json
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from prefixlint.cli import init as command
from prefixlint.cli.init_files import HOOK_FILES, CannotAdd, Source, has_hook, with_hook, with_table
from prefixlint.config import Config, load
from ruamel.yaml import YAML

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Invoke = Callable[..., Result]

MINE = """\
# mine
repos:
{dash}-{gap}repo: https://example.org/a
{key}rev: v1   # newest
{key}hooks:
{inner}-{gap}id: a
{inner} {gap}# args: [--fast]
# behind

ci:
  skip: []
"""


def pre_commit_reads(text: str, folder: Path) -> list[dict[str, Any]]:
    clientlib = pytest.importorskip("pre_commit.clientlib")
    file = folder / "read-back.yaml"
    file.write_text(text, encoding="utf-8")
    repos = clientlib.load_config(str(file))["repos"]
    assert isinstance(repos, list)
    file.unlink()
    return repos


def test_in_an_empty_folder(invoke: Invoke, folder: Path) -> None:
    done = invoke("init", "--yes")
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in folder.iterdir()) == [".pre-commit-config.yaml", "prefixlint.toml"]
    assert load(".") == Config(root=str(folder), file="prefixlint.toml")
    assert "Wrote prefixlint.toml\nWrote .pre-commit-config.yaml\n\nNo prompts found here yet.\n" in done.stdout
    (repo,) = pre_commit_reads((folder / ".pre-commit-config.yaml").read_text(), folder)
    assert (repo["repo"], repo["hooks"][0]["entry"]) == ("local", "prefixlint check --force-exclude")


def test_a_second_time_nothing_changes(invoke: Invoke, folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'")
    invoke("init", "--yes")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = invoke("init")
    assert done.exit_code == 0
    assert done.stdout.startswith(
        "pyproject.toml: has a configuration already\n.pre-commit-config.yaml: has the hook already\n\n"
    )
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_permissions_stay(invoke: Invoke, folder: Path) -> None:
    file = folder / "pyproject.toml"
    file.write_text("[project]\nname = 'a'\n")
    file.chmod(0o640)
    assert invoke("init", "--yes").exit_code == 0
    assert "[tool.prefixlint]" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o640


def test_the_first_report_and_what_to_do_next(invoke: Invoke, folder: Path) -> None:
    (folder / "a.py").write_text("".join(f"PROMPT name{number}\n" for number in range(7)))
    done = invoke("init", "--yes", "--no-pre-commit")
    assert done.stdout.count("  stable prefix  ") == 5
    assert "\n7 templates in 1 file; " in done.stdout
    assert "These are the 5 that strand most; prefixlint report shows all.\n" in done.stdout
    assert "\nFound 7 errors in 1 file (7 templates)\n\nNext:\n  prefixlint check  " in done.stdout
    assert "pre-commit install" not in done.stdout
    assert not (folder / ".pre-commit-config.yaml").exists()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text", ["", "[project]\nname = 'x'  # é", "[tool.ruff]\nx = 1\n\n[build-system]\nrequires = []\n", "\n\n"]
)
def test_a_table_behind_what_was_there(invoke: Invoke, folder: Path, text: str, end: str) -> None:
    before = text.replace("\n", end).encode()
    (folder / "pyproject.toml").write_bytes(before)
    assert invoke("init", "--yes", "--no-pre-commit", "--target", "vllm").exit_code == 0
    after = (folder / "pyproject.toml").read_bytes()
    assert after.startswith(before)
    assert b"\n" not in after.replace(b"\r\n", b"") or end == "\n" or b"\n" not in before
    assert tomllib.loads(after.decode())["tool"]["prefixlint"] == {"target": ["vllm"]}
    assert load(".").targets == ("vllm",)


@pytest.mark.parametrize("text", ["tool = {x = 1}\n", "[project\n", "tool = 3\n"])
def test_files_that_no_table_can_be_added_to(invoke: Invoke, folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)
    done = invoke("init", "--yes")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: pyproject.toml: no table can be added (")
    assert "add by hand:\n[tool.prefixlint]\n" in done.stderr
    assert (folder / "pyproject.toml").read_text() == text
    assert [path.name for path in folder.iterdir()] == ["pyproject.toml"]


def test_settings_of_the_table_are_valid_when_they_are_uncommented() -> None:
    text = with_table("", ())
    uncommented = "\n".join(line.removeprefix("# ") for line in text.splitlines() if "=" in line)
    assert tomllib.loads(uncommented) == {"target": ["vllm", "openai:gpt-4o"], "extend-exclude": ["notebooks/"]}


@pytest.mark.parametrize(("dash", "gap", "inner"), [(0, 1, 2), (2, 1, 4), (0, 3, 4), (2, 3, 8), (4, 1, 10)])
@pytest.mark.parametrize("source", [Source(), Source("https://example.org/prefixlint", "v0.1.0")])
def test_an_entry_in_the_style_of_the_others(dash: int, gap: int, inner: int, source: Source, tmp_path: Path) -> None:
    text = MINE.format(dash=" " * dash, gap=" " * gap, key=" " * (dash + gap + 1), inner=" " * inner)
    new = with_hook(text, source)
    kept, behind = text.split("# behind")
    assert new.startswith(kept)
    assert new.endswith("# behind" + behind)
    added = new[len(kept) : len(new) - len("# behind" + behind)]
    assert added.startswith(f"{' ' * dash}-{' ' * gap}repo: ")
    assert has_hook(new)
    assert not has_hook(text)
    repos = pre_commit_reads(new, tmp_path)
    assert [repo["hooks"][0]["id"] for repo in repos] == ["a", "prefixlint"]
    if source.url:
        assert (repos[1]["repo"], repos[1]["rev"]) == ("https://example.org/prefixlint", "v0.1.0")


@pytest.mark.parametrize(
    "text",
    [
        "repos: []\n",
        "repos: []",
        "ci: {}\nrepos:\n",
        "ci: {}\n",
        "# nothing\n",
        "",
        "repos: [] # none\nci: {}\n",
        "---\n",
    ],
)
def test_an_entry_where_there_is_none_yet(text: str, tmp_path: Path) -> None:
    new = with_hook(text, Source())
    assert [repo["repo"] for repo in pre_commit_reads(new, tmp_path)] == ["local"]
    assert ("ci" in YAML(typ="safe").load(new)) == ("ci" in text)


@pytest.mark.parametrize(
    "text", ["repos: [{repo: local, hooks: []}]\n", "- a\n", "repos: 3\n", "repos: [\n", "a: b: c\n"]
)
def test_files_that_no_entry_can_be_added_to(invoke: Invoke, folder: Path, text: str) -> None:
    with pytest.raises(CannotAdd):
        with_hook(text, Source())
    (folder / ".pre-commit-config.yaml").write_text(text)
    done = invoke("init", "--yes")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: .pre-commit-config.yaml: ")
    assert [path.name for path in folder.iterdir()] == [".pre-commit-config.yaml"]


def test_the_hook_is_that_of_the_repository() -> None:
    published = YAML(typ="safe").load(Path(__file__).parents[2] / ".pre-commit-hooks.yaml")[0]
    written = YAML(typ="safe").load(with_hook("", Source()))["repos"][0]["hooks"][0]
    assert published["files"] == HOOK_FILES
    assert {**written, "language": "python", "description": published["description"]} == published


def test_without_a_terminal_nothing_is_written_unasked(invoke: Invoke, folder: Path) -> None:
    done = invoke("init")
    assert done.exit_code == 1
    assert "+[tool.prefixlint]" not in done.stdout
    assert "+++ prefixlint.toml" in done.stdout
    assert "--yes writes" in done.stderr
    assert not list(folder.iterdir())


@pytest.mark.parametrize(("agreed", "status"), [(True, 0), (False, 1)])
def test_on_a_terminal_it_asks(
    invoke: Invoke, folder: Path, monkeypatch: pytest.MonkeyPatch, agreed: bool, status: int
) -> None:
    monkeypatch.setattr(command, "_agreed", lambda: agreed)
    assert invoke("init").exit_code == status
    assert (folder / "prefixlint.toml").exists() == agreed


def test_the_hook_stands_at_the_top_of_the_repository(
    invoke: Invoke, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "backend").mkdir()
    monkeypatch.chdir(folder / "backend")
    done = invoke("init", "--yes")
    assert "Wrote prefixlint.toml\nWrote ../.pre-commit-config.yaml\n" in done.stdout
    assert (folder / ".pre-commit-config.yaml").exists()


class Installed:
    def __init__(self, noted: object) -> None:
        self.noted = noted

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self.noted if isinstance(self.noted, str) else json.dumps(self.noted)


@pytest.mark.parametrize(
    ("noted", "source"),
    [
        (
            {"url": "https://example.org/p", "vcs_info": {"vcs": "git", "requested_revision": "v1", "commit_id": "c0"}},
            Source("https://example.org/p", "v1"),
        ),
        (
            {"url": "https://example.org/p", "vcs_info": {"vcs": "git", "commit_id": "c0"}},
            Source("https://example.org/p", "c0"),
        ),
        ({"url": "file:///home/me/p", "dir_info": {}}, Source()),
        ("no JSON", Source()),
    ],
)
def test_the_hook_comes_from_where_prefixlint_did(
    monkeypatch: pytest.MonkeyPatch, noted: object, source: Source
) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed(noted))
    assert command._source() == source


def test_unknown_target(invoke: Invoke, folder: Path) -> None:
    done = invoke("init", "--yes", "--target", "vlm")
    assert (done.exit_code, "did you mean vllm" in done.stderr) == (2, True)
    assert not list(folder.iterdir())
