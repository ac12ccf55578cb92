"""What the name of a parameter or placeholder says of its value (data: ``names.toml``).

Names are evidence, never proof: the confidence is at most ``high``.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from prefixlint import package_data
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_PATTERN = re.compile(r"(?:\*_)?[A-Za-z_][A-Za-z0-9_-]*|[A-Za-z_][A-Za-z0-9_-]*_\*")
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
    belonging: frozenset[str]
    ordinals: frozenset[str]
    per_run: frozenset[str]
    gatherings: frozenset[str]
    described: frozenset[str]
    listing: frozenset[str]
    short: frozenset[str]
    formal: frozenset[str]
    carriers: frozenset[str]
    of_owner: frozenset[str]
    outcomes: frozenset[str]
    of_outcomes: frozenset[str]


@dataclass(frozen=True, slots=True)
class ExpressionWords:
    """Lower-case words by which expressions are judged; the data file says how."""

    amounts: frozenset[str]
    limits: frozenset[str]
    tries: frozenset[str]
    samples: frozenset[str]
    tools_gave: frozenset[str]
    holders: frozenset[str]
    long: frozenset[str]
    asked: frozenset[str]
    prompt_keys: frozenset[str]
    packing_keys: frozenset[str]
    states: frozenset[str]
    settings: frozenset[str]
    constants: frozenset[str]
    marks: frozenset[str]


@cache
def expression_words() -> ExpressionWords:
    """The built-in lists; raises ``TypeError`` on a malformed data file."""
    return ExpressionWords(**{name: frozenset(words) for name, words in _raw()["expressions"].items()})


@cache
def _raw() -> dict[str, Any]:
    return package_data.table(__file__, "names.toml")


@cache
def _table() -> _Table:
    raw = _raw()
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
    keys = (
        "containers",
        "telling",
        "about",
        "summaries",
        "belonging",
        "ordinals",
        "per_run",
        "gatherings",
        "described",
        "listing",
        "short",
        "formal",
        "carriers",
        "of_owner",
        "outcomes",
        "of_outcomes",
    )
    return _Table(names, words, prefixes, *(frozenset(raw[key]) for key in keys))


@lru_cache(maxsize=16_384)
def split_words(name: str) -> tuple[str, ...]:
    """Lower-case words of an identifier in snake, kebab or camel case."""
    return tuple(word.lower() for word in _WORD.findall(name))


def is_pattern(text: str) -> bool:
    """Whether ``added`` can take this: a name, a beginning ``first_*`` or an end ``*_last``."""
    return _PATTERN.fullmatch(text) is not None and bool(split_words(text))


@dataclass(frozen=True, slots=True)
class _Added:
    """Meanings that a project gives: of whole names, of beginnings and of ends, each of words joined by ``_``."""

    whole: Mapping[str, NameMeaning]
    beginnings: Mapping[str, NameMeaning]
    ends: Mapping[str, NameMeaning]

    def find(self, words: tuple[str, ...]) -> NameMeaning | None:
        """Of the whole name, else of its longest beginning or end; then the same without the containers at its end."""
        while words:
            name = "_".join(words)
            found = self.whole.get(name)
            if found is not None:
                return found
            fitting = [(key, means) for key, means in self.beginnings.items() if name.startswith(f"{key}_")]
            fitting += [(key, means) for key, means in self.ends.items() if name.endswith(f"_{key}")]
            if fitting:
                return max(fitting, key=lambda pair: len(pair[0]))[1]
            if words[-1] not in _table().containers:
                return None
            words = words[:-1]
        return None


def _judge(added: _Added | None) -> Callable[[str, bool], NameMeaning]:
    """A judge of names, with what it has judged kept as long as the judge itself."""

    @lru_cache(maxsize=4096)
    def judge(name: str, loose: bool) -> NameMeaning:
        words = split_words(name.rpartition(".")[2])
        if not words:
            return NEUTRAL
        return (added.find(words) if added is not None else None) or _built_in(words, loose)

    return judge


_without_added = _judge(None)
_judging: ContextVar[Callable[[str, bool], NameMeaning]] = ContextVar("names", default=_without_added)


@contextmanager
def added(meanings: Mapping[str, NameMeaning]) -> Iterator[None]:
    """Until it is left, ``meaning`` takes these before all others, in this context alone.

    Keys are names in any case style, ``first_*`` for all that begin so, ``*_last`` for all that end so.
    """
    tables: tuple[dict[str, NameMeaning], ...] = ({}, {}, {})
    for pattern, means in meanings.items():
        table = tables[1 if pattern.endswith("_*") else 2 if pattern.startswith("*_") else 0]
        table["_".join(split_words(pattern))] = means
    token = _judging.set(_judge(_Added(*tables)))
    try:
        yield
    finally:
        _judging.reset(token)


def meaning(name: str, *, loose: bool = True) -> NameMeaning:
    """What ``name`` (an identifier, possibly dotted or empty) suggests of its value; never raises.

    What the project gave (``added``) comes first. The table is asked for the name as a whole, then for its first word,
    then for its head: its last word that does not merely say how the value is packed.
    """
    return _judging.get()(name, loose)


@lru_cache(maxsize=4096)
def whole_name(name: str) -> NameMeaning | None:
    """What the table says of exactly this name, or None."""
    return _table().names.get("_".join(split_words(name)))


def is_per_run(key: str) -> bool:
    """Whether this key of a configuration holds what each run is given, so that only the keys below it tell more."""
    return key in _table().per_run


def carries(owner: str, name: str) -> bool:
    """Whether an owner whose name means retrieved text seems to carry what a run needs, by the name of an attribute."""
    return owner in _table().carriers and not _table().about.isdisjoint(split_words(name)[-1:])


def describes_owner(name: str) -> bool:
    """Whether an attribute of this name seems to tell what the object that keeps it is, and nothing of its input."""
    *stem, last = split_words(name)
    return last in _table().of_owner and not (stem and meaning("_".join(stem)).lifetime.varies)


def _built_in(words: tuple[str, ...], loose: bool) -> NameMeaning:
    table = _table()
    whole = table.names.get("_".join(words))
    if whole is not None:
        return whole
    *stem, last = words
    if stem and (last.isdecimal() or last in table.ordinals):
        return _built_in(tuple(stem), loose)
    outcome = words[0] in table.outcomes and last in table.of_outcomes
    if words[0] in table.prefixes and len(words) > 1 and not outcome:
        if last in table.formal:
            return table.words[last]
        prefixed = table.prefixes[words[0]]
        return replace(prefixed, shape=_built_in(words[1:], loose).shape) if words[0] in table.listing else prefixed
    head = list(words)
    while len(head) > 1 and head[-1] in table.containers:
        head.pop()
        inner = table.names.get("_".join(head))
        if inner is not None:
            return inner
    if len(head) > 1 and head[-1] in table.summaries:
        plural = head[-2] if head[-2].endswith("s") else f"{head[-2]}s"
        subject = table.words.get(plural if head[-2] in table.described else head[-2])
        if subject is not None and subject.kind is SourceKind.CONFIGURATION:
            several = plural == head[-2] or head[-1].endswith("s")
            return replace(subject, shape=table.words.get(plural, subject).shape if several else "text")
    if len(head) > 1 and head[-1] in table.belonging:
        subject = _built_in(tuple(head[:-1]), loose)
        if subject.lifetime.known:
            return replace(subject, shape="text", grows=False)
    if len(head) > 1 and head[-1] in table.gatherings:
        gathered = _built_in(tuple(head[:-1]), loose)
        if gathered.kind is SourceKind.HISTORY:
            return gathered
    if len(head) > 2:
        of_id = table.names.get("_".join(head[-2:]))
        if of_id is not None and of_id.kind is SourceKind.ID:
            return of_id
    found = table.words.get(head[-1]) or (table.names.get(head[-1]) if len(head) == 1 else None)
    if found is not None:
        return replace(found, shape="text") if found.shape == "catalogue" and last in table.short else found
    if loose and head[-1] not in table.about:
        for word in reversed(words):
            if word in table.telling:
                return table.words.get(word) or table.names.get(word) or NEUTRAL
    return NEUTRAL
