"""PFX108: the conversation before fixed content."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, SourceKind, late_system


class HistoryBeforeStable(InversionRule):
    code = "PFX108"
    name = "history-before-stable"
    since = "0.1.0"
    summary = "A growing conversation before fixed content"
    kinds = frozenset({SourceKind.HISTORY})
    remedy = "put the fixed text in front of the conversation"

    def selects(self, inversion: Inversion) -> bool:
        return super().selects(inversion) and not late_system(inversion)

    def counts(self, inversion: Inversion) -> bool:
        # A conversation behind a conversation is no fixed text: there is nothing that could stand in front of both.
        return inversion.stranded_tokens >= self.options.min_stranded_tokens

    def claim(self, inversion: Inversion) -> str:
        if getattr(inversion.placed.segment, "grows", False):
            return "grows with every turn"
        return super().claim(inversion)
