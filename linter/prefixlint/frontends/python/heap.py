"""Things by their number, in layers.

A branch adds a layer instead of copying; a join looks only at what either side changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import OutOfSteps
from prefixlint.frontends.python.sizes import MOST_ITEMS
from prefixlint.frontends.python.values import DictThing, ListThing

if TYPE_CHECKING:
    from collections.abc import Callable

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
        """Raises ``OutOfSteps`` for a list or dictionary that is larger than the analysis follows: doubled twenty
        times, one item is a million."""
        if type(thing) is ListThing:
            if len(thing.items) > MOST_ITEMS:
                raise OutOfSteps
        elif type(thing) is DictThing and len(thing.entries) > MOST_ITEMS:
            raise OutOfSteps
        self._own[key] = thing

    def fork(self) -> Heap:
        """A heap that starts with the same things."""
        if self.depth < _FLATTEN_AT:
            return Heap(self)
        flat = Heap()
        flat._own = dict(self._since(None))
        return Heap(flat)

    def update(self, other: Heap) -> None:
        """Takes over all things of ``other``."""
        self._own.update(other._since(None))

    def changed(self, other: Heap) -> tuple[Heap | None, set[int]]:
        """The layer that two heaps have in common, if any, and the numbers that either has set since."""
        common = self._common(other)
        return common, {*self._since(common), *other._since(common)}

    def _common(self, other: Heap) -> Heap | None:
        """The nearest layer that both heaps stand on."""
        mine: Heap | None = self
        theirs: Heap | None = other
        while mine is not theirs:
            if mine is None or theirs is None:
                return None
            # The deeper of the two is not a layer below the other one.
            if mine.depth >= theirs.depth:
                mine = mine._parent
            else:
                theirs = theirs._parent
        return mine

    def _since(self, base: Heap | None) -> dict[int, Thing]:
        """Things set above the layer ``base``."""
        layers: list[dict[int, Thing]] = []
        layer: Heap | None = self
        while layer is not None and layer is not base:
            if layer._own:
                layers.append(layer._own)
            layer = layer._parent
        if len(layers) == 1:
            return layers[0]
        merged: dict[int, Thing] = {}
        for own in reversed(layers):
            merged.update(own)
        return merged

    def joined(self, other: Heap, either: Callable[[Thing, Thing], Thing]) -> Heap:
        """What stands in either heap; where both have a thing and they differ, ``either`` of them."""
        common = self._common(other)
        left, right = self._since(common), other._since(common)
        out = Heap(common)
        for key in left.keys() | right.keys():
            mine, theirs = left.get(key), right.get(key)
            below = common.get(key) if common is not None and (mine is None or theirs is None) else None
            mine, theirs = mine or below, theirs or below
            if mine is not None and theirs is not None:
                out._own[key] = mine if mine is theirs else either(mine, theirs)
            elif (one := mine or theirs) is not None:
                out._own[key] = one
        return out
