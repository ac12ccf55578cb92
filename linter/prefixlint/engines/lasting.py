"""How long a cached prefix lasts against how long a value stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    from prefixlint.model.targets import CacheModel

PERIODS: Final = {Lifetime.DAY: 86_400, Lifetime.HOUR: 3_600}
"""Seconds between two changes of a value with this lifetime."""


def outlasts(lifetime: Lifetime, cache: CacheModel) -> bool:
    """Does a value stay the same for longer than an unused prefix is kept?

    A date that changes once a day does not matter to a cache that forgets after five minutes without a request. A cache
    without a known limit is never outlasted, nor one that is kept longer than the value.
    """
    return cache.keep is not None and PERIODS.get(lifetime, 0) > cache.keep
