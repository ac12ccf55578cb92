"""Things by their number, in layers.

A branch adds a layer instead of copying; a join looks only at what either side changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prefixlint.frontends.python.values import Thing

_FLATTEN_AT = 24


class Heap:
    """A mapping from numbers to things. A heap that was forked must not be written any more."""

    __slots__ = ("_own", "_parent", "depth")

    def __init__(self, parent: Heap | None = None) -> None:
        self._own: dict[int, Thing] = {}
        self._parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1

    def get(self, key: int) -> Thing | None:
        layer: Heap | None = self
        while layer is not None:
            found = layer._own.get(key)
            if found is not None:
                return found
            layer = layer._parent
        return None

    def __setitem__(self, key: int, thing: Thing) -> None:
        self._own[key] = thing

    def fork(self) -> Heap:
        """A heap that starts with the same things."""
        if self.depth < _FLATTEN_AT:
            return Heap(self)
        flat = Heap()
        flat._own = dict(self.items())
        return Heap(flat)

    def items(self) -> Iterator[tuple[int, Thing]]:
        """All things, each once."""
        layers = []
        layer: Heap | None = self
        while layer is not None:
            layers.append(layer)
            layer = layer._parent
        merged: dict[int, Thing] = {}
        for one in reversed(layers):
            merged.update(one._own)
        yield from merged.items()

    def update(self, other: Heap) -> None:
        self._own.update(other.items())

    def changed(self, other: Heap) -> tuple[Heap | None, set[int]]:
        """The layer that two heaps have in common, if any, and the numbers that either has set since."""
        above = set()
        layer: Heap | None = self
        while layer is not None:
            above.add(id(layer))
            layer = layer._parent
        keys: set[int] = set()
        layer = other
        while layer is not None and id(layer) not in above:
            keys.update(layer._own)
            layer = layer._parent
        common = layer
        layer = self
        while layer is not None and layer is not common:
            keys.update(layer._own)
            layer = layer._parent
        return common, keys

    def joined(self, other: Heap, either: Callable[[Thing, Thing], Thing]) -> Heap:
        """What stands in either heap; where both have a thing and they differ, ``either`` of them."""
        common, keys = self.changed(other)
        out = Heap(common)
        for key in keys:
            mine, theirs = self.get(key), other.get(key)
            if mine is not None and theirs is not None:
                out._own[key] = mine if mine is theirs else either(mine, theirs)
            elif (one := mine if theirs is None else theirs) is not None:
                out._own[key] = one
        return out
