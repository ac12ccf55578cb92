"""PFX105: the user's input before more stable content."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, Lifetime, SourceKind


class VolatileUserInput(InversionRule):
    code = "PFX105"
    name = "volatile-user-input"
    since = "0.1.0"
    summary = "User input, or another input to one request, before more stable content"
    kinds = frozenset({SourceKind.USER_INPUT, SourceKind.SUMMARY})
    parameters = frozenset({Lifetime.REQUEST, Lifetime.TURN})

    def selects(self, inversion: Inversion) -> bool:
        # A summary in front of the conversation that it sums up is a matter of its own.
        retold = inversion.origin.kind is SourceKind.SUMMARY and inversion.history_stranded
        return super().selects(inversion) and not retold
