"""PFX401: a cache marker at the end of a block that differs from request to request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import CHANGES, Finding, Rule, Severity, at_confidence, marked_blocks, quoted, rule_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Layout


class MarkerOnVolatileBlock(Rule):
    code = "PFX401"
    name = "marker-on-volatile-block"
    since = "0.1.0"
    summary = "A cache marker at the end of a block that differs from request to request"

    def check(self, layout: Layout) -> Iterator[Finding]:
        for marked in marked_blocks(layout):
            for value in marked.own[:1]:
                confidence = value.confidence.at_most(layout.template.confidence)
                yield Finding(
                    code=self.code,
                    name=self.name,
                    severity=at_confidence(Severity.ERROR, confidence),
                    confidence=confidence,
                    message=f"{quoted(value.expression)} {CHANGES[value.lifetime]} and stands in a block that ends "
                    "in a cache marker: each request writes an entry that none reads; end that block in front of it",
                    span=value.span,
                    template=layout.template.id,
                    lifetime=value.lifetime,
                    expression=value.expression,
                    url=rule_url(self),
                )
