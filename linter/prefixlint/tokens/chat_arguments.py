"""What engines hand to a chat template by name: a data table, ``chat_arguments.toml``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from prefixlint import package_data

if TYPE_CHECKING:
    from datetime import datetime


def chat_arguments(engine: str, now: datetime) -> dict[str, str]:
    """The arguments of ``engine`` at the time ``now``; none for an engine that the table lacks."""
    return {name: now.strftime(str(form)) for name, form in _table().get(engine, {}).items()}


def keep_reasoning() -> tuple[tuple[str, bool], ...]:
    """Arguments by which some templates keep the reasoning of earlier answers, with the value that does it."""
    return tuple((name, bool(value)) for name, value in _table()["keep-reasoning"].items())


@cache
def _table() -> dict[str, dict[str, str | bool]]:
    table = package_data.table(__file__, "chat_arguments.toml")
    return {
        engine: {name: value for name, value in entry.items() if name not in ("source", "date")}
        for engine, entry in table.items()
    }
