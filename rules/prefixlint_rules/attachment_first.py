"""PFX110: an image or another attachment before fixed text."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, Lifetime, SourceKind, quoted


class AttachmentFirst(InversionRule):
    code = "PFX110"
    name = "attachment-first"
    since = "0.1.0"
    summary = "An image or another attachment before fixed text"
    kinds = frozenset({SourceKind.ATTACHMENT})
    remedy = "put the fixed text in front of it"

    def subject(self, inversion: Inversion) -> str:
        return f"the attachment {quoted(inversion.expression)}"

    def claim(self, inversion: Inversion) -> str:
        if inversion.lifetime is Lifetime.REQUEST:
            return "is another one in every request"
        return super().claim(inversion)
