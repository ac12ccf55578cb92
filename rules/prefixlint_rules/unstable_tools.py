"""PFX205: tools in an unstable order, or other tools in each request."""

from __future__ import annotations

from prefixlint.api import TOOL_KINDS, Inversion, InversionRule, SourceKind, quoted


class UnstableTools(InversionRule):
    code = "PFX205"
    name = "unstable-tools"
    since = "0.1.0"
    summary = "Tools in an unstable order, or other tools in each request"
    kinds = TOOL_KINDS
    place = "tools"

    def subject(self, inversion: Inversion) -> str:
        return f"the list of tools {quoted(inversion.expression)}"

    def claim(self, inversion: Inversion) -> str:
        if inversion.origin.kind in (SourceKind.USER_INPUT, SourceKind.RETRIEVAL):
            return "holds other tools in every request"
        return "comes in no fixed order"

    def advice(self, inversion: Inversion) -> str:
        if inversion.origin.kind in (SourceKind.USER_INPUT, SourceKind.RETRIEVAL):
            return "send the same tools each time and say in the last message which to use"
        return "sort it by name"
