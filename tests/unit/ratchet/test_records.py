from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.ratchet.records import Kind, RecordError, escape, parse, unescape, write

KIND = Kind("list", ("About.",), 2, "prefixlint make")
TEXT = st.text(st.characters(codec=None))


@given(TEXT, st.sampled_from(["", ";", " ,"]))
def test_any_text_comes_back(text: str, also: str) -> None:
    kept = escape(text, also)
    assert unescape(kept) == text
    assert not set(kept) & set(also)
    assert len(kept.splitlines()) == (1 if text else 0)
    assert "\t" not in kept


@given(st.lists(st.tuples(TEXT.filter(bool), TEXT)))
def test_records_come_back(rows: list[tuple[str, str]]) -> None:
    rows = [(f"x{first}", second) for first, second in rows]
    text = write(KIND, [(escape(first), escape(second)) for first, second in rows])
    records = parse(KIND, text, "f")
    assert [tuple(map(unescape, record.fields)) for record in records] == rows
    assert [record.line for record in records] == list(range(3, 3 + len(rows)))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain é 漢", "plain é 漢"),
        ("a\tb\nc\\d", "a\\tb\\nc\\\\d"),
        ("\u202ex\x1b\x85\U000e0001", "\\u202ex\\x1b\\x85\\U000e0001"),
    ],
)
def test_escapes(text: str, kept: str) -> None:
    assert escape(text) == kept


def test_an_escape_of_no_character_stays() -> None:
    assert unescape("\\Uffffffff \\q") == "\\Uffffffff \\q"


def test_comments_empty_lines_and_line_ends_do_not_matter() -> None:
    text = "\ufeff# prefixlint list, version 1\r\n\r\n# note\r\na\tb\r\n"
    assert [(each.line, each.fields) for each in parse(KIND, text, "f")] == [(4, ("a", "b"))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: not a prefixlint list; prefixlint make makes one"),
        ("a\tb\n", "f: not a prefixlint list; prefixlint make makes one"),
        ("# prefixlint list, version 2\n", "f:1: written by a newer prefixlint: prefixlint list, version 2"),
        (
            "# prefixlint list, version 1\na\n",
            "f:2: expected 2 fields apart by tabs, found 1; mend the line or run prefixlint make",
        ),
        (
            "# prefixlint list, version 1\n<<<<<<< HEAD\n",
            "f:2: merge conflict; keep the lines of both sides, or run prefixlint make",
        ),
    ],
)
def test_what_cannot_be_used(text: str, message: str) -> None:
    with pytest.raises(RecordError) as error:
        parse(KIND, text, "f")
    assert str(error.value) == message
