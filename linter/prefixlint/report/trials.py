"""``verify`` as text and as JSON: predicted and measured reuse, and prefill rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prefixlint import __version__
from prefixlint.report.escape import json_text, plain
from prefixlint.wire.probe import spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.wire.probe import Plan, Spread, Trial
    from prefixlint.wire.usage import Usage

VERSION = 1


def render(template: str, what: Plan, trials: Sequence[Trial]) -> str:
    """A line for each request, the rates, and the verdict."""
    out = [f"{plain(template)} on {what.target.name} ({what.api.name})\n\n"]
    out.append("          TOKENS   CACHED  COMPUTED   PREFILL  PREDICTED\n")
    for number, trial in enumerate(trials, 1):
        for name, usage, expected in (("cold", trial.first, None), ("warm", trial.second, trial.expected)):
            cells = [_count(usage.total), _count(usage.cached), _count(usage.computed), _time(usage)]
            total, cached, computed, seconds = cells
            predicted = "" if name == "cold" else _count(expected)
            out.append(
                f"{number:>3} {name}  {total:>7}  {cached:>7}  {computed:>8}  {seconds:>8}  {predicted:>9}".rstrip()
            )
            out.append("\n")
    out.append("\n")
    for name, rates in (("cold", [t.first.rate for t in trials]), ("warm", [t.second.rate for t in trials])):
        out.append(f"prefill {name}: {_rate(spread(rates))}\n")
    return "".join(out) + _verdict(trials)


def document(template: str, what: Plan, trials: Sequence[Trial]) -> str:
    """Version 1: every trial with both usages, what was expected, and whether it agrees (null: the server says not)."""
    head = {"version": VERSION, "tool": {"name": "prefixlint", "version": __version__}}
    body = {
        "template": template,
        "target": what.target.name,
        "api": what.api.name,
        "trials": [
            {
                "cold": _usage(trial.first, trial.elapsed[0]),
                "warm": _usage(trial.second, trial.elapsed[1]),
                "predicted_cached_tokens": trial.expected,
                "tolerance": trial.tolerance,
                "exact": trial.prediction.exact,
                "agrees": trial.agrees,
            }
            for trial in trials
        ],
        "agrees": None if any(trial.agrees is None for trial in trials) else all(trial.agrees for trial in trials),
    }
    return json_text({**head, **body})


def _usage(usage: Usage, elapsed: float) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.total,
        "cached_tokens": usage.cached,
        "computed_tokens": usage.computed,
        "prefill_seconds": usage.seconds,
        "tokens_per_second": usage.rate,
        "elapsed_seconds": round(elapsed, 6),
        "note": usage.note,
    }


def _verdict(trials: Sequence[Trial]) -> str:
    notes = dict.fromkeys(note for trial in trials for note in (trial.second.note, trial.prediction.note) if note)
    behind = "".join(f"note: {plain(note)}\n" for note in notes)
    agreed = [trial.agrees for trial in trials]
    if any(one is None for one in agreed):
        return "not verified: the server does not say how many tokens it reused\n" + behind
    if all(agreed):
        off = max(trial.tolerance for trial in trials)
        how = (
            "exactly, in the server's own tokens" if not off else f"within {off:,} tokens, the limit for this tokenizer"
        )
        return f"verified: prediction and measurement agree {how}\n" + behind
    return f"not confirmed: {agreed.count(False)} of {len(agreed)} measurements are not as predicted\n" + behind


def _count(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def _time(usage: Usage) -> str:
    return "unknown" if usage.seconds is None else f"{usage.seconds * 1000:,.1f} ms"


def _rate(rates: Spread | None) -> str:
    if rates is None:
        return "no rate: the server reports no duration, or not what it computed"
    return f"{rates.middle:,.0f} tokens/s ({rates.least:,.0f} to {rates.most:,.0f}), computed tokens only"
