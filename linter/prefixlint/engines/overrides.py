"""Facts that a configuration replaces: ``block-size = 32`` for one target."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args

from prefixlint.model.targets import CacheModelName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class TargetError(ValueError):
    """A target, or an override of one, that cannot be used: the message says what and the way out."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """Checked overrides. ``cache`` are fields of ``CacheModel`` by their name."""

    cache: dict[str, Any] = field(default_factory=dict)
    tokenizer: str | None = None
    chat_format: str | None = None
    chat_template: str | None = None
    model: str | None = None


def _tokens(least: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"a whole number of at least {least}")
        return value

    return read


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text")
    return value


def _cache_model(value: object) -> str:
    if value not in get_args(CacheModelName):
        raise ValueError(f"one of {', '.join(get_args(CacheModelName))}")
    return str(value)


def _order(value: object) -> tuple[str, ...]:
    parts = tuple(value) if isinstance(value, list | tuple) else ()
    if sorted(map(str, parts)) != ["messages", "system", "tools"]:
        raise ValueError('a list of "tools", "system" and "messages"')
    return parts


KEYS: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "block-size": ("granularity", _tokens(1)),
    "page-size": ("granularity", _tokens(1)),
    "granularity": ("granularity", _tokens(1)),
    "minimum": ("minimum", _tokens(0)),
    "recompute": ("recompute", _tokens(0)),
    "order": ("order", _order),
    "lookback": ("lookback", _tokens(1)),
    "max-breakpoints": ("max_breakpoints", _tokens(1)),
    "cache-model": ("model", _cache_model),
    "tokenizer": ("", _text),
    "chat-format": ("", _text),
    "chat-template": ("", _text),
    "model": ("", _text),
}
"""What can be overridden, with the field of ``CacheModel`` that it sets ("" for a field of the target itself)."""


def read_overrides(target: str, overrides: Mapping[str, object]) -> Overrides:
    """Checked ``overrides`` of the target that the user calls ``target``. Raises ``TargetError``."""
    cache: dict[str, Any] = {}
    own: dict[str, str] = {}
    for key, value in overrides.items():
        name = key.replace("_", "-")
        if name not in KEYS:
            near = get_close_matches(name, KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(KEYS)}"
            raise TargetError(f"target {target!r} has no setting {key!r}: {hint}")
        field_name, read = KEYS[name]
        try:
            checked = read(value)
        except ValueError as error:
            raise TargetError(f"target {target!r}: {key} must be {error}, not {value!r}") from None
        if field_name:
            cache[field_name] = checked
        else:
            own[name.replace("-", "_")] = checked
    return Overrides(cache, **own)
