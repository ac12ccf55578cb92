"""Cache models that a common prefix alone decides: from its length, in tokens, to the tokens reused. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prefixlint.model.targets import CacheModel

NO_MARKER = "nothing is cached without a cache marker"
UPPER_BOUND = "an upper bound: the provider does not document how it matches"


def cached_tokens(cache: CacheModel, prefix: int, total: int) -> tuple[int, str]:
    """Tokens that a request of ``total`` tokens reuses of an earlier one, and what a reader must know.

    ``prefix`` is the length of their common prefix in tokens. For the models ``token``, ``block`` and
    ``undocumented``; the others also ask where requests were cut, see ``earlier.reuse``. Raises ``ValueError`` when
    ``prefix`` is not within 0 and ``total``.
    """
    if not 0 <= prefix <= total:
        raise ValueError(f"a common prefix of {prefix} tokens does not fit a request of {total}")
    reusable = max(0, min(prefix, total - cache.recompute))
    whole = reusable - reusable % cache.granularity if cache.model == "block" else reusable
    if whole < cache.minimum:
        return 0, below(cache, reusable)
    return whole, UPPER_BOUND if whole and cache.model == "undocumented" else ""


def below(cache: CacheModel, tokens: int) -> str:
    """The note that so many tokens, if any, are fewer than are cached at all."""
    return f"below the minimum of {cache.minimum:,} tokens" if tokens else ""


def by_prefix(cache: CacheModel) -> bool:
    """Whether the length of a common prefix decides alone."""
    return cache.model in ("token", "block", "undocumented") and not cache.chunk
