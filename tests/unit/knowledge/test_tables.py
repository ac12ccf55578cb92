"""Every table of facts says where it is from and when it was read, and lists nothing twice."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import prefixlint.knowledge
import pytest
from prefixlint.knowledge.call_names import call_names

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(prefixlint.knowledge.__file__).parent
TABLES = sorted(FOLDER.rglob("*.toml"))


def _lists(table: dict[str, Any], at: str = "") -> Iterator[tuple[str, list[Any]]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _lists(value, f"{at}{key}.")
        elif isinstance(value, list) and all(isinstance(entry, str) for entry in value):
            yield f"{at}{key}", value
        elif isinstance(value, list):
            for number, entry in enumerate(value):
                if isinstance(entry, dict):
                    yield from _lists(entry, f"{at}{key}[{number}].")


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_source_and_date(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    table = tomllib.loads(text)
    assert date.fromisoformat(table["date"]).year >= 2026
    assert table.get("reference") or re.search(r"^# Sources?:", text, re.MULTILINE)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_nothing_is_listed_twice(path: Path) -> None:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    assert {key: sorted({e for e in entries if entries.count(e) > 1}) for key, entries in _lists(table)} == {
        key: [] for key, _ in _lists(table)
    }


@pytest.mark.parametrize(
    ("name", "sends"),
    [("ask_model", True), ("runChatTurn", True), ("AskOnce", True), ("count_words", False), ("runner", False)],
)
def test_parts_of_names_of_what_sends(name: str, sends: bool) -> None:
    assert (call_names().sending_parts.search(name) is not None) is sends
