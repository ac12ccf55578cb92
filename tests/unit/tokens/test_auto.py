"""Where transformers and a tokenizer.json disagree, that is said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import tokenizers
from prefixlint.tokens.auto import disagreement
from test_huggingface import LLAMA_3, byte_level, split, trained
from transformers import AutoTokenizer

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model whose tokenizer keeps up to three digits together, as Llama 3's does."""
    trained(None, byte_level(split(LLAMA_3)), size=1500).save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def name(folder: Path, kind: str | None) -> None:
    config = {"tokenizer_class": kind} if kind else {}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")


def test_a_class_that_is_built_anew_is_named(folder: Path) -> None:
    # Qwen's class cuts each digit off, whatever the file says.
    name(folder, "Qwen2Tokenizer")
    raw = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    theirs = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    assert raw.encode("4444").ids != theirs.encode("4444")
    said = disagreement(folder)
    assert "transformers builds its tokenizer anew as a Qwen2Tokenizer" in said
    assert said.startswith(str(folder))


@pytest.mark.parametrize("kind", [None, "PreTrainedTokenizerFast", "LlamaTokenizerFast"])
def test_nothing_is_said_where_both_agree(kind: str | None, folder: Path) -> None:
    name(folder, kind)
    assert disagreement(folder) == ""


def test_a_folder_without_its_files_says_nothing(tmp_path: Path) -> None:
    assert disagreement(tmp_path) == ""
    (tmp_path / "tokenizer_config.json").write_text("[", encoding="utf-8")
    assert disagreement(tmp_path) == ""
