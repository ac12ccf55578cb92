"""PFX304: a summary of the conversation in front of the conversation."""

from __future__ import annotations

from dataclasses import replace

from prefixlint.api import Confidence, Inversion, InversionRule, Lifetime, SourceKind


class SummaryBeforeHistory(InversionRule):
    code = "PFX304"
    name = "summary-before-history"
    since = "0.1.0"
    summary = "A summary written anew on each turn in front of the conversation"
    kinds = frozenset({SourceKind.SUMMARY})
    remedy = "write it only when the conversation is cut, or put it into the last message"

    def selects(self, inversion: Inversion) -> bool:
        return super().selects(inversion) and inversion.history_stranded

    def claim(self, inversion: Inversion) -> str:
        return "changes with every turn" if inversion.lifetime is Lifetime.REQUEST else super().claim(inversion)

    def judged(self, inversion: Inversion) -> Inversion:
        # By its name alone a summary may be one that was written when the conversation was cut, and is kept since.
        return (
            inversion if inversion.confidence is Confidence.CERTAIN else replace(inversion, confidence=Confidence.LOW)
        )
