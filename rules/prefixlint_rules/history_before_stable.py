"""PFX108: the conversation before fixed content."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, SourceKind, in_one_piece, late_system


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
        # A conversation behind a conversation is no fixed text: nothing could stand in front of both.
        # Behind messages, a note of some lines is the usual way to close a request.
        usual = 2 if inversion.placed.role == "history" and _grows(inversion) else 1
        least = self.options.min_stranded_tokens
        return inversion.stranded_tokens >= usual * least and in_one_piece(inversion, least)

    def claim(self, inversion: Inversion) -> str:
        return "grows with every turn" if _grows(inversion) else super().claim(inversion)


def _grows(inversion: Inversion) -> bool:
    return bool(getattr(inversion.placed.segment, "grows", False))
