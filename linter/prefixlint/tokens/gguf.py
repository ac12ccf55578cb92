"""The tokenizer, and the chat template, that lie inside a GGUF file."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from prefixlint import package_data
from prefixlint.tokens.assemble import Normalisation, Pieces, byte_level, characters, sentencepiece, unigram
from prefixlint.tokens.gguf_file import read_metadata
from prefixlint.tokens.huggingface import HuggingFaceTokenizer, made_of
from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from pathlib import Path

    import tokenizers


def load_gguf(name: str, path: Path, *, chat: bool = False) -> HuggingFaceTokenizer:
    """The tokenizer of the GGUF file ``path``, as llama.cpp uses it. Raises ``TokenizerError``."""
    found = metadata(path)
    try:
        return made_of(name, _backend(path, found, chat=chat), chat=chat)
    except KeyError as error:
        raise TokenizerError(f"{path} holds no tokenizer: {error.args[0]} is missing") from error
    except TokenizerError as error:
        raise TokenizerError(f"{path}: {error}") from error
    except Exception as error:  # the library raises plain Exception for a vocabulary that it refuses
        raise TokenizerError(f"the tokenizer in {path} cannot be used: {error}") from error


@lru_cache(maxsize=4)
def metadata(path: Path) -> dict[str, Any]:
    """The metadata of a GGUF file, read once. Raises ``TokenizerError``."""
    return read_metadata(path)


def gguf_chat_template(path: Path) -> tuple[str, dict[str, str]]:
    """The chat template of the file, "" where it has none, and its special tokens by their part (``bos_token``).

    Raises ``TokenizerError``.
    """
    found = metadata(path)
    tokens = found.get("tokenizer.ggml.tokens", [])
    special = {}
    for part, key in (("bos_token", "bos_token_id"), ("eos_token", "eos_token_id"), ("pad_token", "padding_token_id")):
        at = found.get(f"tokenizer.ggml.{key}")
        if isinstance(at, int) and 0 <= at < len(tokens):
            special[part] = tokens[at]
    return found.get("tokenizer.chat_template", ""), special


def gguf_begin(path: Path) -> str:
    """The token that llama.cpp puts in front of every prompt, as text; "" where it puts none.

    Raises ``TokenizerError``.
    """
    found = metadata(path)
    kind = found.get("tokenizer.ggml.model")
    family = _families().get(found.get("tokenizer.ggml.pre", "default"), {})
    usual = kind == "llama" or (kind == "gpt2" and bool(family.get("begins", False)))
    at = found.get("tokenizer.ggml.bos_token_id")
    tokens = found.get("tokenizer.ggml.tokens", [])
    if not found.get("tokenizer.ggml.add_bos_token", usual) or not isinstance(at, int) or not 0 <= at < len(tokens):
        return ""
    return str(tokens[at])


def _backend(path: Path, found: dict[str, Any], *, chat: bool = False) -> tokenizers.Tokenizer:
    kind = found["tokenizer.ggml.model"]
    kinds = found.get("tokenizer.ggml.token_type", ())
    if kind in ("gpt2", "gemma4"):
        name = "gemma4" if kind == "gemma4" else found.get("tokenizer.ggml.pre", "default")
        family = _families().get(name)
        if family is None:
            raise TokenizerError(f"text is cut as {name!r} there, and how that is done is not known here")
        pieces = Pieces(found["tokenizer.ggml.tokens"], kinds)
        if family.get("characters", False):
            return characters(pieces, found["tokenizer.ggml.merges"], family["patterns"])
        look_up = family.get("look_whole_pieces_up", False)
        return byte_level(pieces, found["tokenizer.ggml.merges"], family["patterns"], look_up=look_up)
    if kind in ("llama", "t5"):
        pieces = Pieces(found["tokenizer.ggml.tokens"], kinds, found["tokenizer.ggml.scores"])
        prefix = found.get("tokenizer.ggml.add_space_prefix", True)
        if kind == "llama":
            return sentencepiece(pieces, Normalisation(prefix))
        spaces = found.get("tokenizer.ggml.remove_extra_whitespaces", False)
        charsmap = bytes(byte & 0xFF for byte in found.get("tokenizer.ggml.precompiled_charsmap", ()))
        return unigram(pieces, Normalisation(prefix, spaces, charsmap), chat=chat)
    raise TokenizerError(f"a tokenizer of kind {kind!r} is not read; byte-pair ones (gpt2, llama, gemma4) and t5 are")


@cache
def _families() -> dict[str, dict[str, Any]]:
    table = package_data.table(__file__, "gguf.toml")
    return {name: entry for entry in table["family"] for name in entry["names"]}
