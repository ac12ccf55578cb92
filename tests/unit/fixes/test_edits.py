"""Edits of a text, and the file that they are written to."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.discover.decode import decode
from prefixlint.discover.write import WriteError, write_changed
from prefixlint.fixes import EditError, apply
from prefixlint.fixes.edits import replace
from prefixlint.model.findings import Edit
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from pathlib import Path


def test_edits_are_made_at_their_places_in_any_order() -> None:
    source = SourceFile("a.txt", "one two three\r\nfour\r\n")
    edits = [Edit(source.span(8, 13), "3"), Edit(source.span(0, 3), "1"), Edit(source.span(15, 15), "(")]
    assert apply(source, edits) == "1 two 3\r\n(four\r\n"


def test_edits_that_overlap_or_speak_of_another_file_are_refused() -> None:
    source = SourceFile("a.txt", "one two three")
    with pytest.raises(EditError, match=r"overlap at a\.txt:1"):
        apply(source, [Edit(source.span(0, 5), "x"), Edit(source.span(4, 6), "y")])
    with pytest.raises(EditError, match=r"overlap"):
        apply(source, [Edit(source.span(4, 4), "x"), Edit(source.span(4, 4), "y")])
    with pytest.raises(EditError, match=r"an edit of b\.txt in a\.txt"):
        apply(source, [Edit(SourceFile("b.txt", "one").span(0, 1), "x")])


@given(st.text("ab\r\n", max_size=12), st.text("ab\r\n", max_size=12), st.text("ab\r\n", max_size=12))
def test_an_edit_says_no_more_than_what_differs(before: str, old: str, new: str) -> None:
    source = SourceFile("a.txt", f"{before}{old}|")
    edit = replace(source, len(before), len(before) + len(old), new)
    assert apply(source, [edit]) == f"{before}{new}|"
    start, end = source.offset(edit.span.start), source.offset(edit.span.end)
    assert end - start <= len(old)


@pytest.mark.parametrize(
    ("name", "data", "old", "new", "expected"),
    [
        ("a.py", b"# coding: latin-1\nx = '\xe9'\n", "x", "yy", b"# coding: latin-1\nyy = '\xe9'\n"),
        ("a.py", b"\xef\xbb\xbfx = 1\r\n", "x", "yy", b"\xef\xbb\xbfyy = 1\r\n"),
        ("a.txt", "\ufeffx é\r\n".encode("utf-16-le"), "x", "yy", "\ufeffyy é\r\n".encode("utf-16-le")),
        ("a.txt", b"x\rx\n", "x\rx", "x\ry", b"x\ry\n"),
    ],
)
def test_a_file_keeps_its_encoding_mark_and_line_ends(
    tmp_path: Path, name: str, data: bytes, old: str, new: str, expected: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    source = decode(str(path), data)
    write_changed(source, source.text.replace(old, new, 1))
    assert path.read_bytes() == expected


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_text("x = 1\n")
    real.chmod(0o750)
    link.symlink_to(real)
    write_changed(SourceFile(str(link), "x = 1\n"), "x = 2\n")
    assert real.read_text() == "x = 2\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o750
    assert link.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["link.py", "real.py"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 2\n")
    with pytest.raises(WriteError, match="changed while it was analysed"):
        write_changed(SourceFile(str(path), "x = 1\n"), "x = 3\n")
    assert path.read_text() == "x = 2\n"


def test_nothing_is_left_behind_where_the_file_changes_at_the_last_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    monkeypatch.setattr(os, "fsync", lambda handle: path.write_text("x = 9\n"))
    with pytest.raises(WriteError, match="changed while it was analysed"):
        write_changed(SourceFile(str(path), "x = 1\n"), "x = 3\n")
    assert path.read_text() == "x = 9\n"
    assert os.listdir(tmp_path) == ["a.py"]
