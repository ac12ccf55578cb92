"""What engines hand to a chat template by name: a data table, ``chat_arguments.toml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

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
    import tomllib

    table = tomllib.loads(Path(__file__).with_name("chat_arguments.toml").read_text(encoding="utf-8"))
    return {
        engine: {name: value for name, value in entry.items() if name not in ("source", "date")}
        for engine, entry in table.items()
    }
