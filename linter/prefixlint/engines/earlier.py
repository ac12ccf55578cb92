"""What an engine reuses of requests that it has really seen: cache models over token sequences. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from prefixlint.engines.cache import NO_MARKER, below, cached_tokens
from prefixlint.engines.checkpoints import resumable
from prefixlint.tokens.common import common_prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.targets import CacheModel

INTERVALS = "units at fixed intervals, of a length that is not published, may add to it"
LATEST_ONLY = "without a cache marker only the end of the latest message is stored"
NOTHING_STORED = "every cache marker stands behind the breakpoint"
FROM_CHECKPOINT = "the engine resumes from its latest checkpoint only"
SHIFTED = "later pieces are shifted into place, which can change the answer"
BEYOND_LOOKBACK = "the stored position lies further back than the provider looks"


class Gate(NamedTuple):
    """What is cached from ``position`` on is found only by a request with the same ``value`` in this gate.

    ``what`` says for people what another value is; "" for a place where tokens part that are not known.
    """

    position: int
    value: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as an engine sees it. Positions count tokens from its start, ascending.

    ``blocks`` are the ends of all content blocks, ``markers`` of those with a cache marker, ``messages`` of all
    messages, and ``talk`` of the messages of user and assistant. ``users`` are the starts of the user's messages.
    ``gates`` stand in the same order in all requests of a target.
    """

    tokens: tuple[int, ...]
    blocks: tuple[int, ...] = ()
    markers: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()
    talk: tuple[int, ...] = ()
    users: tuple[int, ...] = ()
    gates: tuple[Gate, ...] = ()


@dataclass(frozen=True, slots=True)
class Reuse:
    """``prefix`` is the longest prefix shared with an earlier request, ``tokens`` what the engine reuses of it."""

    prefix: int
    tokens: int
    note: str = ""


def reachable(one: Sent, other: Sent) -> int:
    """Tokens that two requests share, as far as nothing else than tokens parts them."""
    return min([common_prefix(one.tokens, other.tokens), *(position for position, _ in _closed(one, other))])


def _closed(one: Sent, other: Sent) -> list[tuple[int, str]]:
    pairs = zip(one.gates, other.gates, strict=False)
    return [(min(a.position, b.position), a.what) for a, b in pairs if a.value != b.value]


def reuse(cache: CacheModel, earlier: Sequence[Sent], new: Sent) -> Reuse:
    """What an engine that still holds all of ``earlier``, oldest first, reuses of them for ``new``."""
    alike = [common_prefix(one.tokens, new.tokens) for one in earlier]
    closed = [_closed(one, new) for one in earlier]
    prefixes = [min([tokens, *(at for at, _ in gates)]) for tokens, gates in zip(alike, closed, strict=True)]
    longest = max(prefixes, default=0)
    found = _reuse(cache, earlier, prefixes, new) if longest else Reuse(0, 0)
    tokens = max(alike, default=0)
    if tokens <= longest:
        return found
    # The note tells of the request that shares most: what but tokens parts it from the new one.
    what = dict.fromkeys(what for position, what in closed[alike.index(tokens)] if what and position < tokens)
    if not what:
        return found
    return Reuse(tokens, found.tokens, "; ".join([*what, *([found.note] if found.note else [])]))


def _reuse(cache: CacheModel, earlier: Sequence[Sent], prefixes: Sequence[int], new: Sent) -> Reuse:
    longest = max(prefixes)
    if cache.model == "unit":
        return _of_units(cache, earlier, prefixes, new)
    if cache.model == "breakpoint":
        found = [_at_breakpoint(cache, one, prefix, new) for one, prefix in zip(earlier, prefixes, strict=True)]
        best = max(found, key=lambda one: (one.tokens, one.prefix))
        return Reuse(longest, best.tokens, best.note)
    if cache.model == "checkpoint":
        return _at_checkpoint(cache, earlier, longest, new)
    tokens, note = cached_tokens(cache, longest, len(new.tokens))
    if cache.chunk:
        # The slot with the longest prefix is taken, and only what it holds is shifted.
        latest = max(range(len(earlier)), key=lambda at: (prefixes[at], at))
        moved = shifted(earlier[latest].tokens, new.tokens, longest, cache.chunk)
        if moved:
            return Reuse(longest, min(longest + moved, len(new.tokens) - cache.recompute), SHIFTED)
    return Reuse(longest, tokens, note)


