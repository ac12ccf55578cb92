"""Where chat templates and special tokens are found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from prefixlint.tokens import TokenizerError
from prefixlint.tokens.chat_files import chat_template, has_chat_template

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, name: str, content: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


CONFIG = {"chat_template": "config", "bos_token": {"content": "<s>"}, "eos_token": "</s>", "model_max_length": 9}


def test_in_a_folder_the_file_of_its_own_counts_first(tmp_path: Path) -> None:
    write(tmp_path, "tokenizer_config.json", CONFIG)
    found = chat_template(str(tmp_path))
    assert (found.text, found.special) == ("config", {"bos_token": "<s>", "eos_token": "</s>"})
    assert found.source == str(tmp_path / "tokenizer_config.json")
    write(tmp_path / "two", "tokenizer_config.json", CONFIG)
    write(tmp_path / "two", "chat_template.jinja", "jinja")
    assert chat_template(str(tmp_path / "two")).text == "jinja"


def test_a_cache_entry_is_followed_to_its_snapshot(tmp_path: Path) -> None:
    write(tmp_path / "snapshots" / "abc", "chat_template.json", {"chat_template": "snap"})
    write(tmp_path / "refs", "main", "abc")
    assert chat_template(str(tmp_path)).text == "snap"
    assert has_chat_template(str(tmp_path))


def test_a_file_takes_the_special_tokens_of_the_tokenizer(tmp_path: Path) -> None:
    file = write(tmp_path / "templates", "some.jinja", "text")
    write(tmp_path / "model", "tokenizer_config.json", CONFIG)
    write(tmp_path / "model", "tokenizer.json", {})
    assert chat_template(str(file)).special == {}
    assert chat_template(str(file), str(tmp_path / "model")).special["bos_token"] == "<s>"
    assert chat_template(str(file), str(tmp_path / "model" / "tokenizer.json")).special["bos_token"] == "<s>"


def test_of_several_named_ones_the_default_counts(tmp_path: Path) -> None:
    named = [{"name": "tool_use", "template": "tools"}, {"name": "default", "template": "usual"}]
    assert chat_template(str(write(tmp_path, "tokenizer_config.json", {"chat_template": named}))).text == "usual"
    only = write(tmp_path / "only", "tokenizer_config.json", {"chat_template": named[:1]})
    with pytest.raises(TokenizerError, match=r"holds the chat templates tool_use and no default one"):
        chat_template(str(only))


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenizerError, match=r"holds no chat template \(chat_template.jinja"):
        chat_template(str(tmp_path))
    with pytest.raises(TokenizerError, match=r"cannot read .*gone.jinja: No such file"):
        chat_template(str(tmp_path / "gone.jinja"))
    with pytest.raises(TokenizerError, match="is not JSON"):
        chat_template(str(write(tmp_path, "broken.json", "{")))
    with pytest.raises(TokenizerError, match="holds no chat_template"):
        chat_template(str(write(tmp_path, "empty.json", {})))
    assert not has_chat_template(str(tmp_path))
    assert not has_chat_template("o200k_base")
