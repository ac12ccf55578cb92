"""PFX305: a system message behind the conversation."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, SourceKind, late_system


class LateSystemMessage(InversionRule):
    code = "PFX305"
    name = "late-system-message"
    since = "0.1.0"
    summary = "A fixed system message behind the conversation"
    kinds = frozenset({SourceKind.HISTORY})
    remedy = "send it once, in front of the conversation"

    def selects(self, inversion: Inversion) -> bool:
        return super().selects(inversion) and late_system(inversion)

    def counts(self, inversion: Inversion) -> bool:
        return inversion.late_system_tokens >= self.options.min_stranded_tokens

    def subject(self, inversion: Inversion) -> str:
        return f"the system message behind {super().subject(inversion)}"

    def claim(self, inversion: Inversion) -> str:
        return "moves with every turn"
