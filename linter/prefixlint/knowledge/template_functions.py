"""Functions, methods and filters of Jinja templates (data: ``template_functions.toml``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from prefixlint import package_data
from prefixlint.knowledge.names import NameMeaning
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class TemplateFunctions:
    """``calls`` gives what a call's value is, ``shapes`` what a filter makes of a value; the rest are sets of names."""

    calls: Mapping[str, NameMeaning]
    shapes: Mapping[str, str]
    owners: frozenset[str]
    formatters: frozenset[str]
    random_filters: frozenset[str]
    windows: frozenset[str]
    moves: frozenset[str]
    ends: frozenset[str]


@cache
def template_functions() -> TemplateFunctions:
    """The built-in table; raises ``KeyError``, ``TypeError`` or ``ValueError`` on a malformed data file."""
    raw = package_data.table(__file__, "template_functions.toml")
    calls = {
        name: NameMeaning(Lifetime(row["lifetime"]), SourceKind(row["kind"]), Confidence.HIGH, row["shape"])
        for row in raw["call"]
        for name in row["names"]
    }
    return TemplateFunctions(calls, raw["shapes"], **{name: frozenset(names) for name, names in raw["names"].items()})
