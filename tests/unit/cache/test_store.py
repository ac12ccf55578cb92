"""The folder of entries: whole or absent, bounded, and no way in for code."""

from __future__ import annotations

import json
import os
import pickle
from typing import TYPE_CHECKING

import pytest
from prefixlint.cache import codec
from prefixlint.cache.store import Store

if TYPE_CHECKING:
    from pathlib import Path


def test_an_entry_comes_back(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "new" / "folder"))
    store.put("a", b"hello")
    assert store.get("a") == b"hello"
    assert store.get("b") is None
    assert store.trouble == ""


@pytest.mark.parametrize("damage", [b"", b"short", pickle.dumps(print), b"x" * 200])
def test_what_is_damaged_is_absent(tmp_path: Path, damage: bytes) -> None:
    store = Store(str(tmp_path))
    store.put("a", b"hello")
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(damage)
    assert store.get("a") is None


def test_an_entry_cut_short_is_absent(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.put("a", os.urandom(5_000))
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert store.get("a") is None


def test_the_entries_used_longest_ago_go_first(tmp_path: Path) -> None:
    store = Store(str(tmp_path), most_bytes=10_000)
    for number, key in enumerate("abc"):
        store.put(key, os.urandom(4_000))
        for entry in tmp_path.iterdir():
            if entry.name.startswith(key):
                os.utime(entry, (number, number))
    assert [key for key in "abc" if store.get(key) is not None] == ["b", "c"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    store = Store(str(blocked))
    store.put("a", b"hello")
    assert "cannot be kept" in store.trouble
    assert store.get("a") is None


def test_cleaning_leaves_other_files_alone(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.put("a", b"1")
    store.put("b", b"2")
    (tmp_path / "mine.txt").write_text("keep")
    assert store.clean() == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    "poison",
    [
        b"{}",
        b"[]",
        pickle.dumps(print),
        json.dumps({"table": [[99, 1]], "top": {}}).encode(),
        json.dumps({"table": [[0, 1]], "top": {}}).encode(),
        json.dumps({"table": [], "top": {"a.py": [3, 5]}}).encode(),
        json.dumps({"table": [[0, 1, 2]], "top": {"a.py": [3, 0]}}).encode(),
    ],
)
def test_other_data_are_refused(poison: bytes) -> None:
    with pytest.raises(codec.Damaged):
        codec.load(poison, lambda path: None)
