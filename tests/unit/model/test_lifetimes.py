"""The order of lifetimes, and the lifetime of something made of parts."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind, shortest
from prefixlint.model.sources import Position, Span

ORDER = ["constant", "deployment", "process", "day", "hour", "user", "session", "turn", "request"]
KNOWN = [Lifetime(name) for name in ORDER]
ANY = st.lists(st.sampled_from(list(Lifetime)), max_size=6)


def test_order() -> None:
    """As DESIGN says it: a constant lasts longest, a request shortest, unknown stands apart."""
    assert [lifetime.value for lifetime in sorted(KNOWN, key=lambda lifetime: -lifetime.rank)] == ORDER
    assert {lifetime.value for lifetime in Lifetime} == {*ORDER, "unknown"}
    for left, right in product(KNOWN, KNOWN):
        assert left.outlives(right) == (ORDER.index(left.value) < ORDER.index(right.value))


@pytest.mark.parametrize("lifetime", list(Lifetime))
def test_unknown_takes_no_part_in_the_order(lifetime: Lifetime) -> None:
    assert not Lifetime.UNKNOWN.outlives(lifetime)
    assert not lifetime.outlives(Lifetime.UNKNOWN)


def test_what_varies_between_requests_of_one_program() -> None:
    assert [name for name in ORDER if Lifetime(name).varies] == ["user", "session", "turn", "request"]
    assert not Lifetime.UNKNOWN.varies
    assert not Lifetime.UNKNOWN.known


def test_shortest_by_hand() -> None:
    assert shortest([]) is Lifetime.CONSTANT
    assert shortest([Lifetime.DAY, Lifetime.PROCESS]) is Lifetime.DAY
    assert shortest([Lifetime.DAY, Lifetime.UNKNOWN]) is Lifetime.UNKNOWN
    assert shortest([Lifetime.USER, Lifetime.UNKNOWN]) is Lifetime.USER
    assert shortest([Lifetime.UNKNOWN, Lifetime.CONSTANT, Lifetime.REQUEST]) is Lifetime.REQUEST


@given(ANY)
def test_shortest_never_outlives_a_part(parts: list[Lifetime]) -> None:
    whole = shortest(parts)
    assert not any(whole.outlives(part) for part in parts)
    if Lifetime.UNKNOWN not in parts:
        assert whole in {*parts, Lifetime.CONSTANT}


@given(st.lists(st.sampled_from(list(Lifetime)), max_size=4))
def test_shortest_does_not_depend_on_the_order_or_the_grouping(parts: list[Lifetime]) -> None:
    assert len({shortest(order) for order in permutations(parts)}) == 1
    for cut in range(len(parts) + 1):
        assert shortest([shortest(parts[:cut]), *parts[cut:]]) is shortest(parts)


def test_weaker_confidence() -> None:
    order = [Confidence.LOW, Confidence.HIGH, Confidence.CERTAIN]
    for left, right in product(order, order):
        assert left.at_most(right) is order[min(order.index(left), order.index(right))]


def test_hops_go_from_creation_to_the_template() -> None:
    made = Span("a.py", Position(1, 1), Position(1, 5))
    passed = Span("b.py", Position(2, 1), Position(2, 5))
    origin = Origin(SourceKind.CLOCK).passed(HopKind.CREATED, made).passed(HopKind.PASSED, passed)
    assert origin == Origin(SourceKind.CLOCK, (Hop(HopKind.CREATED, made), Hop(HopKind.PASSED, passed)))
