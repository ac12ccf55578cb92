"""What questions about all functions of a run ask of each of them, found before the syntax tree of its module goes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

from prefixlint.frontends.python.handlers import registrations
from prefixlint.frontends.python.interest import constants, settle_interest
from prefixlint.frontends.python.unsent import counts_tokens

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import ModuleInfo

_SETTLED: WeakSet[ModuleInfo] = WeakSet()


def settle(module: ModuleInfo) -> None:
    """Finds it once for a module."""
    if module in _SETTLED:
        return
    _SETTLED.add(module)
    constants(module)
    registrations(module)
    for info in module.functions:
        settle_interest(info)
        _ = info.parameters, info.decorators, info.method_decorators, info.size
        _ = info.shortens and info.cuts_conversation
        _ = info.given_messages
        counts_tokens(info)
    for owner in module.classes.values():
        _ = owner.base_names, owner.is_abstract
