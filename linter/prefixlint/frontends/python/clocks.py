"""Lifetime of a clock value by what of it is printed.

Directives: Python documentation, "strftime() and strptime() Format Codes" (read 2026-11).
"""

from __future__ import annotations

import re

from prefixlint.model.lifetimes import Lifetime

_DIRECTIVE = re.compile(r"%[-#0^_]?(:?[A-Za-z%])")
_REQUEST = frozenset("SfMscXTRrLNQ+")
_HOUR = frozenset("HIklp")


def format_lifetime(pattern: str) -> Lifetime:
    """Lifetime of a clock printed with this strftime pattern.

    Minutes or finer give ``request``, hours ``hour``, the rest ``day``. A pattern without directives prints no clock:
    ``constant``.
    """
    letters = {letter[-1] for letter in _DIRECTIVE.findall(pattern)} - {"%"}
    if not letters:
        return Lifetime.CONSTANT
    if letters & _REQUEST:
        return Lifetime.REQUEST
    return Lifetime.HOUR if letters & _HOUR else Lifetime.DAY


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
