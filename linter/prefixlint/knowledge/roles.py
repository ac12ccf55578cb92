"""Words and classes that say who speaks in a message (data: ``roles.toml``)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from prefixlint import package_data

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    return package_data.table(__file__, "roles.toml")


def role_words() -> Mapping[str, str]:
    """Words for roles, and the role each stands for: "history" for one that holds a place for messages."""
    words: Mapping[str, str] = _tables()["words"]
    return words


def begins_pair(word: object) -> bool:
    """Whether a pair that begins with this word is a message."""
    return word in _tables()["pairs"]["words"]


def role_of_class(name: str) -> str:
    """The role of messages of a class; "" of a class that is not known."""
    return next((role for start, role in _tables()["classes"].items() if name.startswith(start)), "")


def standard_role(word: str) -> str:
    """The role that a word stands for: the word itself where it is not known."""
    return role_words().get(word, word)


@cache
def names_of(*roles: str) -> frozenset[str]:
    """Words and classes that stand for one of these roles."""
    named = (*role_words().items(), *_tables()["classes"].items())
    return frozenset(name for name, role in named if role in roles)
