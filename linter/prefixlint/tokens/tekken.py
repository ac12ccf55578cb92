"""Mistral's ``tekken.json``: a vocabulary for tiktoken in a JSON file that also holds its pattern.

Read as mistral-common 1.13.1 reads it (tokens/tokenizers/tekken.py): the first ids are those of the special tokens, the
ranks of the vocabulary follow. Of the vocabulary only as much counts as fits behind them.
"""

from __future__ import annotations

import json
from base64 import b64decode
from typing import TYPE_CHECKING, Any

from prefixlint.tokens.encodings import EncodingSpec
from prefixlint.tokens.files import checked
from prefixlint.tokens.openai import TiktokenTokenizer
from prefixlint.tokens.protocol import TokenizerError
from prefixlint.tokens.ranks import pack, unpack

if TYPE_CHECKING:
    from pathlib import Path

# The special tokens of files that list none, in the order of their ids.
_EARLY = (
    *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]"),
    *("[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]"),
    *("[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"),
)


def is_tekken(path: Path) -> bool:
    """Whether ``path`` is named as a tekken file is, which is what mistral-common goes by."""
    return path.suffix == ".json" and "tekken" in path.name


def load_tekken(name: str, path: Path, *, chat: bool = False) -> TiktokenTokenizer:
    """The tokenizer in ``path``. ``chat``: special tokens in the text count as such. Raises ``TokenizerError``."""
    try:
        content = json.loads(checked(path).read_text(encoding="utf-8"))
        config = content["config"]
        special = _special(content.get("special_tokens"), int(config["default_num_special_tokens"]))
        room = int(config["default_vocab_size"]) - len(special)
        ranks = {
            b64decode(token["token_bytes"]): len(special) + int(token["rank"]) for token in content["vocab"][:room]
        }
        spec = EncodingSpec(path.stem, "", "", str(config["pattern"]), special)
    except OSError as error:
        raise TokenizerError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise TokenizerError(f"{path} is not a tekken file that can be read: {error!r}") from error
    return TiktokenTokenizer.of(name, spec, unpack(pack(ranks)), chat=chat)


def _special(listed: list[dict[str, Any]] | None, wanted: int) -> tuple[tuple[str, int], ...]:
    """``wanted`` special tokens with their ids: those that are listed, and fillers behind them."""
    given = [(str(token["token_str"]), int(token["rank"])) for token in listed] if listed else []
    given = given or [(content, at) for at, content in enumerate(_EARLY)]
    return (*given, *((f"<SPECIAL_{at}>", at) for at in range(len(given), wanted)))
