"""Frozen dataclasses that are quick to make are as the library's own, but for assignments while a program runs."""

import dataclasses
import pickle
from dataclasses import field

from prefixlint.model.frozen import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Point:
    x: int
    y: int = 2
    note: str = field(default="", hash=False)


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Usual:
    x: int
    y: int = 2
    note: str = field(default="", hash=False)


@dataclass(frozen=True, slots=True)
class Alike:
    name: str

    def __hash__(self) -> int:
        return 7


@dataclass(frozen=True, eq=False)
class Single:
    name: str


def test_is_compared_hashed_and_ordered_by_its_fields() -> None:
    assert Point(1) == Point(1, 2)
    assert Point(1) != Point(1, 3)
    assert Point(1, 3) < Point(2, 0)
    assert len({Point(1), Point(1, 2), Point(1, 3)}) == 2
    assert hash(Point(4, 5)) == hash(Usual(4, 5)) == hash(Point(4, 5, "not hashed"))


def test_keeps_a_hash_of_its_own_and_identity() -> None:
    assert hash(Alike("a")) == hash(Alike("b")) == 7
    assert Alike("a") != Alike("b")
    assert Single("a") != Single("a")


def test_has_slots_fields_and_replacements() -> None:
    assert Point.__slots__ == Usual.__slots__ == ("x", "y", "note")
    assert [f.name for f in dataclasses.fields(Point)] == ["x", "y", "note"]
    assert dataclasses.replace(Point(1), y=9) == Point(1, 9)
    assert pickle.loads(pickle.dumps(Point(1, 2, "n"))) == Point(1, 2, "n")
    assert not hasattr(Point(1), "__dict__")


def test_makes_its_fields_without_the_detour_of_a_frozen_one() -> None:
    assert "__setattr__" in vars(Usual)
    assert "__setattr__" not in vars(Point)
