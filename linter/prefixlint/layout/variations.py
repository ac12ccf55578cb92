"""What differs between two requests of one template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prefixlint.model.lifetimes import Lifetime


@dataclass(frozen=True, slots=True)
class Variation:
    """A second request, seen from a first: which lifetimes have ended, and what became of a growing conversation."""

    ended: frozenset[Lifetime] = frozenset()
    conversation: Literal["same", "longer", "other"] = "same"


SAME = Variation()
"""The first request itself."""

NEXT = Variation(frozenset(life for life in Lifetime if life.varies or not life.known), "longer")
"""The request that a breakpoint is measured against: all values that can differ do, a conversation went on a turn."""


def within(scope: Lifetime) -> Variation:
    """Another request of the same ``scope``: what lives shorter has ended, and what is unknown may have.

    A conversation is another one outside a session, has grown between two turns of a session, and is the same within a
    turn.
    """
    ended = frozenset(life for life in Lifetime if scope.outlives(life) or not life.known)
    if scope.outlives(Lifetime.SESSION):
        return Variation(ended, "other")
    return Variation(ended, "longer" if scope is Lifetime.SESSION else "same")