def shifted(held: Sequence[int], new: Sequence[int], prefix: int, chunk: int) -> int:
    """Tokens behind a common ``prefix`` that llama.cpp's server moves into place: pieces of at least ``chunk`` tokens.

    Follows the loop over chunks in its source (``n_cache_reuse``): it walks both sequences, and passes over a token of
    the held one where too little matches.
    """
    there = here = prefix
    found = 0
    while there < len(held) and here < len(new):
        same = common_prefix(held[there:], new[here:]) if held[there] == new[here] else 0
        if same >= chunk:
            there, here, found = there + same, here + same, found + same
        else:
            there += 1
    return found


def _at_checkpoint(cache: CacheModel, earlier: Sequence[Sent], longest: int, new: Sent) -> Reuse:
    """The newest place at which the engine can resume, within the longest prefix.

    Where an engine leaves one at each junction, a request that parts from an earlier one leaves it for the next.
    """
    left: list[tuple[Sent, tuple[int, ...]]] = []
    for number, one in enumerate(earlier):
        met = (reachable(before, one) for before in earlier[:number]) if cache.junctions else ()
        junction = min(max(met, default=0), len(one.tokens) - cache.recompute)
        left.append((one, (junction,) if junction > 0 else ()))
    within = [(len(one.tokens), one.users, junction, reachable(one, new)) for one, junction in left]
    tokens = resumable(cache, within, len(new.tokens))
    if tokens < cache.minimum:
        return Reuse(longest, 0, below(cache, tokens))
    return Reuse(longest, tokens, FROM_CHECKPOINT if tokens < min(longest, len(new.tokens) - cache.recompute) else "")


def _at_breakpoint(cache: CacheModel, earlier: Sent, prefix: int, new: Sent) -> Reuse:
    """The longest position that ``earlier`` stored and ``new`` looks up.

    A marker looks back over ``lookback`` block ends, its own among them. An engine that stores on its own does so at
    the end of the latest message, and looks up the ends of that many earlier messages.
    """
    # More markers than allowed make the provider refuse the request, so none of the surplus is counted on.
    marked, wanted = earlier.markers[: cache.max_breakpoints], new.markers[: cache.max_breakpoints]
    refused = f"more than {cache.max_breakpoints} cache markers are refused" if wanted != new.markers else ""
    stored = set(marked)
    looked_up = {position for marker in wanted for position in _back(new.blocks, marker, cache.lookback)}
    if cache.implicit_write and earlier.messages:
        stored.add(earlier.messages[-1])
        looked_up.update(new.messages if cache.lookback is None else new.messages[-cache.lookback :])
    within = {position for position in stored if position <= prefix}
    met = within & looked_up
    if met:
        longest = max(met)
        if longest >= cache.minimum:
            return Reuse(prefix, longest, refused)
        return Reuse(prefix, 0, below(cache, longest))
    if not new.markers and not cache.implicit_write:
        return Reuse(prefix, 0, NO_MARKER)
    if within:
        return Reuse(prefix, 0, BEYOND_LOOKBACK)
    if not new.markers:
        return Reuse(prefix, 0, LATEST_ONLY)
    return Reuse(prefix, 0, refused or NOTHING_STORED)


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
    alike = [one for one, prefix in zip(earlier, prefixes, strict=True) if prefix == longest]
    if any(reachable(one, other) == longest for one, other in combinations(alike, 2)):
        units.add(longest)
    reusable = len(new.tokens) - cache.recompute
    found = max((unit for unit in units if 0 < unit <= reusable), default=0)
    if found < cache.minimum:
        found = 0
    return Reuse(longest, found, INTERVALS if found < longest else "")
