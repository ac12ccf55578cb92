"""Which syntax trees, of modules and of single functions, are held in memory, as far as there is room for them: those
used last and those used most of late, and of the others always the same ones, since modules are gone through from the
first to the last again and again.

A tree takes some thirty times the memory of its text, and most trees are needed a few times only: when it is found out
who calls what, when the module is run, and when functions of it are. Between these a tree can go, and for a function
that is run later it need not come back as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from prefixlint.frontends.python.frames import Bounds
from prefixlint.frontends.python.settled import settle

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import ModuleInfo
    from prefixlint.frontends.python.node_facts import NodeFacts

_LEFT = 0.75
"""Which part of the room is still taken when some trees have gone: not every one that comes drives out another."""
_RECENT = 0.25
"""Which part of the room is kept for those used last."""
_SELDOM = 4
"""Fewer uses than that tell nothing: whoever goes through all modules uses each."""


class Trees:
    """The modules whose trees are held, and the ``room`` for them in characters of their texts.

    What is held of a module goes as a whole. ``of_run`` are those whose functions are all asked about, until what is
    asked of them has been found. A tree may go while code of its module is being run: what runs keeps the nodes that it
    has, and nothing tells nodes of two trees of a module apart. What is known of nodes (``facts``) goes with them.
    """

    def __init__(self, facts: NodeFacts, room: int = Bounds().room) -> None:
        self.room = room
        self.of_run: set[ModuleInfo] = set()
        self._facts = facts
        self._held: dict[ModuleInfo, int] = {}
        self._sizes: dict[ModuleInfo, int] = {}
        self._characters = 0

    def take(self, module: ModuleInfo, characters: int) -> None:
        """Notes that a module has got its tree, or one of a function in it, that stands for so many characters. Others
        go, if there are too many now."""
        self._sizes[module] = self._sizes.get(module, 0) + characters
        self._held[module] = self._held.pop(module, 0)
        self._characters += characters
        if self._characters > self.room:
            for other in sorted(self._not_recent(), key=self._worth):
                if self._characters <= self.room * _LEFT:
                    break
                if other in self.of_run:
                    self.of_run.remove(other)
                    settle(other)
                self._drop(other)
            for other, uses in self._held.items():
                self._held[other] = uses // 2
            self._facts.forget()

    def _worth(self, module: ModuleInfo) -> tuple[int, int]:
        """Modules whose trees go first come first: those used least of late, and of these always the same ones."""
        return self._held[module] // _SELDOM, crc32(module.path.encode())

    def _not_recent(self) -> list[ModuleInfo]:
        """All but the last one and those that were used shortly before it."""
        held = list(self._held)
        kept = self._sizes[held[-1]]
        for at in range(len(held) - 2, -1, -1):
            kept += self._sizes[held[at]]
            if kept > self.room * _RECENT:
                return held[: at + 1]
        return []

    def use(self, module: ModuleInfo) -> None:
        """Notes that a module is used: others go first, and so they do later if it is used often."""
        if module in self._held:
            self._held[module] = self._held.pop(module) + 1

    def clear(self) -> None:
        """All trees go, at the end of an analysis."""
        for module in list(self._held):
            self._drop(module)
        self._facts.forget()

    def _drop(self, module: ModuleInfo) -> None:
        del self._held[module]
        self._characters -= self._sizes.pop(module)
        module.without_tree()
