"""Facts of functions and classes that are found once, and noted each time somebody asks for them.

An earlier run's results rest on what was asked. Two questions are told apart: what a body holds, and what a definition
tells of itself. The latter often has the same answer when the body has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

Fact = TypeVar("Fact")


class _Noted(Generic[Fact]):
    """A property that is found once. Then it is in the instance's dictionary, as a cached property is."""

    def __init__(self, find: Callable[[Any], Fact]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

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
        info.looked_into()
        known: dict[str, Fact] = info.__dict__
        if self._name not in known:
            known[self._name] = self._find(info)
        return known[self._name]


class told(_Noted[Fact]):
    """What a definition tells of itself, as a plain value."""

    @overload
    def __get__(self, info: None, owner: type) -> Self: ...
    @overload
    def __get__(self, info: object, owner: type) -> Fact: ...
    def __get__(self, info: Any, owner: type) -> Self | Fact:
        if info is None:
            return self
        known: dict[str, Fact] = info.__dict__
        trace = info.module.trace
        if self._name not in known:
            with trace.apart():
                known[self._name] = self._find(info)
        trace.note(("told", *info.place, self._name))
        return known[self._name]
