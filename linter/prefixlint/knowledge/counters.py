"""Usage counters and cache keys as source code names them (data: ``counters.toml``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from prefixlint import package_data

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class CounterNames:
    """``counters`` are fields of what an API reports, ``signs`` find in source code what else shows which API it is.

    ``cache_keys`` are parameters that divide a cache, ``new_each_time`` last names of calls whose values differ each
    time. A file without any of ``worth`` measures nothing.
    """

    counters: frozenset[str]
    signs: Mapping[str, re.Pattern[str]]
    cache_keys: frozenset[str]
    new_each_time: frozenset[str]
    worth: tuple[bytes, ...]


@cache
def counter_names() -> CounterNames:
    """The built-in table; raises ``KeyError`` or ``re.error`` on a malformed data file."""
    raw = package_data.table(__file__, "counters.toml")
    keys = [row["name"] for row in raw["cache_key"]]
    worth = [name for row in raw["counter"] if row.get("telling") for name in row["names"]]
    worth += [row["name"] for row in raw["sign"] if row.get("telling")]
    return CounterNames(
        frozenset(name for row in raw["counter"] for name in row["names"]),
        {row["name"]: re.compile(row["pattern"], re.IGNORECASE if row.get("any_case") else 0) for row in raw["sign"]},
        frozenset(keys),
        frozenset(raw["new_each_time"]["names"]),
        tuple(name.encode() for name in (*worth, *keys)),
    )
