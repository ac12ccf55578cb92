"""Content parts that are no text (data: ``attachments.toml``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from prefixlint import package_data


@dataclass(frozen=True, slots=True)
class Attachments:
    """``types`` are values of a part's ``type``, ``keys`` those that stand in place of one, ``pictures`` words of names
    that are those of pictures."""

    types: frozenset[str]
    keys: frozenset[str]
    pictures: frozenset[str]


@cache
def attachments() -> Attachments:
    """The built-in table; raises ``KeyError`` or ``ValueError`` on a malformed data file."""
    raw = package_data.table(__file__, "attachments.toml")
    return Attachments(frozenset(raw["types"]), frozenset(raw["keys"]), frozenset(raw["pictures"]))
