"""A prompt file is the same one wherever the run starts and however its path is written."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from prefixlint.config import Config
from prefixlint.config.load import load
from prefixlint.config.model import ConfigError
from prefixlint.discover.projects import place, project_of
from prefixlint.run import run

if TYPE_CHECKING:
    from pathlib import Path

RULES = "Answer briefly and only from the rules of the house below. " * 20
YAML = f"content: |\n  {{question}}\n  You must answer the user's question. {RULES}\n"
JINJA = f'{{{{ question }}}}\n{{% include "prompts/shared/rules.md" %}}\n{RULES}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    top = tmp_path / "work"
    (top / "prompts" / "shared").mkdir(parents=True)
    (top / "pyproject.toml").write_text('[project]\nname = "x"\n')
    (top / "prompts" / "answer.yaml").write_text(YAML)
    (top / "prompts" / "reply.j2").write_text(JINJA)
    (top / "prompts" / "shared" / "rules.md").write_text("Be kind to the user, and never {{ verbose }}.\n")
    return top


def findings(*paths: str) -> list[tuple[str, ...]]:
    """File name, code and what else is told of each finding of a run with the configuration that it finds itself."""
    found = run(list(paths), load(paths[0])).findings
    return sorted(
        (each.span.path.rpartition("/")[2], each.code, str(each.span.start), each.severity.name, each.message)
        for each in found
    )


def test_the_same_is_found_from_the_root_from_a_folder_and_by_absolute_path(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    from_root = findings(".")
    assert [each[:2] for each in from_root] == [("answer.yaml", "PFX105"), ("reply.j2", "PFX105")]
    assert findings("prompts") == from_root
    assert findings("prompts/answer.yaml") == from_root[:1]
    assert findings(str(project / "prompts" / "answer.yaml")) == from_root[:1]
    monkeypatch.chdir(project / "prompts")
    assert findings(".") == from_root
    assert findings("answer.yaml") == from_root[:1]
    assert findings("reply.j2") == from_root[1:]
    monkeypatch.chdir(project.parent)
    assert findings(str(project)) == from_root


def test_declared_files_below_an_argument(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.prefixlint.templates]\ninclude = ["mail/*.xyz"]\nexclude = ["*.j2"]\n'
    )
    (project / "mail").mkdir()
    (project / "mail" / "letter.xyz").write_text(f"{{question}}\n{RULES}")
    monkeypatch.chdir(project)
    expected = [("answer.yaml", "PFX105"), ("letter.xyz", "PFX105")]
    assert [each[:2] for each in findings(".")] == expected
    assert [each[:2] for each in findings("mail", "prompts")] == expected
    monkeypatch.chdir(project / "mail")
    assert [each[:2] for each in findings(".")] == expected[1:]


def test_declared_keys_and_what_they_leave_alone(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wording = f"wording: |\n  Dear {{question}},\n  {RULES}\n"
    (project / "settings").mkdir()
    (project / "settings" / "mail.yaml").write_text(wording)
    monkeypatch.chdir(project)
    assert findings("settings") == []
    table = '[tool.prefixlint.templates]\nkeys = ["Wording"]\n'
    (project / "pyproject.toml").write_text(table)
    assert [(*each[:2], each[3]) for each in findings("settings")] == [("mail.yaml", "PFX105", "ERROR")]
    assert findings("settings/mail.yaml") == findings("settings")
    (project / "pyproject.toml").write_text(table + 'exclude = ["settings/"]\n')
    assert findings("settings") == findings("settings/mail.yaml") == []


def test_a_broken_table_is_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    (project / "pyproject.toml").write_text('[tool.prefixlint.templates]\nkey = ["wording"]\n')
    with pytest.raises(ConfigError, match=r"templates: unknown key 'key'; did you mean 'keys'"):
        load(".")
    (project / "pyproject.toml").write_text('[tool.prefixlint.templates]\ninclude = "mail"\n')
    with pytest.raises(ConfigError, match=r"templates.include"):
        load(".")


def test_what_a_project_is(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "service" / "src"
    inner.mkdir(parents=True)
    assert project_of(str(inner)) is None
    assert place(str(inner / "a.yaml"), str(tmp_path / "repo")) == "service/src/a.yaml"
    service = tmp_path / "other" / "service"
    (service / "src").mkdir(parents=True)
    (service / "pyproject.toml").write_text("")
    assert place(str(service / "src" / "a.yaml"), str(tmp_path)) == "src/a.yaml"
    # The repository says more than a package in it.
    other = tmp_path / "git" / "service"
    other.mkdir(parents=True)
    (other / "pyproject.toml").write_text("")
    subprocess.run(["git", "init", "-q", str(tmp_path / "git")], check=True)
    assert place(str(other / "a.yaml"), str(other)) == "service/a.yaml"
    assert place(str(other / "a.yaml"), str(other), top=str(tmp_path)) == "git/service/a.yaml"


def test_a_project_that_is_made_between_two_runs_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "service" / "prompts" / "a.txt"
    source.parent.mkdir(parents=True)
    source.write_text("You are a clerk.\n")
    run([str(source)], Config(root=str(tmp_path)))
    assert project_of(str(source.parent)) is None
    (tmp_path / "service" / "pyproject.toml").write_text("")
    run([str(source)], Config(root=str(tmp_path)))
    assert project_of(str(source.parent)) == str(tmp_path / "service")
