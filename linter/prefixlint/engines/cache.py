"""Cache models: from a common prefix, in tokens, to the tokens that an engine reuses. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.targets import CacheModel

NO_MARKER = "nothing is cached without a cache marker"
UPPER_BOUND = "an upper bound: the provider does not document how it matches"
UNITS = "an upper bound: only whole units that the provider has stored are reused"


def cached_tokens(
    cache: CacheModel, prefix: int, total: int, markers: Sequence[int] = (), implicit: Sequence[int] = ()
) -> tuple[int, str]:
    """Tokens that a request of ``total`` tokens reuses of an earlier one, and what a reader must know.

    ``prefix`` is the length of their common prefix in tokens. ``markers`` are the positions, in tokens, where marked
    blocks end, in both requests alike; ``implicit`` are the positions that an engine with ``implicit_write`` stores on
    its own. Only the breakpoint model looks at the two. Raises ``ValueError`` when ``prefix`` is not within 0 and
    ``total``.
    """
    if not 0 <= prefix <= total:
        raise ValueError(f"a common prefix of {prefix} tokens does not fit a request of {total}")
    reusable = max(0, min(prefix, total - cache.recompute))
    if cache.model == "breakpoint":
        return _at_breakpoint(cache, reusable, markers, implicit)
    whole = reusable - reusable % cache.granularity if cache.model == "block" else reusable
    bound = {"undocumented": UPPER_BOUND, "unit": UNITS}.get(cache.model, "")
    if whole < cache.minimum:
        return 0, _below(cache, reusable)
    return whole, bound if whole else ""


def _at_breakpoint(
    cache: CacheModel, reusable: int, markers: Sequence[int], implicit: Sequence[int]
) -> tuple[int, str]:
    """The longest position that both requests store and look up, within the common prefix and at least the minimum.

    More markers than allowed make the provider refuse the request, so none of the surplus is counted on.
    """
    allowed = list(markers if cache.max_breakpoints is None else markers[: cache.max_breakpoints])
    note = "" if len(allowed) == len(markers) else f"more than {cache.max_breakpoints} cache markers are refused"
    stored = sorted({*allowed, *(implicit if cache.implicit_write else ())})
    if not markers and not any(end <= reusable for end in stored):
        unmarked = "without a cache marker only the end of the latest message is stored"
        return 0, unmarked if cache.implicit_write else NO_MARKER
    reached = [end for end in stored if end <= reusable]
    if not reached:
        return 0, note or "every cache marker stands behind the breakpoint"
    longest = reached[-1]
    if longest < cache.minimum:
        return 0, _below(cache, longest)
    return longest, note


def _below(cache: CacheModel, tokens: int) -> str:
    return f"below the minimum of {cache.minimum:,} tokens" if tokens else ""
