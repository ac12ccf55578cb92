"""PFX303: messages that were sent before are sent in another form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import Inversion, InversionRule, Severity, SourceKind, drift_finding, drifting, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout


class RewrittenHistory(InversionRule):
    code = "PFX303"
    name = "rewritten-history"
    since = "0.1.0"
    summary = "Earlier messages of a conversation are sent in another form than before"
    kinds = frozenset(SourceKind)
    place = "each-message"
    remedy = "store it with the message when it is made, and send the message unchanged"

    def subject(self, inversion: Inversion) -> str:
        return f"{quoted(inversion.expression)} in each message of the conversation"

    def check(self, layout: Layout) -> Iterator[Finding]:
        yield from super().check(layout)
        for placed, segment, drift in drifting(layout, "renewed"):
            if segment.origin.kind is not SourceKind.HISTORY:
                continue
            message = (
                f"{quoted(drift.expression)} is made anew for each message of the conversation whenever it is sent: "
                f"all from token {placed.start:,} on is computed again on each turn; {self.remedy}"
            )
            yield drift_finding(self, layout, Severity.ERROR, message, placed, segment, drift)
        for placed, segment, drift in drifting(layout, "rewritten"):
            message = (
                f"{quoted(drift.expression)} depends on how many messages have followed: an earlier message takes "
                "another form on a later turn, and all behind it is computed again; rewrite seldom, many at a time"
            )
            yield drift_finding(self, layout, Severity.WARNING, message, placed, segment, drift)
