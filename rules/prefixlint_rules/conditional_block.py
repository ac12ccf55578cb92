"""PFX109: a block that comes and goes before more stable content."""

from __future__ import annotations

from prefixlint.api import Choice, Inversion, InversionRule, SourceKind, quoted


class ConditionalBlock(InversionRule):
    code = "PFX109"
    name = "conditional-block"
    since = "0.1.0"
    summary = "A block that comes and goes before more stable content"
    default = False

    def selects(self, inversion: Inversion) -> bool:
        return isinstance(inversion.placed.segment, Choice) or inversion.origin.kind is SourceKind.CONDITIONAL

    def subject(self, inversion: Inversion) -> str:
        return f"the block that depends on {quoted(inversion.expression)}"
