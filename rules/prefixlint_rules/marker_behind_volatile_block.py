"""PFX402: a cache marker behind a value that differs from request to request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import CHANGES, Finding, Related, Rule, Severity, at_confidence, marked_blocks, quoted, rule_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Layout


class MarkerBehindVolatileBlock(Rule):
    code = "PFX402"
    name = "marker-behind-volatile-block"
    since = "0.1.0"
    summary = "A cache marker behind a value that differs from request to request"

    def check(self, layout: Layout) -> Iterator[Finding]:
        for marked in marked_blocks(layout):
            for value in () if marked.own else marked.before[:1]:
                confidence = value.confidence.at_most(layout.template.confidence)
                yield Finding(
                    code=self.code,
                    name=self.name,
                    severity=at_confidence(Severity.ERROR, confidence),
                    confidence=confidence,
                    message=f"the cache marker of this block stands behind {quoted(value.expression)}, which "
                    f"{CHANGES[value.lifetime]}: each request writes an entry that none reads; "
                    "move the value behind the marker",
                    span=marked.block.span,
                    template=layout.template.id,
                    lifetime=value.lifetime,
                    expression=value.expression,
                    related=(Related(value.span, "differs from request to request"),),
                    url=rule_url(self),
                )
