"""What is found once of a function or a module and asked for again and again, as long as that exists.

Syntax trees may go and come back meanwhile; what is found of them stays.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.frontends.python.modules import FunctionInfo, ModuleInfo

Found = TypeVar("Found")
Of = TypeVar("Of", "FunctionInfo", "ModuleInfo")


def once(find: Callable[[Of], Found]) -> Callable[[Of], Found]:
    """Gives what ``find`` has found at the first time. It is kept with the function or the module that it is about: a
    table of all of them would take more memory than most of what is found."""
    name = f"{find.__module__}.{find.__name__}"

    @wraps(find)
    def found(about: Of) -> Found:
        about.looked_into()
        known = about.__dict__
        try:
            out: Found = known[name]
        except KeyError:
            out = known[name] = find(about)
        return out

    return found


@lru_cache(maxsize=4096)
def same(names: frozenset[str]) -> frozenset[str]:
    """One set for all that are equal: of most functions few names are told, or none at all."""
    return names
