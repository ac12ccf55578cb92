"""Facts that a configuration replaces: ``block-size = 32`` for one target."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import lcm
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
    variant: str | None = None


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


def _common(value: object) -> int:
    """The least common multiple of the block sizes of a model's groups of KV cache: hits align to it."""
    if not isinstance(value, list) or not value:
        raise ValueError("a list of block sizes")
    return lcm(*(_tokens(1)(size) for size in value))


def _seconds(value: object) -> int:
    found = re.fullmatch(r"(\d+)\s*([smhd]?)", value.strip()) if isinstance(value, str) else None
    if found:
        return int(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[found[2]]
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError('a number of seconds, or a time like "5m" or "1h"')
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
    "block-sizes": Key(
        "block",
        _common,
        "vLLM: block sizes of a hybrid model's groups of KV cache; hits align to their least multiple",
    ),
    "prefix-match-unit": Key("granularity", _tokens(1), "vLLM: `--prefix-match-unit`, to which hits align instead"),
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
    "ttl": Key("keep", _seconds, 'how long an unused prefix is kept: seconds, or `"5m"`, `"1h"`'),
    "variant": Key(
        "",
        _text,
        '`"sliding-window"` or `"recurrent"`: models of llama-server, Ollama and vLLM that resume from checkpoints',
    ),
    "window": Key("window", _tokens(0), "vLLM: tokens of the sliding window, with that variant"),
    "cache-reuse": Key(
        "chunk", _tokens(0), "llama-server: `--cache-reuse`, the least length of pieces that are shifted"
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
    if "block" in cache:
        cache.setdefault("granularity", cache["block"])
    return Overrides(cache, **own)
