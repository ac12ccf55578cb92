"""What two sequences of tokens have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def common_prefix(one: Sequence[int], other: Sequence[int]) -> int:
    """Number of tokens that two sequences share from their start on.

    >>> common_prefix((5, 6, 7), (5, 6, 8, 9))
    2
    """
    low, high = 0, min(len(one), len(other))
    while low < high:
        # Slices compare at the speed of C; halving costs no more than twice the length in all.
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
