"""Usage counters: the one place that knows what each API's fields mean. The fields are data, ``usage.toml``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import TYPE_CHECKING, Any

from prefixlint import package_data
from prefixlint.wire.paths import at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Usage:
    """What one response says of its prompt; None is unknown, which is not 0.

    ``total`` counts all tokens of the prompt, ``cached`` those reused, ``computed`` those computed for this request
    (``total - cached``), ``written`` those stored anew. ``seconds`` is the time that computing took. ``note`` says why
    ``cached`` is unknown and how to get it.
    """

    api: str
    total: int | None = None
    cached: int | None = None
    computed: int | None = None
    written: int | None = None
    seconds: float | None = None
    note: str = ""

    @property
    def rate(self) -> float | None:
        """Computed tokens a second. None where either is unknown, and where all was cached: then there is no rate."""
        if not self.computed or not self.seconds or self.seconds <= 0:
            return None
        return self.computed / self.seconds


@dataclass(frozen=True, slots=True)
class Api:
    """An entry of the table; see there."""

    name: str
    needs: tuple[str, ...]
    total: tuple[str, ...]
    cached: tuple[str, ...]
    missing: str
    computed: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    duration: str = ""
    unit: float = 1.0


@cache
def apis() -> tuple[Api, ...]:
    """The table, in the order in which entries are tried."""
    table = package_data.table(__file__, "usage.toml")
    return tuple(
        Api(
            name=entry["name"],
            needs=tuple(entry["needs"]),
            total=tuple(entry["total"]),
            cached=tuple(entry["cached"]),
            missing=entry["missing"],
            computed=tuple(entry.get("computed", ())),
            written=tuple(entry.get("written", ())),
            duration=entry.get("duration", ""),
            unit=entry.get("unit", 1.0),
        )
        for entry in table["api"]
    )


def usage_of(response: Mapping[str, Any], api: str | None = None) -> Usage | None:
    """The usage that a response reports, or None for one that reports none.

    ``api`` names an entry of the table where the caller knows which it is; else the fields tell.
    """
    for entry in apis():
        if api in (None, entry.name) and all(_has(response, need) for need in entry.needs):
            return _read(entry, response)
    return None


def _read(entry: Api, response: Mapping[str, Any]) -> Usage:
    total = _first(response, entry.total)
    cached = _first(response, entry.cached)
    computed = _first(response, entry.computed)
    if computed is None and total is not None and cached is not None:
        computed = max(0, total - cached)
    time = _number(response, entry.duration) if entry.duration else None
    return Usage(
        api=entry.name,
        total=total,
        cached=cached,
        computed=computed,
        written=_first(response, entry.written),
        seconds=None if time is None else time * entry.unit,
        note=entry.missing if cached is None else "",
    )


def of_stream(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """One response out of the events of a stream: what each says of usage, a later one over an earlier one.

    Takes the events of server-sent streams (OpenAI, Anthropic, llama-server) and the lines of Ollama's.
    """
    out: dict[str, Any] = {}
    for event in events:
        for holder in (event, event.get("message"), event.get("response")):
            if isinstance(holder, dict):
                _merge(out, {key: value for key, value in holder.items() if key in _KEPT or key.startswith("prompt_")})
    return out


_KEPT = ("usage", "timings", "usageMetadata", "meta_info", "error")


def _merge(into: dict[str, Any], new: Mapping[str, Any]) -> None:
    for key, value in new.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        elif value is not None:
            into[key] = dict(value) if isinstance(value, dict) else value


def events_of(text: str) -> list[dict[str, Any]]:
    """The JSON objects of a stream's text: ``data:`` lines of server-sent events, or one object a line.

    Raises ``ValueError`` for a line that should be JSON and is not.
    """
    out = []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("data:"):
            line = line[5:].strip()
        elif not line.startswith("{"):
            continue
        if not line or line == "[DONE]":
            continue
        value = json.loads(line)
        if isinstance(value, dict):
            out.append(value)
    return out


def _has(response: Mapping[str, Any], need: str) -> bool:
    return any(at(response, path) is not None for path in need.split("|"))


def _first(response: Mapping[str, Any], paths: Sequence[str]) -> int | None:
    for path in paths:
        terms = [_number(response, term) for term in path.split(" + ")]
        found = [int(term) for term in terms if term is not None]
        if len(found) == len(terms):
            return sum(found)
    return None


def _number(response: Mapping[str, Any], path: str) -> float | int | None:
    value = at(response, path)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < inf:
        return None
    return value
