"""What the name of a parameter or placeholder says of its value (data: ``names.toml``).

Names are evidence, never proof: the confidence is at most ``high``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class NameMeaning:
    """What a name suggests. A neutral name has an unknown lifetime and low confidence."""

    lifetime: Lifetime = Lifetime.UNKNOWN
    kind: SourceKind = SourceKind.PARAMETER
    confidence: Confidence = Confidence.LOW
    shape: str = "text"
    grows: bool = False


NEUTRAL = NameMeaning()


@dataclass(frozen=True, slots=True)
class _Table:
    names: dict[str, NameMeaning]
    words: dict[str, NameMeaning]
    prefixes: dict[str, NameMeaning]
    containers: frozenset[str]
    telling: frozenset[str]
    about: frozenset[str]
    summaries: frozenset[str]


@cache
def _table() -> _Table:
    raw = tomllib.loads(resources.files("prefixlint.knowledge").joinpath("names.toml").read_text(encoding="utf-8"))
    names: dict[str, NameMeaning] = {}
    words: dict[str, NameMeaning] = {}
    prefixes: dict[str, NameMeaning] = {}
    for row in raw["meaning"]:
        meaning_ = NameMeaning(
            Lifetime(row["lifetime"]),
            SourceKind(row["kind"]),
            Confidence(row["confidence"]),
            row.get("shape", "text"),
            row.get("grows", False),
        )
        for key, table in (("names", names), ("words", words), ("prefixes", prefixes)):
            for entry in row.get(key, ()):
                table.setdefault(entry, meaning_)
    return _Table(
        names, words, prefixes, *(frozenset(raw[key]) for key in ("containers", "telling", "about", "summaries"))
    )


def split_words(name: str) -> tuple[str, ...]:
    """Lower-case words of an identifier in snake, kebab or camel case."""
    return tuple(word.lower() for word in _WORD.findall(name))


@lru_cache(maxsize=4096)
def meaning(name: str, *, loose: bool = True) -> NameMeaning:
    """What ``name`` (an identifier, possibly dotted or empty) suggests of its value; never raises.

    Looked up as a whole, then by its first word, then by its head: its last word that does not merely say how the value
    is packed.
    """
    table = _table()
    words = list(split_words(name.rpartition(".")[2]))
    if not words:
        return NEUTRAL
    whole = table.names.get("_".join(words))
    if whole is not None:
        return whole
    if words[0] in table.prefixes and len(words) > 1:
        return table.prefixes[words[0]]
    head = list(words)
    while len(head) > 1 and head[-1] in table.containers:
        head.pop()
        inner = table.names.get("_".join(head))
        if inner is not None:
            return inner
    if len(head) > 1 and head[-1] in table.summaries:
        subject = table.words.get(head[-2])
        if subject is not None and subject.kind is SourceKind.CONFIGURATION:
            return subject
    for word in (head[-1], words[-1]):
        found = table.words.get(word) or (table.names.get(word) if word in table.containers or len(head) == 1 else None)
        if found is not None:
            return found
    if loose and head[-1] not in table.about:
        for word in reversed(words):
            if word in table.telling:
                return table.words.get(word) or table.names.get(word) or NEUTRAL
    return NEUTRAL
