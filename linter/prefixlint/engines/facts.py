"""Facts about engines and providers: read from the files in ``data/``, one for each, when they are asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, Any

from prefixlint import package_data
from prefixlint.model.targets import COMPONENTS, Invalidator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONFIDENCES = ("source", "docs", "docs-mirror", "third-party", "unconfirmed")
"""How a fact is known, strongest first: read in the engine's source, in its documentation, in a copy of that, measured
by others, or not confirmed at all."""

KINDS = ("engine", "store", "provider", "relay")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a fact is from. ``date`` is a year or a day in ISO form; ``confidence`` is one of ``CONFIDENCES``."""

    source: str
    date: str
    confidence: str


@dataclass(frozen=True, slots=True)
class Counters:
    """What an engine reports. ``apis`` are entries of ``wire/usage.toml``, where the fields and their meaning stand.

    ``missing`` says when the cached count is not there, ``trap`` what is easily taken for it. ``also`` are places that
    the API's answers do not have (headers, details), ``metrics`` names of an engine's own metrics.
    """

    apis: tuple[str, ...]
    missing: str
    trap: str
    also: tuple[str, ...]
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What one data file says. ``cache`` is its table; ``default_evidence`` covers every fact of it, of usage and
    of prices that is not in ``evidence_of``.

    ``models`` are overrides of ``cache`` for model patterns, ``variants`` those that a target can ask for by name,
    ``routes`` lead models to another file, ``serves`` are the patterns of the models that a provider has, none for an
    engine that runs any.
    """

    name: str
    engine: str
    title: str
    kind: str
    cache: Mapping[str, Any]
    usage: Counters
    price: Mapping[str, str]
    invalidators: tuple[Invalidator, ...]
    models: tuple[Mapping[str, Any], ...]
    variants: Mapping[str, Mapping[str, Any]]
    routes: tuple[Mapping[str, Any], ...]
    serves: tuple[str, ...]
    notes: tuple[str, ...]
    default_evidence: Evidence
    evidence_of: Mapping[str, Evidence]

    def cache_for(self, model: str | None, variant: str | None = None) -> dict[str, Any]:
        """The cache table, with what the first matching model pattern says instead.

        ``variant`` names one of ``variants`` that goes over both. Raises ``KeyError`` for one that there is not.
        """
        table = dict(self.cache)
        for override in self.models:
            if model and matches(model, override["match"]):
                table.update((key, value) for key, value in override.items() if key != "match")
                break
        if variant is not None:
            table.update(self.variants[variant])
        return table


def engine_names() -> tuple[str, ...]:
    """Names of all engines and providers with a data file, sorted."""
    return tuple(name for name in package_data.names(__file__, "data") if name != "index")


@cache
def load_facts(name: str) -> EngineFacts:
    """Facts of the engine with exactly this name (no aliases). Raises ``KeyError`` when there is no file for it."""
    raw = _read(name)
    return EngineFacts(
        name=name,
        engine=raw.get("engine", name),
        title=raw["title"],
        kind=raw["kind"],
        cache=raw["cache"],
        usage=_counters(raw["usage"]),
        price=raw.get("price", {}),
        invalidators=tuple(_invalidator(row) for row in raw["cache"]["invalidators"]),
        variants=raw.get("variants", {}),
        models=tuple(raw.get("models", ())),
        routes=tuple(raw.get("route", ())),
        serves=tuple(raw.get("serves", ())),
        notes=tuple(raw.get("notes", ())),
        default_evidence=Evidence(raw["source"], raw["date"], raw["confidence"]),
        evidence_of={fact: Evidence(**table) for fact, table in raw.get("evidence", {}).items()},
    )


def _counters(table: Mapping[str, Any]) -> Counters:
    lists = (tuple(table.get(key, ())) for key in ("also", "metrics"))
    return Counters(tuple(table["apis"]), table["missing"], table.get("trap", ""), *lists)


def _invalidator(row: Mapping[str, Any]) -> Invalidator:
    return Invalidator(row["what"], tuple(row.get("settings", ())), tuple(row.get("drops", COMPONENTS)))


@cache
def index() -> Mapping[str, Any]:
    """The table of aliases, of model names and of defaults."""
    return _read("index")


def resolve(name: str) -> str | None:
    """The name of the data file that an engine's name or alias means, or None. Case and underscores do not matter."""
    plain = re.sub(r"[\s_]+", "-", name.strip().lower())
    plain = index()["aliases"].get(plain, plain)
    return plain if plain in _names() else None


def engine_of_model(model: str) -> str | None:
    """The engine or provider that a model's name points at, or None."""
    for row in index()["models"]:
        if matches(model, row["match"]):
            return str(row["engine"])
    return None


def matches(model: str, patterns: Iterable[str]) -> bool:
    """Does a model name fit one of the patterns? Case does not matter; "." and "_" read as "-" in both."""
    name = _normal(model)
    return any(fnmatchcase(name, _normal(pattern)) for pattern in patterns)


def _normal(text: str) -> str:
    return text.lower().replace(".", "-").replace("_", "-")


@cache
def _names() -> frozenset[str]:
    return frozenset(engine_names())


def _read(name: str) -> dict[str, Any]:
    try:
        return package_data.table(__file__, f"data/{name}.toml")
    except FileNotFoundError:
        raise KeyError(name) from None
