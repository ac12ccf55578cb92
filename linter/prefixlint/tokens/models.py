"""Which tokenizer counts for a model: a data table, ``models.toml``, and the ways in which models are named."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING

from prefixlint import package_data

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class TokenizerChoice:
    """A tokenizer by name. Where not ``exact`` it is a stand-in, and ``note`` says why and how far counts are off."""

    name: str
    exact: bool
    note: str


@dataclass(frozen=True, slots=True)
class Family:
    """An entry of the table: models with one tokenizer, where that is from, and for a stand-in how far it is off."""

    title: str
    patterns: tuple[str, ...]
    tokenizer: str
    exact: bool
    source: str
    date: str
    engines: tuple[str, ...] = ()
    reason: str = ""
    off: str = ""


def tokenizer_for(model: str | None, engine: str | None = None) -> TokenizerChoice:
    """The tokenizer of ``model`` as sources name it: ``gpt-4o``, ``openai/gpt-4o``, ``qwen2.5:7b``, ``Qwen/Qwen3-8B``.

    Without a model the engine's usual family counts, never as exact. Never raises: an unknown model gets a stand-in.
    """
    if model is None or not model.strip():
        family = next((family for family in families() if engine in family.engines), families()[-1])
        return _stand_in(family, "no model is named")
    for name in spellings(model):
        for family in families():
            if family is not families()[-1] and any(fnmatchcase(name, pattern) for pattern in family.patterns):
                return TokenizerChoice(family.tokenizer, True, "") if family.exact else _stand_in(family, family.reason)
    return _stand_in(families()[-1], f"{model}: {families()[-1].reason}")


def spellings(model: str) -> Iterator[str]:
    """The name itself in lower case, then without what stands around it: providers, folders, Ollama tags.

    >>> list(spellings("openrouter/Qwen/Qwen3-8B:free"))
    ['openrouter/qwen/qwen3-8b:free', 'qwen/qwen3-8b:free', 'qwen3-8b:free', 'qwen3-8b', 'free']
    """
    name = model.strip().lower()
    parts = name.split("/")
    for at in range(len(parts)):
        yield "/".join(parts[at:])
    last, colon, behind = parts[-1].partition(":")
    if colon:
        yield last
        yield behind


@cache
def families() -> tuple[Family, ...]:
    """The table, in order; the last family takes every model."""
    table = package_data.table(__file__, "models.toml")
    return tuple(
        Family(
            title=entry["title"],
            patterns=tuple(entry["patterns"]),
            tokenizer=entry["tokenizer"],
            exact=entry["exact"],
            source=entry["source"],
            date=entry["date"].isoformat(),
            engines=tuple(entry.get("engines", ())),
            reason=entry.get("reason", ""),
            off=entry.get("off", ""),
        )
        for entry in table["family"]
    )


def _stand_in(family: Family, reason: str) -> TokenizerChoice:
    off = f"; real counts: {family.off}" if family.off else ""
    return TokenizerChoice(family.tokenizer, False, f"{reason}: tokens are counted with {family.tokenizer}{off}")
