"""PFX110: an image or another attachment before fixed text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import Inversion, InversionRule, Lifetime, SourceKind, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout

ANSWERED = frozenset({"assistant", "tool"})


class AttachmentFirst(InversionRule):
    code = "PFX110"
    name = "attachment-first"
    since = "0.1.0"
    summary = "An image or another attachment before fixed text"
    kinds = frozenset({SourceKind.ATTACHMENT})
    remedy = "put the fixed text in front of it"

    def check(self, layout: Layout) -> Iterator[Finding]:
        # Among answers and results of tools it is part of a conversation: sent once, and kept where it is.
        if not any(block.role in ANSWERED for block in layout.template.blocks):
            yield from super().check(layout)

    def subject(self, inversion: Inversion) -> str:
        return f"the attachment {quoted(inversion.expression)}"

    def claim(self, inversion: Inversion) -> str:
        if inversion.lifetime is Lifetime.REQUEST:
            return "is another one in every request"
        return super().claim(inversion)
