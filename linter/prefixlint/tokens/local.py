"""Models on this machine by their name: installed in Ollama, or in the Hugging Face cache. Nothing is downloaded."""

from __future__ import annotations

import os
import re
from pathlib import Path

from prefixlint.tokens.protocol import TokenizerError

OLLAMA = "ollama:"
_FILES = (".json", ".gguf", ".model", ".tiktoken", ".jinja", ".txt")
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
    if is_hub_id(name):
        return cached_model(name)
    return None


def is_hub_id(name: str) -> bool:
    """Whether ``name`` has the form of a hub id (``Qwen/Qwen3-8B``), and is not a path that is here."""
    path = Path(name).expanduser()
    looks_so = _HUB_ID.fullmatch(name) is not None and not name.startswith(".") and path.suffix not in _FILES
    return looks_so and not path.exists()


def cached_model(name: str) -> Path:
    """The entry of the Hugging Face cache for the hub id ``name``. Raises ``TokenizerError``."""
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    folder = Path(os.environ.get("HF_HUB_CACHE") or home / "hub") / f"models--{name.replace('/', '--')}"
    if not folder.is_dir():
        raise TokenizerError(
            f"{name} is neither a file nor in the Hugging Face cache ({folder} is missing): fetch it once with "
            "--allow-download, or name a tokenizer.json"
        )
    return folder
