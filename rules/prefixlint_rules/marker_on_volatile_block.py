"""PFX401: a cache marker at the end of a block that differs from request to request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import CHANGES, Rule, Severity, marked_blocks, quoted, template_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout


class MarkerOnVolatileBlock(Rule):
    code = "PFX401"
    name = "marker-on-volatile-block"
    since = "0.1.0"
    summary = "A cache marker at the end of a block that differs from request to request"

    def check(self, layout: Layout) -> Iterator[Finding]:
        for marked in marked_blocks(layout):
            for value in marked.own[:1]:
                message = (
                    f"{quoted(value.expression)} {CHANGES[value.lifetime]} and stands in a block that ends "
                    "in a cache marker: each request writes an entry that none reads; end that block in front of it"
                )
                yield template_finding(self, layout, Severity.ERROR, message, value.span, about=value)
