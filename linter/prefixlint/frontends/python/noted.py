"""Facts of functions and classes that are found once, and noted each time somebody asks for them.

An earlier run's results rest on what was asked. Two questions are told apart: what a body holds, and what a definition
tells of itself. The latter often has the same answer when the body has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

Fact = TypeVar("Fact")
LOOKED_AT = "looked at"
"""Under what an instance keeps the number of the notes in which it stands that somebody looked into its body."""


MARKS = {LOOKED_AT}
"""All such names: what is kept under them is of use for a while only."""


class _Noted(Generic[Fact]):
    """A property that is found once. Then it is in the instance's dictionary, as a cached property is."""

    def __init__(self, find: Callable[[Any], Fact]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self._asked_at = f"{name} asked at"
        MARKS.add(self._asked_at)

    def __set__(self, info: object, value: Fact) -> NoReturn:
        raise AttributeError(self._name)


class of_body(_Noted[Fact]):
    """What holds parts of a function's body, or tells of all that is in it."""

    @overload
    def __get__(self, info: None, owner: type) -> Self: ...
    @overload
    def __get__(self, info: object, owner: type) -> Fact: ...
    def __get__(self, info: Any, owner: type) -> Self | Fact:
        if info is None:
            return self
        known: dict[str, Any] = info.__dict__
        if known.get(LOOKED_AT) != info.module.trace.at:
            info.looked_into()
        try:
            found: Fact = known[self._name]
        except KeyError:
            found = known[self._name] = self._find(info)
        return found


class told(_Noted[Fact]):
    """What a definition tells of itself, as a plain value."""

    @overload
    def __get__(self, info: None, owner: type) -> Self: ...
    @overload
    def __get__(self, info: object, owner: type) -> Fact: ...
    def __get__(self, info: Any, owner: type) -> Self | Fact:
        if info is None:
            return self
        known: dict[str, Any] = info.__dict__
        trace = info.module.trace
        if known.get(self._asked_at) != trace.at:
            if self._name not in known:
                with trace.apart():
                    known[self._name] = self._find(info)
            trace.note(("told", *info.place, self._name))
            known[self._asked_at] = trace.at
        found: Fact = known[self._name]
        return found
