"""Blocks in the order in which an engine sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.templates import Block


def engine_order(blocks: Sequence[Block], components: Sequence[str]) -> tuple[tuple[int, Block], ...]:
    """Blocks by component as ``components`` lists them, each with its index in ``blocks``; source order within one."""
    rank = {component: place for place, component in enumerate(components)}
    last = len(rank)
    return tuple(sorted(enumerate(blocks), key=lambda item: rank.get(item[1].component, last)))
