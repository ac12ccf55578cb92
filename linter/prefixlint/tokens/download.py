"""Fetches a model's tokenizer and chat template from the Hugging Face hub: the one place that uses a network for them.

Only a command that was told so calls this. Files go to the Hugging Face cache, where they are found from then on.
"""

from __future__ import annotations

import fnmatch
from functools import cache
from typing import Any

from prefixlint import package_data
from prefixlint.tokens.local import cached_model
from prefixlint.tokens.models import spellings
from prefixlint.tokens.protocol import TokenizerError

_TOKENIZERS = ("tokenizer.json", "tekken.json", "tokenizer.model")
_BESIDE = ("tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja", "chat_template.json")


def hub_id(model: str) -> str | None:
    """The model on the hub whose tokenizer ``model`` has, by the table; None where the table has none that is open."""
    for name in spellings(model):
        for patterns, repository in _table():
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                return repository
    return None


def fetch(name: str) -> bool:
    """Brings the tokenizer of the hub id ``name`` to the cache; whether anything had to be fetched.

    ``HF_ENDPOINT``, ``HF_HOME`` and ``HF_TOKEN`` count as they do for huggingface_hub. Raises ``TokenizerError``.
    """
    try:
        cached_model(name)
    except TokenizerError:
        pass
    else:
        return False
    found = [file for file in _TOKENIZERS if _fetched(name, file)][:1]
    if not found:
        raise TokenizerError(f"{name} on the Hugging Face hub holds no tokenizer ({', '.join(_TOKENIZERS)})")
    for file in _BESIDE:
        _fetched(name, file)
    return True


def _fetched(name: str, file: str) -> bool:
    """Whether the repository holds the file, which is then in the cache."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import (
        EntryNotFoundError,
        GatedRepoError,
        HfHubHTTPError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
    )

    try:
        hf_hub_download(name, file)
    except GatedRepoError as error:
        raise TokenizerError(f"{name} is open to its registered users alone: set HF_TOKEN, or name a file") from error
    except RepositoryNotFoundError as error:
        raise TokenizerError(f"the Hugging Face hub has no model {name}") from error
    except LocalEntryNotFoundError as error:
        raise TokenizerError(f"{name} could not be fetched from the Hugging Face hub, which is not reached") from error
    except EntryNotFoundError:
        return False
    except (HfHubHTTPError, OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TokenizerError(f"{name} could not be fetched from the Hugging Face hub: {reason}") from error
    return True


@cache
def _table() -> tuple[tuple[tuple[str, ...], str], ...]:
    table: dict[str, Any] = package_data.table(__file__, "hub.toml")
    return tuple((tuple(entry["patterns"]), str(entry["id"])) for entry in table["model"])
