"""Tokens: tokenizers, and how much of a text's tokens no continuation can change."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from prefixlint.tokens.protocol import Tokenizer, TokenizerError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Tokenizer", "TokenizerError", "get_tokenizer"]


def get_tokenizer(name: str, *, chat: bool = False) -> Tokenizer:
    """The tokenizer ``name``, loaded once per process; never from the network.

    ``chat`` asks for the one that engines use on a rendered chat: it takes special tokens in the text as such, so
    ``encode`` and ``guaranteed`` speak of text that may hold them.

    ``name`` is an encoding (``o200k_base``, ``cl100k_base``), a file (``tokenizer.json``, ``tekken.json``, GGUF,
    SentencePiece's ``.model``, an original rank file of tiktoken), a folder that holds one of them, an installed Ollama
    model (``ollama:qwen2.5:7b``), or the hub id of a model in the Hugging Face cache (``Qwen/Qwen3-8B``). Raises
    ``TokenizerError`` naming the file and the way out.
    """
    return _loaded(name, chat)


@cache
def _loaded(name: str, chat: bool) -> Tokenizer:
    from prefixlint.tokens.encodings import encoding_specs

    spec = encoding_specs().get(name)
    if spec is not None:
        from prefixlint.tokens.openai import TiktokenTokenizer

        return TiktokenTokenizer.of(name, spec, spec.load(), chat=chat)
    from prefixlint.tokens.local import local_path

    path = local_path(name)
    if path is None:
        shipped = ", ".join(spec.name for spec in encoding_specs().values() if spec.shipped)
        raise TokenizerError(
            f"unknown tokenizer {name!r}: it is none of {shipped}, and there is no such file or folder; "
            "name a tokenizer.json or the folder that holds it"
        )
    return _from_file(name, path, chat=chat)


def _from_file(name: str, path: Path, *, chat: bool) -> Tokenizer:
    from prefixlint.tokens.encodings import is_rank_file, load_rank_file
    from prefixlint.tokens.folders import tokenizer_file
    from prefixlint.tokens.tekken import is_tekken, load_tekken

    path = tokenizer_file(path)
    if is_tekken(path):
        return load_tekken(name, path, chat=chat)
    if is_gguf(path):
        from prefixlint.tokens.gguf import load_gguf

        return load_gguf(name, path, chat=chat)
    if is_rank_file(path):
        from prefixlint.tokens.openai import TiktokenTokenizer

        return TiktokenTokenizer.of(name, *load_rank_file(path), chat=chat)
    if ".model" in path.suffixes:
        from prefixlint.tokens.spm_file import load_sentencepiece

        return load_sentencepiece(name, path, chat=chat)
    from prefixlint.tokens.huggingface import load_tokenizer_json

    return load_tokenizer_json(name, path, chat=chat)


def is_gguf(path: Path) -> bool:
    """Whether ``path`` is a GGUF file; one of Ollama's has no ending that says so."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return path.suffix == ".gguf" or file.read(4) == b"GGUF"
