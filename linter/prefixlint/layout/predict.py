"""Predictions: what each target reuses of a second request, now and after the fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.engines.cache import cached_tokens
from prefixlint.model.targets import Prediction, Target

if TYPE_CHECKING:
    from prefixlint.layout.views import Fixed, View


def predict(view: View, fixed: Fixed, target: Target, trouble: str = "") -> Prediction:
    """What ``target`` reuses of a request that differs from an earlier one in all that varies.

    ``trouble`` is what could not be measured as the target asks. After the fix a marked template has its marker at the
    end of the stable part; a template without one still has none.
    """
    cache = target.cache
    cached, note = cached_tokens(cache, view.prefix, view.next_total, view.markers, (view.last_message,))
    markers = (fixed.stable_end,) if view.markers else ()
    after, _ = cached_tokens(cache, fixed.prefix, fixed.total, markers, ())
    if cache.model == "breakpoint" and not view.markers and fixed.stable_end >= cache.minimum:
        note = f"{note}; one at the end of the stable part would keep {fixed.stable_end:,} tokens"
    note = "; ".join(filter(None, (note, trouble)))
    return Prediction(target.engine, cached, max(cached, after), cache.granularity, cache.minimum, note)
