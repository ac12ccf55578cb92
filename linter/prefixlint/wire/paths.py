"""Paths into JSON values."""

from __future__ import annotations

from typing import Any


def at(value: Any, path: str) -> Any:
    """What stands at ``path`` ("usage.prompt_tokens"), each name a key of an object; None where there is nothing."""
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value
