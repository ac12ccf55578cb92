"""The words of a finding: one sentence that says which value, where, at what cost, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.engines.lasting import outlasts
from prefixlint.model.lifetimes import Confidence, Lifetime

if TYPE_CHECKING:
    from prefixlint.model.layouts import Inversion, Layout

LONGEST_EXPRESSION = 60

CHANGES = {
    Lifetime.REQUEST: "changes with every request",
    Lifetime.TURN: "changes with every turn",
    Lifetime.SESSION: "differs from session to session",
    Lifetime.USER: "differs from user to user",
    Lifetime.HOUR: "changes every hour",
    Lifetime.DAY: "changes every day",
    Lifetime.PROCESS: "differs from process to process",
    Lifetime.DEPLOYMENT: "differs from deployment to deployment",
    Lifetime.CONSTANT: "stays the same",
    Lifetime.UNKNOWN: "may change from request to request",
}

AGAIN = {
    Lifetime.REQUEST: "each time",
    Lifetime.TURN: "on each turn",
    Lifetime.SESSION: "in each session",
    Lifetime.USER: "for each user",
    Lifetime.HOUR: "every hour",
    Lifetime.DAY: "every day",
    Lifetime.PROCESS: "for each process",
    Lifetime.DEPLOYMENT: "for each deployment",
    Lifetime.CONSTANT: "never",
    Lifetime.UNKNOWN: "whenever it changes",
}

_SEEMS = {
    "changes": "seems to change",
    "differs": "seems to differ",
    "grows": "seems to grow",
    "comes": "seems to come",
}


def span_of_time(seconds: int) -> str:
    """Seconds in the largest unit that they are a whole number of: "5 minutes".

    >>> span_of_time(300), span_of_time(3600), span_of_time(90)
    ('5 minutes', '1 hour', '90 seconds')
    """
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        if seconds % length == 0 and seconds >= length:
            count = seconds // length
            return f"{count:,} {unit}{'' if count == 1 else 's'}"
    return f"{seconds:,} seconds"


def quoted(expression: str) -> str:
    """The expression on one line in backticks, at most ``LONGEST_EXPRESSION`` characters of it."""
    line = " ".join(expression.split())
    if len(line) > LONGEST_EXPRESSION:
        line = line[: LONGEST_EXPRESSION - 1].rstrip() + "…"
    return f"`{line}`"


def hedged(predicate: str, confidence: Confidence) -> str:
    """The predicate, "changes …", or "seems to change …" at low confidence."""
    verb, _, rest = predicate.partition(" ")
    if confidence is Confidence.LOW and verb in _SEEMS:
        return f"{_SEEMS[verb]} {rest}"
    return predicate


def place(layout: Layout, inversion: Inversion) -> str:
    """Where it stands: "stands at token 40 of 1,852"."""
    return f"stands at token {inversion.stable_tokens_before:,} of {layout.total_tokens:,}"


def cost(layout: Layout, inversion: Inversion, lifetime: Lifetime) -> str:
    """What is computed again, and how often, for a value that lives ``lifetime``.

    Says so where the target's cache forgets sooner than the value changes.
    """
    tokens, again = inversion.stranded_tokens, AGAIN[lifetime]
    target = layout.target
    if target.cache.keep is not None and outlasts(lifetime, target.cache):
        again += f", if {target.engine} still has them: it forgets after {span_of_time(target.cache.keep)} without use"
    what = f"{tokens:,} stable token{'' if tokens == 1 else 's'}"
    if inversion.history_stranded and not tokens:
        return f"the conversation behind it is computed again {again}"
    if inversion.history_stranded:
        return f"{what} and the conversation behind it are computed again {again}"
    return f"{what} behind it {'is' if tokens == 1 else 'are'} computed again {again}"


def gain(layout: Layout, inversion: Inversion) -> str:
    """What the first target would reuse: " and vllm reuses 1,808 tokens instead of 32"; or "".

    Predictions are of the whole layout with every inversion mended: they speak for this one only if it is the only one.
    """
    if len(layout.inversions) != 1 or not layout.predictions or not inversion.lifetime.varies:
        return ""
    prediction = layout.predictions[0]
    if prediction.cached_tokens_after_fix <= prediction.cached_tokens:
        return ""
    after, now = prediction.cached_tokens_after_fix, prediction.cached_tokens
    return f" and {prediction.engine} reuses {after:,} tokens instead of {now:,}"
