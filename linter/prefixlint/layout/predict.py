"""Predictions: what each target reuses of a second request, now and after the fix."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.engines.cache import by_prefix, cached_tokens
from prefixlint.engines.earlier import Gate, Sent, reuse
from prefixlint.layout.variations import within
from prefixlint.model.layouts import SharedPrefix
from prefixlint.model.targets import Prediction, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.layout.views import Fixed, Tokens, View
    from prefixlint.model.targets import CacheModel

ANY_TOKEN = "any earlier token"
"""What parts two requests at all is no news."""
THIRD = "from the third such request on"


def predict(
    view: View, fixed: Fixed, target: Target, trouble: str = "", shared: Sequence[SharedPrefix] = ()
) -> Prediction:
    """What ``target`` reuses of a request that differs from an earlier one in all that varies, and within each scope.

    ``shared`` are the tokens shared within scopes, ``trouble`` is what could not be measured as the target asks. After
    the fix a marked template has its marker at the end of the stable part; a template without one still has none.
    """
    cache = target.cache
    now, then = (_Reuser(cache, one.cuts, one.tokens) for one in (view, fixed))
    cached, note = now.of(view.prefix, view.next_total, True)
    after, _ = then.of(fixed.prefix, fixed.total, True)
    scopes = []
    for one in shared:
        # A conversation that ends with its session, or goes on, makes the second request as long as the next one is.
        here, _ = now.of(one.tokens, max(view.next_total, one.tokens))
        there, _ = then.of(one.after_fix, max(fixed.total, one.after_fix))
        scopes.append(SharedPrefix(one.lifetime, here, max(here, there)))
    if cache.model == "breakpoint" and not view.marked and fixed.stable_end >= cache.minimum:
        note = f"{note}; one at the end of the stable part would keep {fixed.stable_end:,} tokens"
    note = "; ".join(filter(None, (note, trouble)))
    return Prediction(
        engine=target.engine,
        cached_tokens=cached,
        cached_tokens_after_fix=max(cached, after),
        granularity=cache.granularity,
        minimum=cache.minimum,
        note=note,
        keep=cache.keep,
        within=tuple(scopes),
        model=target.model,
        total_tokens=view.next_total,
        invalidated_by=tuple(one.what for one in target.invalidators if one.what != ANY_TOKEN),
    )


def shared_after(shared: Sequence[SharedPrefix], fixed: Fixed) -> tuple[SharedPrefix, ...]:
    """The same prefixes with what they are after the fix. A narrower scope never shares less."""
    out: list[SharedPrefix] = []
    least = 0
    for one in shared:
        least = max(least, one.tokens, fixed.shared(within(one.lifetime)))
        out.append(replace(one, after_fix=least))
    return tuple(out)


class _Reuser:
    """What a cache reuses of a request that shares some tokens with an earlier one of the same template."""

    def __init__(self, cache: CacheModel, cuts: Callable[[], Sent], tokens: Callable[[], Tokens]) -> None:
        self._cache = cache
        self._cuts = cuts
        self._tokens = tokens
        self._cut: Sent | None = None

    def of(self, prefix: int, total: int, following: bool = False) -> tuple[int, str]:
        """``following`` is true for the request after the first, whose tokens are known."""
        if by_prefix(self._cache) or (self._cache.chunk and not following):
            return cached_tokens(self._cache, prefix, max(prefix, total))
        if self._cache.chunk:
            one, other = self._tokens()
            found = reuse(self._cache, (Sent(one),), Sent(other))
            return found.tokens, found.note
        self._cut = self._cut or self._cuts()
        first = replace(self._cut, gates=(Gate(prefix, "first"),), tokens=(0,) * max(prefix, len(self._cut.tokens)))
        second = replace(first, gates=(Gate(prefix, "second"),), tokens=(0,) * max(prefix, total))
        if self._cache.model != "unit" and not self._cache.junctions:
            found = reuse(self._cache, (first,), second)
            return found.tokens, found.note
        # What two requests were seen to share is stored then, and found by the next.
        found = reuse(self._cache, (first, second), replace(second, gates=(Gate(prefix, "third"),)))
        return found.tokens, "; ".join(filter(None, (THIRD if found.tokens else "", found.note)))
