"""docs/configuration.md: it names every key there is, and every example on it can be used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from prefixlint.config import load, own
from prefixlint.config.keys import KEYS as CONFIGURATION
from prefixlint.config.model import Config
from prefixlint.engines.overrides import KEYS
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import SHAPES
from prefixlint.run import Stages
from prefixlint.run.registry import chosen_rules, chosen_targets, installed_rules

if TYPE_CHECKING:
    from collections.abc import Mapping

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "configuration.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) == 9


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_can_be_used(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(example, encoding="utf-8")
    config = load(".")
    assert config != Config(root=str(tmp_path), file="pyproject.toml")
    assert chosen_rules(config, installed_rules())
    assert len(chosen_targets(config, Stages())) == len(config.targets)


def test_the_tables_are_those_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS / "_site")
    from tables import TABLES, filled

    assert set(re.findall(r"<!-- table: (\w+) -->", PAGE)) == set(TABLES)
    assert filled(PAGE) == PAGE, "python docs/_site/tables.py writes them anew"


def test_defaults_are_those_of_a_project_without_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each default that is a value, written out, changes nothing."""
    monkeypatch.chdir(tmp_path)
    defaults = {name: key.default.strip("`") for name, key in CONFIGURATION.items()}
    written = "".join(f"{name} = {defaults[name]}\n" for name in ("fail-on", "show-info", "max-file-size"))
    (tmp_path / "prefixlint.toml").write_text(written, encoding="utf-8")
    assert load(".") == Config(root=str(tmp_path), file="prefixlint.toml")
    for name in ("fail-on", "show-info", "max-file-size"):
        assert f"| {CONFIGURATION[name].default} |" in PAGE


def test_every_key_is_named_and_shown() -> None:
    for key in CONFIGURATION:
        assert re.search(rf"`(?:\[tool\.prefixlint\.)?{key}[`.\]]", PAGE), key
        assert any(re.search(rf"(?m)^{key} = |^\[tool\.prefixlint\.{key}[.\]]", example) for example in EXAMPLES), key


@pytest.mark.parametrize(
    "words",
    [KEYS, own.VALUE_KEYS, own.SINK_KEYS, own.TEMPLATE_KEYS],
    ids=["targets", "values", "sinks", "templates"],
)
def test_every_inner_key_is_named(words: Mapping[str, object]) -> None:
    for word in words:
        assert re.search(rf"(?m)^\|[^|]*`{word}`", PAGE), word


def test_every_lifetime_kind_and_shape_is_named() -> None:
    for word in (*(item.value for item in Lifetime), *(item.value for item in SourceKind), *SHAPES):
        assert f'`"{word}"`' in PAGE, word
