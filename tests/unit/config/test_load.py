from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.config import Config, ConfigError, Selection, find_file, load
from prefixlint.config.model import TemplateFiles
from prefixlint.discover.walk import DEFAULT_EXCLUDE
from prefixlint.knowledge.libraries import Sink, Source
from prefixlint.knowledge.names import NameMeaning
from prefixlint.model.findings import Severity
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_defaults_without_a_file(folder: Path) -> None:
    assert load(".") == Config(root=str(folder))


def test_every_key(folder: Path) -> None:
    (folder / "prefixlint.toml").write_text(
        """
        select = ["PFX1", "pfx201"]
        extend-select = ["PFX111"]
        ignore = ["PFX104"]
        target = ["vllm", "openai:gpt-4o"]
        exclude = ["old"]
        extend-exclude = ["older"]
        include = ["src/**"]
        max-file-size = 1000
        min-stranded-tokens = 10
        fail-on = "error"
        show-info = true
        [per-file-ignores]
        "tests/**" = ["PFX1"]
        [targets.vllm]
        block-size = 32
        [rules.pfx101]
        min-stranded-tokens = 5
        [sources]
        "acme.now" = "request"
        [sinks]
        "acme.ask" = { messages = "turns" }
        [names]
        tenant = "user"
        [templates]
        include = ["prompts/*.tmpl"]
        """
    )
    assert load(".") == Config(
        root=str(folder),
        file="prefixlint.toml",
        selections=(Selection(("PFX1", "PFX201"), ("PFX111",), ("PFX104",)),),
        per_file_ignores=(("tests/**", ("PFX1",)),),
        targets=("vllm", "openai:gpt-4o"),
        target_overrides={"vllm": {"block-size": 32}},
        exclude=("old", "older"),
        include=("src/**",),
        max_file_size=1000,
        min_stranded_tokens=10,
        fail_on=Severity.ERROR,
        show_info=True,
        rules={"PFX101": {"min-stranded-tokens": 5}},
        sources={"acme.now": Source(SourceKind.USER_INPUT, Lifetime.REQUEST)},
        sinks={"acme.ask": Sink("own-call", messages="turns")},
        names={"tenant": NameMeaning(Lifetime.USER, SourceKind.SESSION, Confidence.HIGH)},
        templates=TemplateFiles(include=("prompts/*.tmpl",)),
    )


def test_extend_exclude_keeps_the_defaults(folder: Path) -> None:
    (folder / "prefixlint.toml").write_text('extend-exclude = ["gen"]')
    assert load(".").exclude == (*DEFAULT_EXCLUDE, "gen")


def test_search_goes_upward_and_passes_projects_without_a_table(folder: Path) -> None:
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[tool.prefixlint]\nshow-info = true\n")
    (folder / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n[tool.other]\nprefixlint = 1\n")
    assert find_file(str(inner)) == str(folder / "pyproject.toml")
    assert load("a/b/c.py").show_info
    assert load("a/b/c.py").root == str(folder)
    (inner / "prefixlint.toml").write_text("")
    assert not load("a/b/c.py").show_info


def test_own_file_comes_before_pyproject(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.prefixlint]\nshow-info = true\n")
    (folder / "prefixlint.toml").write_text("max-file-size = 7\n")
    assert load(".").max_file_size == 7


def test_named_file(folder: Path) -> None:
    (folder / "prefixlint.toml").write_text("max-file-size = 7\n")
    other = folder / "ci" / "lint.toml"
    other.parent.mkdir()
    other.write_text("max-file-size = 8\n")
    config = load(".", "ci/lint.toml")
    assert (config.max_file_size, config.root, config.file) == (8, str(other.parent), "ci/lint.toml".replace("/", "/"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "prefixlint.toml: unknown key 'selct'; did you mean 'select'?"),
        ("zzz = 1", "prefixlint.toml: unknown key 'zzz'"),
        ("select = 'PFX1'", "prefixlint.toml: select must be a list of strings, not a string"),
        ("select = [1]", "prefixlint.toml: select must be a list of strings, but holds 1"),
        ("exclude = ['[z-a]']", "prefixlint.toml: exclude: '[z-a]' is not a valid glob"),
        ("max-file-size = true", "prefixlint.toml: max-file-size must be a whole number, not true or false"),
        ("max-file-size = -1", "prefixlint.toml: max-file-size must not be negative"),
        ("show-info = 1", "prefixlint.toml: show-info must be true or false, not a whole number"),
        (
            "fail-on = 'eror'",
            "prefixlint.toml: fail-on must be one of error, warning, info, not 'eror'; did you mean 'error'?",
        ),
        ("fail-on = 2", "prefixlint.toml: fail-on must be one of error, warning, info, not 2"),
        ("rules = 1", "prefixlint.toml: rules must be a table, not a whole number"),
        ("[rules]\nPFX101 = 1", "prefixlint.toml: rules.PFX101 must be a table, not a whole number"),
        (
            "[per-file-ignores]\n'a' = 'PFX1'",
            "prefixlint.toml: per-file-ignores.'a' must be a list of strings, not a string",
        ),
        ("sources = []", "prefixlint.toml: sources must be a table, not a list"),
        ("target = 1979-05-27", "prefixlint.toml: target must be a list of strings, not a date or time"),
    ],
)
def test_errors_name_file_key_and_way_out(folder: Path, text: str, message: str) -> None:
    (folder / "prefixlint.toml").write_text(text)
    with pytest.raises(ConfigError) as error:
        load(".")
    assert str(error.value) == message


def test_broken_toml(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.prefixlint\n")
    with pytest.raises(ConfigError, match=r"^pyproject\.toml: not valid TOML: .*line 1"):
        load(".")
    (folder / "pyproject.toml").write_bytes(b"[tool.prefixlint]\n\xff")
    with pytest.raises(ConfigError, match=r"^pyproject\.toml: not valid TOML"):
        load(".")


def test_named_pyproject_without_a_table(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(ConfigError, match=r"pyproject\.toml: no \[tool\.prefixlint\] table"):
        load(".", "pyproject.toml")
    (folder / "pyproject.toml").write_text("[tool]\nprefixlint = 3\n")
    with pytest.raises(ConfigError, match=r"tool\.prefixlint must be a table, not a whole number"):
        load(".")
