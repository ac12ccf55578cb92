"""PFX207: what was found stands in the order of its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import Rule, Severity, drift_finding, drifting, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout


class ScoreOrder(Rule):
    code = "PFX207"
    name = "score-order"
    since = "0.1.0"
    summary = "Retrieved text in the order of its score, where a fixed order would do"
    preview = True

    def check(self, layout: Layout) -> Iterator[Finding]:
        for placed, segment, drift in drifting(layout, "ranked"):
            message = (
                f"{quoted(drift.expression)} puts what was found in the order of its score: two questions that find "
                "the same texts send them in two orders; sort them by document and place"
            )
            yield drift_finding(self, layout, Severity.INFO, message, placed, segment, drift)
