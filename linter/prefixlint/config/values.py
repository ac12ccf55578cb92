"""Readers for values of the configuration: each takes ``file: key`` and the value, and says what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from prefixlint.config.model import ConfigError, did_you_mean
from prefixlint.discover import globs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import Enum

    E = TypeVar("E", bound=Enum)

_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "a table",
}


def kind_of(value: object) -> str:
    """What sort of TOML value it is, with its article."""
    return _KINDS.get(type(value), "a date or time")


def strings(where: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        for item in value:
            if not isinstance(item, str) or not item:
                raise ConfigError(f"{where} must be a list of strings, but holds {item!r}")
        return tuple(value)
    raise ConfigError(f"{where} must be a list of strings, not {kind_of(value)}")


def glob_patterns(where: str, value: object) -> tuple[str, ...]:
    patterns = strings(where, value)
    for pattern in patterns:
        if not globs.valid(pattern):
            raise ConfigError(f"{where}: {pattern!r} is not a valid glob")
    return patterns


def boolean(where: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ConfigError(f"{where} must be true or false, not {kind_of(value)}")


def count(where: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        if value >= 0:
            return value
        raise ConfigError(f"{where} must not be negative")
    raise ConfigError(f"{where} must be a whole number, not {kind_of(value)}")


def word(where: str, value: object, known: tuple[str, ...]) -> str:
    """One of the known words."""
    if isinstance(value, str) and value in known:
        return value
    near = did_you_mean(value, known) if isinstance(value, str) else ""
    raise ConfigError(f"{where} must be one of {', '.join(known)}, not {value!r}{near}")


def member(where: str, value: object, enum: type[E]) -> E:
    """The member of ``enum`` with this value."""
    return enum(word(where, value, tuple(item.value for item in enum)))


def table(where: str, value: object) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise ConfigError(f"{where} must be a table, not {kind_of(value)}")


def tables(where: str, value: object) -> Mapping[str, Mapping[str, object]]:
    return {name: table(f"{where}.{name}", inner) for name, inner in table(where, value).items()}
