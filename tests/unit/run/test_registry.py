"""Rules of installed packages, found by their entry points."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from prefixlint.config import ConfigError
from prefixlint.run.registry import installed_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

RULE = """
from prefixlint.api import LinterRule
class Mine(LinterRule):
    code = "{code}"
    name = "mine"
    since = "1"
    summary = "Mine"
RULES = (Mine(),)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], Path]]:
    installed_rules.cache_clear()

    def install(module: str, text: str) -> Path:
        folder = tmp_path / module
        info = folder / f"{module}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[prefixlint.rules]\n{module} = {module}:RULES\n")
        (folder / f"{module}.py").write_text(text)
        monkeypatch.syspath_prepend(str(folder))
        return folder

    yield install
    installed_rules.cache_clear()


def test_rules_of_a_plugin_join_the_built_in_ones(install: Callable[[str, str], Path]) -> None:
    install("plugin_one", RULE.format(code="ACME001"))
    codes = [rule.code for rule in installed_rules()]
    assert codes == sorted(codes)
    assert {"ACME001", "PFX101", "PFX901"} <= set(codes)


def test_a_code_that_is_taken(install: Callable[[str, str], Path]) -> None:
    install("plugin_two", RULE.format(code="PFX101"))
    with pytest.raises(ConfigError, match="code PFX101 is already taken"):
        installed_rules()


def test_a_plugin_that_cannot_be_loaded(install: Callable[[str, str], Path]) -> None:
    install("plugin_three", "raise RuntimeError('out of order')")
    with pytest.raises(ConfigError, match=r"rule plugin 'plugin_three' .* cannot be loaded: out of order"):
        installed_rules()


def test_the_working_directory_brings_no_rules(
    install: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install("plugin_four", "raise SystemExit('loaded')")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert "PFX101" in [rule.code for rule in installed_rules()]
