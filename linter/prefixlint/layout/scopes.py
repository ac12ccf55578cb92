"""How many tokens the requests of one process, day, user, session or turn share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.layout.variations import Variation, within
from prefixlint.model.layouts import SharedPrefix
from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    from collections.abc import Callable

SCOPES = (Lifetime.PROCESS, Lifetime.DAY, Lifetime.USER, Lifetime.SESSION, Lifetime.TURN)


def shared_prefixes(shared: Callable[[Variation], int]) -> tuple[SharedPrefix, ...]:
    """The shared prefix of each of ``SCOPES``; ``shared`` gives the tokens in common with a second request.

    All requests of one scope share everything up to the first value that lives shorter than the scope (``user``: up to
    the first session, turn or request value) or whose lifetime is unknown. A process serves everybody. A conversation
    belongs to a session: outside of it it is another one from its start, between two turns of it it ends later. A
    narrower scope never shares less: its requests are among those of the wider one.
    """
    out: list[SharedPrefix] = []
    least = 0
    for scope in SCOPES:
        least = max(least, shared(within(scope)))
        out.append(SharedPrefix(scope, least))
    return tuple(out)
