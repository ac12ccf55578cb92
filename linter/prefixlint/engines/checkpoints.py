"""Where an engine that cannot roll its state back resumes: at the checkpoints that earlier requests left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.targets import CacheModel

Left = tuple[int, tuple[int, ...], tuple[int, ...], int]
"""Of an earlier request: its length, where its user messages start, where it parted from those before it, and how many
tokens it shares with the new one."""


def resumable(cache: CacheModel, earlier: Sequence[Left], total: int) -> int:
    """The last position, of a new request of ``total`` tokens, at which the engine can resume.

    A multiple of the granularity. With a ``window``, all blocks of the window in front of it must have been kept, by
    whichever request: near a request's start these are all of its blocks.
    """
    size = cache.granularity
    reachable = max((prefix for _, _, _, prefix in earlier), default=0)
    reusable = min(reachable, total - cache.recompute)
    need = -(-max(cache.window - 1, 1) // size)
    kept: set[int] = set()
    for length, users, junctions, prefix in earlier:
        for position in _left(cache, length, users, junctions):
            end = position // size
            # A block that lies wholly within the shared prefix is the same block for both.
            kept.update(block for block in range(max(0, end - need), end) if (block + 1) * size <= prefix)
    for end in range(reusable // size, 0, -1):
        if all(block in kept for block in range(max(0, end - need), end)):
            return end * size
    return 0


def _left(cache: CacheModel, length: int, users: Sequence[int], junctions: Sequence[int]) -> set[int]:
    """Positions of the checkpoints that a request left."""
    block = cache.block or cache.granularity
    found = {length - tail for tail in cache.tails}
    found |= {position // block * block for position in (*found, *junctions)}
    if cache.user_starts:
        last = None
        for start in users:
            if last is None or start > last + cache.step or start == users[-1]:
                found.add(start)
                last = start
    return {position for position in found if position > 0}
