"""How long a clock value stays the same, by what of it is shown: as long as its finest unit.

Directives: Python documentation, "strftime() and strptime() Format Codes"; date(1) of GNU coreutils and Ruby's ``Time``
for those that other template languages add. Read 2026-11.
"""

from __future__ import annotations

import re

from prefixlint.model.lifetimes import Lifetime

_DIRECTIVE = re.compile(r"%[-#0^_]?:*([A-Za-z%])")
_FINE = frozenset("MSfscXTRrLNQ")
_HOUR = frozenset("HIklpP")
_DAY = frozenset("aAbBCdDeEFgGhjmOuUvVwWxyYzZ")


def clock_format(pattern: str) -> tuple[Lifetime, str]:
    """Lifetime and shape of a moment printed with this strftime pattern.

    Minutes or finer give ``request``, hours ``hour``, the rest ``day``; directives that nobody knows count as
    ``request``. A pattern without directives prints no clock: ``constant``. The shape is one of the model's ``SHAPES``.
    """
    letters = set(_DIRECTIVE.findall(pattern)) - {"%"}
    if not letters:
        return Lifetime.CONSTANT, "text"
    shape = "timestamp" if letters & _DAY else "time"
    if letters & _FINE:
        return Lifetime.REQUEST, shape
    if letters & _HOUR:
        return Lifetime.HOUR, shape
    return (Lifetime.DAY, "date") if letters & _DAY else (Lifetime.REQUEST, "timestamp")


def iso_slice_lifetime(stop: int | None) -> Lifetime:
    """Lifetime of the first ``stop`` characters of ``2026-11-29 21:31:38``: 10 hold the date, 13 the hour."""
    if stop is None or stop < 0 or stop > 14:
        return Lifetime.REQUEST
    return Lifetime.DAY if stop <= 11 else Lifetime.HOUR


# What of a datetime an attribute or a method keeps.
ATTRIBUTES = {
    **dict.fromkeys(("year", "month", "day"), Lifetime.DAY),
    "hour": Lifetime.HOUR,
    **dict.fromkeys(("minute", "second", "microsecond"), Lifetime.REQUEST),
}
METHODS = {
    **dict.fromkeys(("date", "weekday", "isoweekday", "isocalendar", "toordinal", "to_date_string"), Lifetime.DAY),
    **dict.fromkeys(
        ("isoformat", "timestamp", "ctime", "time", "timetz", "timetuple", "utctimetuple", "astimezone"),
        Lifetime.REQUEST,
    ),
}


def replace_lifetime(fields: frozenset[str]) -> Lifetime:
    """Lifetime of ``now.replace(...)`` where these fields are set to constants."""
    if {"hour", "minute", "second"} <= fields:
        return Lifetime.DAY
    return Lifetime.HOUR if {"minute", "second"} <= fields else Lifetime.REQUEST
