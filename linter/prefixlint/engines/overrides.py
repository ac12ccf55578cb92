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


@dataclass(frozen=True, slots=True)
class Key:
    """``field`` is the field of ``CacheModel`` that it sets, "" for one of the target itself; ``about`` for people."""

    field: str
    read: Callable[[object], Any]
    about: str


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


def _literal(value: str) -> str:
    return f'`"{value}"`'


_STEP = "how many tokens are reused or not as a whole"

KEYS: Mapping[str, Key] = {
    "block-size": Key("granularity", _tokens(1), _STEP),
    "page-size": Key("granularity", _tokens(1), _STEP),
    "granularity": Key("granularity", _tokens(1), _STEP),
    "minimum": Key("minimum", _tokens(0), "tokens of the shortest prefix that is cached"),
    "recompute": Key("recompute", _tokens(0), "how many of the prompt's last tokens are always computed again"),
    "order": Key("order", _order, 'the order in which the engine sees `"tools"`, `"system"` and `"messages"`'),
    "lookback": Key(
        "lookback", _tokens(1), "how many blocks before a cache breakpoint are searched for an earlier entry"
    ),
    "max-breakpoints": Key("max_breakpoints", _tokens(1), "how many cache breakpoints a request can have"),
    "cache-model": Key(
        "model", _cache_model, f"{', '.join(map(_literal, get_args(CacheModelName)))}: how a common prefix is reused"
    ),
    "tokenizer": Key("", _text, "a name, or a file or folder (from the configuration file's folder on)"),
    "chat-format": Key("", _text, "the framing of messages by a name, where no chat template is given"),
    "chat-template": Key("", _text, "a file or folder with the chat template that the server renders"),
    "model": Key("", _text, "the model, where the target's name has none"),
}
"""What can be overridden."""


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
        setting = KEYS[name]
        try:
            checked = setting.read(value)
        except ValueError as error:
            raise TargetError(f"target {target!r}: {key} must be {error}, not {value!r}") from None
        if setting.field:
            cache[setting.field] = checked
        else:
            own[name.replace("-", "_")] = checked
    return Overrides(cache, **own)
