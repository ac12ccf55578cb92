"""What an engine reuses of requests that it has really seen: cache models over token sequences. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.engines.cache import NO_MARKER, cached_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.targets import CacheModel

INTERVALS = "units at fixed intervals, of a length that is not published, may add to it"
BEYOND_LOOKBACK = "the stored position lies further back than the provider looks"


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as an engine sees it. Positions count tokens from its start, ascending.

    ``blocks`` are the ends of all content blocks, ``markers`` of those with a cache marker, ``messages`` of all
    messages, and ``talk`` of the messages of user and assistant.
    """

    tokens: tuple[int, ...]
    blocks: tuple[int, ...] = ()
    markers: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()
    talk: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reuse:
    """``prefix`` is the longest prefix shared with an earlier request, ``tokens`` what the engine reuses of it."""

    prefix: int
    tokens: int
    note: str = ""


def shared(one: Sequence[int], other: Sequence[int]) -> int:
    """Number of tokens that two sequences share from their start on.

    >>> shared((5, 6, 7), (5, 6, 8, 9))
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


def reuse(cache: CacheModel, earlier: Sequence[Sent], new: Sent) -> Reuse:
    """What an engine that still holds all of ``earlier``, oldest first, reuses of them for ``new``."""
    prefixes = [shared(one.tokens, new.tokens) for one in earlier]
    longest = max(prefixes, default=0)
    if not longest:
        return Reuse(0, 0)
    if cache.model == "unit":
        return _of_units(cache, earlier, prefixes, new)
    if cache.model == "breakpoint":
        found = [_at_breakpoint(cache, one, prefix, new) for one, prefix in zip(earlier, prefixes, strict=True)]
        best = max(found, key=lambda one: (one.tokens, one.prefix))
        return Reuse(longest, best.tokens, best.note)
    tokens, note = cached_tokens(cache, longest, len(new.tokens))
    return Reuse(longest, tokens, note)


def _at_breakpoint(cache: CacheModel, earlier: Sent, prefix: int, new: Sent) -> Reuse:
    """The longest position that ``earlier`` stored and ``new`` looks up.

    A marker looks back over ``lookback`` block ends, its own among them. An engine that stores on its own does so at
    the end of the latest message, and looks up the ends of that many earlier messages.
    """
    stored = set(earlier.markers)
    looked_up = {position for marker in new.markers for position in _back(new.blocks, marker, cache.lookback)}
    if cache.implicit_write and earlier.messages:
        stored.add(earlier.messages[-1])
        looked_up.update(new.messages if cache.lookback is None else new.messages[-cache.lookback :])
    within = {position for position in stored if position <= prefix}
    met = within & looked_up
    if met:
        longest = max(met)
        if longest >= cache.minimum:
            return Reuse(prefix, longest)
        return Reuse(prefix, 0, f"below the minimum of {cache.minimum:,} tokens")
    if not new.markers and not cache.implicit_write:
        return Reuse(prefix, 0, NO_MARKER)
    if within:
        return Reuse(prefix, 0, BEYOND_LOOKBACK)
    return Reuse(prefix, 0, "nothing was stored at or before the place where they part")


def _back(blocks: Sequence[int], marker: int, lookback: int | None) -> Sequence[int]:
    upto = [end for end in blocks if end <= marker]
    return upto if lookback is None else upto[-lookback:]


def _of_units(cache: CacheModel, earlier: Sequence[Sent], prefixes: Sequence[int], new: Sent) -> Reuse:
    """The longest stored unit that ``new`` contains wholly.

    Units are the ends of what user and assistant said, and each prefix in which two earlier requests were seen to
    agree. Two requests that share different lengths with ``new`` share the shorter one with each other.
    """
    units = {
        end
        for one, prefix in zip(earlier, prefixes, strict=True)
        for end in (*one.talk, *([len(one.tokens)] if not one.talk else []))
        if end <= prefix
    }
    lengths = sorted(set(prefixes))
    units.update(lengths[:-1])
    longest = lengths[-1]
    following = {one.tokens[longest : longest + 1] for one, p in zip(earlier, prefixes, strict=True) if p == longest}
    if len(following) > 1:
        units.add(longest)
    reusable = len(new.tokens) - cache.recompute
    found = max((unit for unit in units if 0 < unit <= reusable), default=0)
    if found < cache.minimum:
        found = 0
    return Reuse(longest, found, INTERVALS if found < longest else "")
