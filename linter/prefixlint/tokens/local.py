"""Models on this machine by their name: installed in Ollama, or in the Hugging Face cache. Nothing is downloaded."""

from __future__ import annotations

import os
import re
from pathlib import Path

from prefixlint.tokens.protocol import TokenizerError

OLLAMA = "ollama:"
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


def local_path(name: str) -> Path | None:
    """Where the tokenizer called ``name`` lies: a path, ``ollama:qwen2.5:7b``, or a hub id in the cache.

    None for a name that is none of these. Raises ``TokenizerError`` where the model it names is not on this machine.
    """
    if name.startswith(OLLAMA):
        from prefixlint.tokens.ollama import installed

        return installed(name.removeprefix(OLLAMA)).gguf
    path = Path(name).expanduser()
    if path.exists():
        return path
    if _HUB_ID.fullmatch(name) and not name.startswith(".") and not path.suffix:
        return cached_model(name)
    return None


def cached_model(name: str) -> Path:
    """The entry of the Hugging Face cache for the hub id ``name``. Raises ``TokenizerError``."""
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    folder = Path(os.environ.get("HF_HUB_CACHE") or home / "hub") / f"models--{name.replace('/', '--')}"
    if not folder.is_dir():
        raise TokenizerError(
            f"{name} is neither a file nor in the Hugging Face cache ({folder} is missing): fetch it once with "
            f"`hf download {name} tokenizer.json tokenizer_config.json`, or name a tokenizer.json"
        )
    return folder
