"""How long a formatted moment stays the same: as long as the finest unit that its format shows."""

from __future__ import annotations

import re

from prefixlint.model.lifetimes import Lifetime

_DIRECTIVE = re.compile(r"%[-#:]?([A-Za-z%])")
_FINE = frozenset("MSfsTRrcXN")
_HOUR = frozenset("HIpkl")
_DAY = frozenset("dejuwaADFxUVWGgybBmYCh")


def clock_lifetime(format_: str) -> tuple[Lifetime, str]:
    """Lifetime and shape of a moment shown through the strftime format ``format_``.

    Minutes and finer are ``request``, hours ``hour``, the rest ``day``; an unreadable format counts as ``request``.
    """
    letters = {letter for letter in _DIRECTIVE.findall(format_) if letter != "%"}
    if letters & _FINE:
        return Lifetime.REQUEST, ("timestamp" if letters & _DAY else "time")
    if letters & _HOUR:
        return Lifetime.HOUR, ("timestamp" if letters & _DAY else "time")
    if letters & _DAY:
        return Lifetime.DAY, "date"
    return (Lifetime.REQUEST, "timestamp") if letters else (Lifetime.CONSTANT, "text")
