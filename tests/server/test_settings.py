"""The settings of a client: read, told of, and the same in the VS Code extension and in the documentation."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from prefixlint.server.settings import Settings, settings_of

ROOT = Path(__file__).parents[2]


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


DEFAULTS = {camel(field.name): getattr(Settings(), field.name) for field in fields(Settings)}


def plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def test_settings_are_read_with_and_without_their_section() -> None:
    given = {"target": ["vllm"], "inlayHints": "lines", "codeLens": False, "debounce": 40, "showInfo": True}
    expected = Settings(("vllm",), "", True, "lines", False, 40)
    assert settings_of(given) == (expected, ())
    assert settings_of({"prefixlint": given}) == (expected, ())
    assert settings_of(None) == (Settings(), ())
    # What the extension needs for itself comes along.
    assert settings_of({"path": ["prefixlint"], "enable": True, "trace.server": "off", **given}) == (expected, ())


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"inlayHint": "off"}, "unknown setting 'inlayHint'"),
        ({"inlayHints": "all"}, "setting 'inlayHints' must be one of values, lines, off"),
        ({"target": 3}, "setting 'target' must be a list of strings"),
        ({"debounce": -1}, "setting 'debounce' must be a number"),
        ({"codeLens": "yes"}, "setting 'codeLens' must be true or false"),
        ("fast", "settings must be an object, not str"),
    ],
)
def test_what_cannot_be_used_is_told_and_leaves_the_default(value: object, message: str) -> None:
    settings, (told,) = settings_of(value)
    assert settings == Settings()
    assert message in told


def test_the_extension_has_the_same_settings() -> None:
    package = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    properties = package["contributes"]["configuration"]["properties"]
    own = {"prefixlint.path", "prefixlint.enable"}
    theirs = {name.removeprefix("prefixlint."): each["default"] for name, each in properties.items() if name not in own}
    assert theirs == {name: plain(value) for name, value in DEFAULTS.items()}


def test_the_documentation_has_the_same_settings() -> None:
    page = (ROOT / "docs/editors/index.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", page, flags=re.MULTILINE))
    assert rows == {
        name: "unset" if value is None else f"`{json.dumps(plain(value))}`" for name, value in DEFAULTS.items()
    }
