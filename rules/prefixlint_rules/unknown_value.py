"""PFX111: a value of unknown lifetime before stable content."""

from __future__ import annotations

from prefixlint.api import Choice, Inversion, InversionRule, SourceKind


class UnknownValue(InversionRule):
    code = "PFX111"
    name = "unknown-value"
    since = "0.1.0"
    summary = "A value of unknown lifetime before stable content"
    default = False
    remedy = "move it behind them if it changes, or say in the configuration how long it lasts"

    def selects(self, inversion: Inversion) -> bool:
        if isinstance(inversion.placed.segment, Choice) or inversion.origin.kind is SourceKind.CONDITIONAL:
            return False
        return not inversion.lifetime.known
