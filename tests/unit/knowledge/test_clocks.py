"""Clocks: how long a printed moment stays the same is measured by printing moments that lie close together."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from prefixlint.knowledge.clocks import ATTRIBUTES, METHODS, clock_format, iso_slice_lifetime, replace_lifetime
from prefixlint.model.lifetimes import Lifetime

NOON = datetime(2026, 3, 4, 12, 0, 0)
STEPS = [
    (Lifetime.REQUEST, timedelta(minutes=1, seconds=1, microseconds=1)),
    (Lifetime.HOUR, timedelta(hours=1)),
    (Lifetime.DAY, timedelta(days=400)),
]


def measured(show: object) -> Lifetime:
    """The shortest step after which the shown moment differs."""
    assert callable(show)
    for lifetime, step in STEPS:
        if show(NOON) != show(NOON + step):
            return lifetime
    return Lifetime.CONSTANT


@pytest.mark.parametrize("letter", "aAbBcdfHIjmMSUVwWxXyYGu")
def test_each_directive_of_python_lives_as_long_as_what_it_prints(letter: str) -> None:
    assert clock_format(f"%{letter}")[0] is measured(lambda at: at.strftime(f"%{letter}"))


@pytest.mark.parametrize(
    ("pattern", "lifetime", "shape"),
    [
        ("%Y-%m-%d", Lifetime.DAY, "date"),
        ("%A, %-d %B %Y", Lifetime.DAY, "date"),
        ("%Y-%m-%d %H h", Lifetime.HOUR, "timestamp"),
        ("%I %p", Lifetime.HOUR, "time"),
        ("%H:%M", Lifetime.REQUEST, "time"),
        ("%Y-%m-%dT%H:%M:%S%:z", Lifetime.REQUEST, "timestamp"),
        ("100 %%", Lifetime.CONSTANT, "text"),
        ("now", Lifetime.CONSTANT, "text"),
        ("%J", Lifetime.REQUEST, "timestamp"),
    ],
)
def test_patterns(pattern: str, lifetime: Lifetime, shape: str) -> None:
    assert clock_format(pattern) == (lifetime, shape)


@pytest.mark.parametrize("stop", [4, 7, 10, 11, 13, 14, 16, 19])
def test_a_cut_timestamp_lives_as_long_as_the_characters_that_are_left(stop: int) -> None:
    assert iso_slice_lifetime(stop) is measured(lambda at: at.isoformat(" ")[:stop])


def test_a_slice_without_an_end_or_from_the_back_keeps_the_seconds() -> None:
    assert iso_slice_lifetime(None) is iso_slice_lifetime(-1) is Lifetime.REQUEST


@pytest.mark.parametrize("name", sorted(set(ATTRIBUTES) - {"microsecond"}))
def test_attributes(name: str) -> None:
    assert ATTRIBUTES[name] is measured(lambda at: getattr(at, name))


@pytest.mark.parametrize("name", sorted(set(METHODS) - {"to_date_string"}))
def test_methods(name: str) -> None:
    assert METHODS[name] is measured(lambda at: getattr(at, name)())


@pytest.mark.parametrize(
    "fields", [{"hour", "minute", "second", "microsecond"}, {"minute", "second", "microsecond"}, {"second"}, set()]
)
def test_replaced_fields(fields: set[str]) -> None:
    assert replace_lifetime(frozenset(fields)) is measured(lambda at: at.replace(**dict.fromkeys(fields, 0)))
