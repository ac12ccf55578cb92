"""What a client can set: initialization options, or the section ``prefixlint`` of its settings."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

SECTION = "prefixlint"
Hints = Literal["values", "lines", "off"]


@dataclass(frozen=True, slots=True)
class Settings:
    """``target`` and ``config`` are those of the command line and stand over the configuration file's.

    ``show_info`` shows infos too; None leaves that to the configuration. ``inlay_hints``: the running token count at
    the beginning of each part of a prompt ("values"), of each line of it too ("lines"), or nowhere. ``debounce`` is how
    many milliseconds of quiet precede an analysis.
    """

    target: tuple[str, ...] = ()
    config: str = ""
    show_info: bool | None = None
    inlay_hints: Hints = "values"
    code_lens: bool = True
    debounce: int = 250


def settings_of(value: object) -> tuple[Settings, tuple[str, ...]]:
    """The settings in what a client sends (names in camelCase), and what is wrong with them.

    A value that cannot be used leaves the default, and a name that is not known is told: it may be misspelt.
    """
    if isinstance(value, dict) and isinstance(value.get(SECTION), dict):
        value = value[SECTION]
    if value is None:
        return Settings(), ()
    if not isinstance(value, dict):
        return Settings(), (f"settings must be an object, not {type(value).__name__}",)
    known = {_camel(field.name): field.name for field in fields(Settings)}
    given: dict[str, Any] = {}
    wrong = []
    for name, each in _told(value).items():
        if name not in known:
            wrong.append(f"unknown setting {name!r}; there are {', '.join(known)}")
            continue
        try:
            given[known[name]] = _READERS[known[name]](each)
        except ValueError as error:
            wrong.append(f"setting {name!r} must be {error}")
    return replace(Settings(), **given), tuple(wrong)


def _told(value: Mapping[str, object]) -> dict[str, object]:
    """The settings that say something; what a client passes on for itself (``path``, ``trace``) is none of ours."""
    own = ("path", "trace", "enable", "arguments")
    return {name: each for name, each in value.items() if each is not None and name.partition(".")[0] not in own}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _targets(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise ValueError("a list of strings")


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ValueError("a string")


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError("true or false")


def _hints(value: object) -> str:
    if value in get_args(Hints):
        return str(value)
    raise ValueError(f"one of {', '.join(get_args(Hints))}")


def _milliseconds(value: object) -> int:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 60_000:
        return int(value)
    raise ValueError("a number of milliseconds up to 60,000")


_READERS = {
    "target": _targets,
    "config": _text,
    "show_info": _flag,
    "inlay_hints": _hints,
    "code_lens": _flag,
    "debounce": _milliseconds,
}
