"""Models on this machine by their name: installed in Ollama, or in the Hugging Face cache. Nothing is downloaded."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from prefixlint.tokens.protocol import TokenizerError

OLLAMA = "ollama:"
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
_MODEL_LAYER = "application/vnd.ollama.image.model"


def local_path(name: str) -> Path | None:
    """Where the tokenizer called ``name`` lies: a path, ``ollama:qwen2.5:7b``, or a hub id in the cache.

    None for a name that is none of these. Raises ``TokenizerError`` where the model it names is not on this machine.
    """
    if name.startswith(OLLAMA):
        return ollama_model(name.removeprefix(OLLAMA))
    path = Path(name).expanduser()
    if path.exists():
        return path
    if _HUB_ID.fullmatch(name) and not name.startswith(".") and not path.suffix:
        return cached_model(name)
    return None


def ollama_model(model: str) -> Path:
    """The GGUF file of an installed Ollama model: its manifest names it. Raises ``TokenizerError``."""
    folder = Path(os.environ.get("OLLAMA_MODELS") or Path.home() / ".ollama" / "models")
    manifest = folder / "manifests" / _manifest(model)
    try:
        layers = json.loads(manifest.read_text(encoding="utf-8"))["layers"]
        digest = next(layer["digest"] for layer in layers if layer["mediaType"] == _MODEL_LAYER)
    except OSError:
        raise TokenizerError(
            f"Ollama has no model {model!r} here ({manifest} is missing): install it with `ollama pull {model}`, or "
            "set OLLAMA_MODELS to the folder of its models"
        ) from None
    except (ValueError, KeyError, TypeError, StopIteration):
        raise TokenizerError(f"{manifest} is not a manifest of Ollama that names a model file") from None
    blob = folder / "blobs" / str(digest).replace(":", "-")
    if not blob.is_file():
        raise TokenizerError(f"{manifest} names {blob}, which is missing: `ollama pull {model}` brings it back")
    return blob


def _manifest(model: str) -> Path:
    """``qwen2.5:7b`` is ``registry.ollama.ai/library/qwen2.5/7b``."""
    path, _, tag = model.partition(":") if "/" not in model.partition(":")[2] else (model, "", "")
    parts = path.split("/")
    host = parts.pop(0) if len(parts) > 2 else "registry.ollama.ai"
    space = parts.pop(0) if len(parts) > 1 else "library"
    if ".." in (host, space, *parts, tag) or not all((host, space, *parts)):
        raise TokenizerError(f"{model!r} is not a name of an Ollama model")
    return Path(host, space, *parts, tag or "latest")


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
