"""Tokens: tokenizers, and how much of a text's tokens no continuation can change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from prefixlint.tokens.protocol import Tokenizer, TokenizerError

__all__ = ["Tokenizer", "TokenizerError", "get_tokenizer"]


@cache
def get_tokenizer(name: str, *, chat: bool = False) -> Tokenizer:
    """The tokenizer ``name``, loaded once per process; never from the network.

    ``chat`` asks for the one that engines use on a rendered chat: it takes special tokens in the text as such, so
    ``encode`` and ``guaranteed`` speak of text that may hold them.

    ``name`` is an encoding (``o200k_base``, ``cl100k_base``), a ``tokenizer.json``, a folder that holds one, or an
    original ``.tiktoken`` rank file. Raises ``TokenizerError`` naming the file and the way out.
    """
    from prefixlint.tokens.encodings import encoding_specs, load_rank_file

    spec = encoding_specs().get(name)
    if spec is not None:
        from prefixlint.tokens.openai import TiktokenTokenizer

        return TiktokenTokenizer.of(name, spec, spec.load(), chat=chat)
    path = Path(name).expanduser()
    if not path.exists():
        shipped = ", ".join(spec.name for spec in encoding_specs().values() if spec.shipped)
        raise TokenizerError(
            f"unknown tokenizer {name!r}: it is none of {shipped}, and there is no such file or folder; "
            "name a tokenizer.json or the folder that holds it"
        )
    if path.suffix == ".tiktoken":
        from prefixlint.tokens.openai import TiktokenTokenizer

        return TiktokenTokenizer.of(name, *load_rank_file(path), chat=chat)
    from prefixlint.tokens.huggingface import load_tokenizer_json

    return load_tokenizer_json(name, path, chat=chat)
