"""Predictions: what each target reuses of a second request, now and after the fix."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.engines.cache import by_prefix, cached_tokens
from prefixlint.engines.earlier import reuse
from prefixlint.model.targets import Prediction, Target

if TYPE_CHECKING:
    from prefixlint.layout.views import Fixed, Pair, View
    from prefixlint.model.targets import CacheModel

THIRD = "from the third such request on"


def predict(view: View, fixed: Fixed, target: Target, trouble: str = "") -> Prediction:
    """What ``target`` reuses of a request that differs from an earlier one in all that varies.

    ``trouble`` is what could not be measured as the target asks. After the fix a marked template has its marker at the
    end of the stable part; a template without one still has none.
    """
    cache = target.cache
    if by_prefix(cache):
        cached, note = cached_tokens(cache, view.prefix, view.next_total)
        after, _ = cached_tokens(cache, fixed.prefix, fixed.total)
    else:
        cached, note = _of(cache, view.pair())
        after, _ = _of(cache, fixed.pair())
    if cache.model == "breakpoint" and not view.marked and fixed.stable_end >= cache.minimum:
        note = f"{note}; one at the end of the stable part would keep {fixed.stable_end:,} tokens"
    note = "; ".join(filter(None, (note, trouble)))
    return Prediction(target.engine, cached, max(cached, after), cache.granularity, cache.minimum, note)


def _of(cache: CacheModel, pair: Pair) -> tuple[int, str]:
    first, second = pair
    if cache.model != "unit" and not cache.junctions:
        found = reuse(cache, (first,), second)
        return found.tokens, found.note
    # What two requests were seen to share is stored then, and found by the next.
    third = replace(second, gates=tuple(gate._replace(value="third") for gate in second.gates))
    found = reuse(cache, (first, second), third)
    return found.tokens, "; ".join(filter(None, (THIRD if found.tokens else "", found.note)))
