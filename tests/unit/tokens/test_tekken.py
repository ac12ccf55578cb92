"""Mistral's tekken files: ids, special tokens, faults."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from continuations import common, trials
from prefixlint.tokens import TokenizerError, get_tokenizer

if TYPE_CHECKING:
    from pathlib import Path

PATTERN = r"\p{L}+| ?[^\s\p{L}]+|\s+"
WORDS = [*(bytes([byte]) for byte in range(256)), b"He", b"ll", b"llo", b"Hello", b"lost"]


def tekken(path: Path, *, size: int = 1000 + 260, special: list[dict[str, Any]] | None = None, **changed: Any) -> str:
    """A file as mistral-common describes it; with 1,000 special tokens and one word too many for its ``size``."""
    vocab = [{"rank": at, "token_bytes": b64encode(word).decode(), "token_str": None} for at, word in enumerate(WORDS)]
    config = {"pattern": PATTERN, "default_vocab_size": size, "default_num_special_tokens": 1000, "version": "v3"}
    content = {"config": config, "vocab": vocab, **({"special_tokens": special} if special else {}), **changed}
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def test_ids_follow_those_of_the_special_tokens(tmp_path: Path) -> None:
    tokenizer = get_tokenizer(tekken(tmp_path / "tekken.json"))
    # "Hello" is rank 259; "lost" is rank 260, for which there is no room.
    assert tokenizer.encode("Hello") == [1259]
    assert tokenizer.encode("lost") == [1000 + byte for byte in b"lost"]
    assert tokenizer.encode("Hell") == [1256, 1257]
    assert tokenizer.token_starts("Hello, Hell") == [0, 5, 6, 7, 9]


def test_special_tokens_count_in_a_chat_alone(tmp_path: Path) -> None:
    path = tekken(tmp_path / "tekken.json")
    assert get_tokenizer(path, chat=True).encode("<s>[INST]Hello[/INST]<SPECIAL_20>") == [1, 3, 1259, 4, 20]
    assert len(get_tokenizer(path).encode("[INST]")) == 6
    own = [{"rank": 0, "token_str": "<go>", "is_control": True}, {"rank": 1, "token_str": "<stop>", "is_control": True}]
    named = get_tokenizer(tekken(tmp_path / "tekken_new.json", special=own), chat=True)
    assert named.encode("<go>Hello<stop><SPECIAL_2>") == [0, 1259, 1, 2]


def test_a_folder_that_holds_one(tmp_path: Path) -> None:
    tekken(tmp_path / "tekken.json")
    assert get_tokenizer(str(tmp_path)).encode("Hello") == [1259]


def test_no_continuation_takes_a_guaranteed_token(tmp_path: Path) -> None:
    tokenizer = get_tokenizer(tekken(tmp_path / "tekken.json"))
    for text, sure in (("He", 0), ("Hello ", 2), ("Hello, He", 3)):
        assert tokenizer.guaranteed(text) == sure
    for trial in trials(11, 60, 20):
        tokens = tokenizer.encode(trial.text)
        sure = tokenizer.guaranteed(trial.text)
        assert all(common(tokens, tokenizer.encode(trial.text + more)) >= sure for more in trial.continuations)


@pytest.mark.parametrize(
    "content",
    ["{", "[]", "{}", '{"config": {}}', '{"config": {"default_num_special_tokens": "many"}}'],
)
def test_a_fault_names_the_file(content: str, tmp_path: Path) -> None:
    path = tmp_path / "tekken_odd.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TokenizerError, match=r"tekken_odd\.json is not a tekken file that can be read"):
        get_tokenizer(str(path))
