"""How bad a finding is: from lifetime, confidence, stranded tokens and, where the user chose one, the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.engines.lasting import outlasts
from prefixlint.model.findings import Severity
from prefixlint.model.lifetimes import Confidence, Lifetime

if TYPE_CHECKING:
    from prefixlint.model.layouts import Inversion, Layout

# One recomputation an hour is spread over all requests of that hour, as one a day is over those of the day: both are
# worth knowing and neither is worth a failed build, so an hour counts like a day.
BY_LIFETIME = {
    Lifetime.REQUEST: Severity.ERROR,
    Lifetime.TURN: Severity.ERROR,
    Lifetime.SESSION: Severity.WARNING,
    Lifetime.USER: Severity.WARNING,
    Lifetime.HOUR: Severity.INFO,
    Lifetime.DAY: Severity.INFO,
    Lifetime.PROCESS: Severity.INFO,
    Lifetime.DEPLOYMENT: Severity.INFO,
    Lifetime.CONSTANT: Severity.INFO,
    Lifetime.UNKNOWN: Severity.INFO,
}


def counts(inversion: Inversion, min_stranded_tokens: int) -> bool:
    """True when an inversion strands enough to be a finding: that many tokens, or a conversation history.

    Text under a condition that may never hold counts for a part of that.
    """
    if inversion.history_stranded:
        return True
    return inversion.expected_tokens >= min_stranded_tokens and in_one_piece(inversion, min_stranded_tokens)


def in_one_piece(inversion: Inversion, min_stranded_tokens: int) -> bool:
    """True when half of the least stranded tokens stand in one piece.

    Many short ones are the labels of the values between them, as on a form: moved away from those, they would say
    nothing.
    """
    return inversion.longest_text * 2 >= min_stranded_tokens


def matters(layout: Layout, inversion: Inversion) -> bool:
    """False for a value that outlasts the cache of the target that the user configured: a date and a five-minute cache.

    A cache that keeps less than the value lives would have to be filled anew anyway.
    """
    return not (layout.target.configured and outlasts(inversion.lifetime, layout.target.cache))


def confidence_of(layout: Layout, inversion: Inversion) -> Confidence:
    """How sure a finding is: no surer than that the value varies, and than that the template is a prompt at all."""
    return inversion.confidence.at_most(layout.template.confidence)


def at_confidence(severity: Severity, confidence: Confidence) -> Severity:
    """The severity that is left of ``severity`` at this confidence: what is not sure is no more than info."""
    return Severity.INFO if confidence is Confidence.LOW else severity


def severity_of(layout: Layout, inversion: Inversion, lifetime: Lifetime | None = None) -> Severity:
    """Severity of an inversion; ``lifetime`` replaces the inversion's own where a rule knows better.

    Low confidence is info. So is an inversion in a prompt that the target would not cache even with the value moved,
    but only for a target that the user configured: an OpenAI client often talks to another engine.
    """
    if _below_minimum(layout, inversion):
        return Severity.INFO
    return at_confidence(BY_LIFETIME[lifetime or inversion.lifetime], confidence_of(layout, inversion))


def _below_minimum(layout: Layout, inversion: Inversion) -> bool:
    # A conversation grows past any minimum, so only a prompt of bounded length can stay below it.
    if not layout.target.configured or inversion.history_stranded:
        return False
    reachable = inversion.stable_tokens_before + inversion.stranded_tokens
    return reachable < layout.target.cache.minimum
