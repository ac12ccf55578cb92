"""What is found once of a function or a module and asked for again and again, as long as that exists.

Syntax trees may go and come back meanwhile; what is found of them stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from weakref import WeakKeyDictionary

    from prefixlint.frontends.python.modules import FunctionInfo, ModuleInfo

Found = TypeVar("Found")
Of = TypeVar("Of", "FunctionInfo", "ModuleInfo")


def once(known: WeakKeyDictionary[Of, Found], about: Of, find: Callable[[Of], Found]) -> Found:
    """What ``find`` gives for a function or a module, found at the first time and remembered in ``known``."""
    about.looked_into()
    if about not in known:
        known[about] = find(about)
    return known[about]
