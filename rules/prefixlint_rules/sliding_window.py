"""PFX301: a conversation of which only the last messages are sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.api import Options, Rule, Severity, drift_finding, drifting, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout


@dataclass(frozen=True, slots=True)
class WindowOptions(Options):
    """``min_window``: a window that is known to hold fewer messages than this is passed over: it costs next to
    nothing."""

    min_window: int = 3


@dataclass(frozen=True, slots=True)
class SlidingWindow(Rule):
    code = "PFX301"
    name = "sliding-window"
    since = "0.1.0"
    summary = "Only the last messages of a conversation are sent: its front moves with each turn"

    options: WindowOptions = field(default_factory=WindowOptions)

    def check(self, layout: Layout) -> Iterator[Finding]:
        for placed, segment, drift in drifting(layout, "window"):
            if drift.size is not None and drift.size < self.options.min_window:
                continue
            # A text that a run writes on and sends again and again is the conversation itself.
            printed = placed.role != "history" and not (drift.within and not placed.role)
            what = "the last entries" if drift.size is None else f"the last {drift.size:,} entries"
            message = (
                f"{quoted(drift.expression)} keeps {what} of the conversation: once there are more, each turn drops "
                f"the first, and all from token {placed.start:,} on is computed again; cut seldom and by half, and "
                "send the rest unchanged"
            )
            # Printed into a text, a conversation is material for one answer, and the text is short.
            severity = Severity.INFO if printed else Severity.WARNING
            yield drift_finding(self, layout, severity, message, placed, segment, drift)
