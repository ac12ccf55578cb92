import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.discover.decode import DecodeError, decode


def test_utf8_with_and_without_mark() -> None:
    assert decode("a.py", "x = 'é'\r\n".encode()).text == "x = 'é'\r\n"
    assert decode("a.py", codecs.BOM_UTF8 + b"x = 1\n").text == "x = 1\n"


@pytest.mark.parametrize("codec", ["utf-16", "utf-32"])
def test_utf16_and_utf32_prompt_files(codec: str) -> None:
    assert decode("a.txt", "Grüße 😀".encode(codec)).text == "Grüße 😀"


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ("# -*- coding: latin-1 -*-\n", "latin-1"),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n", "cp1252"),
        ("\n# coding=iso-8859-15\n", "iso-8859-15"),
        ("# coding: euc_jp\r\n", "euc_jp"),
        ("#!/usr/bin/python\r# coding: latin-1\r", "latin-1"),
    ],
)
def test_coding_cookie(head: str, codec: str) -> None:
    text = head + "x = '" + ("é" if codec != "euc_jp" else "日") + "'\n"
    assert decode("a.py", text.encode(codec)).text == text


def test_cookie_behind_code_or_on_the_third_line_is_none() -> None:
    with pytest.raises(DecodeError):
        decode("a.py", b"x = 1\n# coding: latin-1\ny = '\xe9'\n")
    with pytest.raises(DecodeError):
        decode("a.py", b"\n\n# coding: latin-1\ny = '\xe9'\n")


def test_cookie_counts_in_python_only() -> None:
    with pytest.raises(DecodeError):
        decode("a.txt", b"# coding: latin-1\n\xe9\n")


def test_bad_bytes_name_place_and_way_out() -> None:
    with pytest.raises(DecodeError) as error:
        decode("a.py", "a = 1\nbé = ".encode() + b"\xff\n")
    assert (error.value.line, error.value.column) == (2, 6)
    assert "not valid UTF-8" in error.value.message
    assert "coding comment" in error.value.message


def test_nul_byte_names_its_place() -> None:
    with pytest.raises(DecodeError) as error:
        decode("a.py", b"a\nbc\0d")
    assert (error.value.line, error.value.column) == (2, 3)
    assert "NUL" in error.value.message


@pytest.mark.parametrize("name", ["nonsense", "zlib", "hex", "punycode", "idna", "undefined"])
def test_codecs_that_are_none_for_source(name: str) -> None:
    with pytest.raises(DecodeError):
        decode("a.py", f"# coding: {name}\nx = 1\n".encode())


@given(st.binary(max_size=200))
def test_any_bytes_give_text_or_a_decode_error(data: bytes) -> None:
    for path in ("a.py", "a.txt"):
        try:
            text = decode(path, data).text
        except DecodeError:
            continue
        assert "\0" not in text


@given(st.text(alphabet=st.characters(exclude_characters="\0\ufeff", exclude_categories=["Cs"])))
def test_utf8_text_comes_back(text: str) -> None:
    assert decode("a.md", text.encode()).text == text
