"""The shipped rank files are tiktoken's own, and load without tiktoken's cache and without the network."""

from __future__ import annotations

import hashlib
import socket
from typing import TYPE_CHECKING

import pytest
import tiktoken.load
import tiktoken_ext.openai_public
from prefixlint import tokens
from prefixlint.tokens import TokenizerError, get_tokenizer
from prefixlint.tokens.encodings import DATA, encoding_specs, load_rank_file
from prefixlint.tokens.pack import main as pack_main
from prefixlint.tokens.ranks import pack, parse_rank_file, unpack, write_rank_file

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = ("o200k_base", "cl100k_base")


def expected_by_tiktoken(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, object], str]:
    """tiktoken's own definition of an encoding, and the sha256 it expects of its rank file."""
    hashes = []

    def stand_in(url: str, expected_hash: str) -> dict[bytes, int]:
        hashes.append(expected_hash)
        return {}

    monkeypatch.setattr(tiktoken_ext.openai_public, "load_tiktoken_bpe", stand_in)
    return tiktoken_ext.openai_public.ENCODING_CONSTRUCTORS[name](), hashes[0]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_original_rank_file_comes_back_byte_for_byte(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, sha256 = expected_by_tiktoken(name, monkeypatch)
    original = write_rank_file(encoding_specs()[name].load())
    assert hashlib.sha256(original).hexdigest() == sha256


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base", "r50k_base", "p50k_base", "o200k_harmony"])
def test_the_table_agrees_with_tiktoken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, sha256 = expected_by_tiktoken(name, monkeypatch)
    ours = encoding_specs()[name]
    assert (ours.sha256, ours.pattern) == (sha256, theirs["pat_str"])
    special = theirs["special_tokens"]
    assert isinstance(special, dict)
    assert dict(ours.special).items() <= special.items()
    if name in SHIPPED:
        assert dict(ours.special) == special


def test_package_data_stay_small() -> None:
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 2_800_000


@pytest.mark.parametrize("name", SHIPPED)
def test_no_network_and_no_cache(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("asked for the network or for tiktoken's cache")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(tiktoken.load, "read_file_cached", refuse)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tokens, "_loaded", tokens._loaded.__wrapped__)
    assert get_tokenizer(name).encode("hello world")
    assert list(tmp_path.iterdir()) == []


# Ids as published in OpenAI's cookbook ("How to count tokens with tiktoken", 2024) for these two encodings.
@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("o200k_base", "antidisestablishmentarianism", [493, 129901, 376, 160388, 21203, 2367]),
        ("cl100k_base", "antidisestablishmentarianism", [519, 85342, 34500, 479, 8997, 2191]),
        ("o200k_base", "2 + 2 = 4", [17, 659, 220, 17, 314, 220, 19]),
        ("cl100k_base", "2 + 2 = 4", [17, 489, 220, 17, 284, 220, 19]),
        ("o200k_base", "お誕生日おめでとう", [8930, 9697, 243, 128225, 8930, 17693, 4344, 48669]),
        ("cl100k_base", "お誕生日おめでとう", [33334, 45918, 243, 21990, 9080, 33334, 62004, 16556, 78699]),
        ("cl100k_base", "tiktoken is great!", [83, 1609, 5963, 374, 2294, 0]),
    ],
)
def test_ids_are_the_published_ones(name: str, text: str, ids: list[int]) -> None:
    assert get_tokenizer(name).encode(text) == ids


def test_special_tokens_in_text_are_ordinary_text() -> None:
    tokenizer = get_tokenizer("o200k_base")
    assert len(tokenizer.encode("<|endoftext|>")) > 1
    assert get_tokenizer("o200k_harmony").encode("a<|end|>b") == tokenizer.encode("a<|end|>b")


def test_a_tokenizer_is_loaded_once() -> None:
    assert get_tokenizer("o200k_base") is get_tokenizer("o200k_base")


def test_unknown_name_says_what_there_is() -> None:
    with pytest.raises(TokenizerError, match=r"unknown tokenizer 'o300k'.*o200k_base, cl100k_base.*tokenizer\.json"):
        get_tokenizer("o300k")


def test_a_rank_file_that_is_not_shipped_is_asked_for() -> None:
    with pytest.raises(TokenizerError, match=r"r50k_base\.tiktoken"):
        get_tokenizer("r50k_base")


def test_an_original_rank_file_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(write_rank_file(encoding_specs()["cl100k_base"].load()))
    assert get_tokenizer(str(path)).encode("tiktoken is great!") == [83, 1609, 5963, 374, 2294, 0]
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(TokenizerError, match=r"mine\.tiktoken is none of the rank files known"):
        load_rank_file(path)


def test_a_damaged_packed_file_is_named_as_such() -> None:
    with pytest.raises(TokenizerError, match="damaged"):
        unpack(b"\1\0\0\0 not zlib")


def test_packing_keeps_every_token_and_the_byte_order_of_the_search() -> None:
    ranks = {b"b": 0, b"a": 1, b"ab": 2, b"abc": 3, b"\xff": 4, b"b" * 128: 5}
    packed = unpack(pack(ranks))
    assert dict(zip(packed.tokens, packed.ranks, strict=True)) == ranks
    assert list(packed.starting_with(b"ab")) == [b"ab", b"abc"]
    assert list(packed.starting_with(b"c")) == []
    assert parse_rank_file(write_rank_file(packed)) == ranks


def test_the_pack_script_refuses_a_file_it_does_not_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "o200k_base.tiktoken"
    path.write_bytes(b"YQ== 0\n")
    assert pack_main([str(path)]) == 1
    assert "sha256" in capsys.readouterr().err
    assert pack_main([]) == 2


def test_the_pack_script_rebuilds_the_package_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = encoding_specs()["cl100k_base"].load()
    original = tmp_path / "any-name.tiktoken"
    original.write_bytes(write_rank_file(shipped))
    monkeypatch.setattr("prefixlint.tokens.pack.DATA", tmp_path)
    assert pack_main([str(original)]) == 0
    rebuilt = unpack((tmp_path / "cl100k_base.ranks").read_bytes())
    assert (rebuilt.tokens, rebuilt.ranks) == (shipped.tokens, shipped.ranks)


def test_text_that_tiktoken_gives_up_on_is_a_tokenizer_error() -> None:
    """tiktoken 0.14 panics here; another version may not."""
    fault = ""
    try:
        get_tokenizer("o200k_base").encode(" " * 1_000_000)
    except TokenizerError as error:
        fault = str(error)
    assert fault == "" or fault.startswith("o200k_base cannot encode a text of 1,000,000 characters: ")
