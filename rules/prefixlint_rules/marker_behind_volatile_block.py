"""PFX402: a cache marker behind a value that differs from request to request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import CHANGES, Hop, HopKind, Rule, Severity, marked_blocks, quoted, template_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout


class MarkerBehindVolatileBlock(Rule):
    code = "PFX402"
    name = "marker-behind-volatile-block"
    since = "0.1.0"
    summary = "A cache marker behind a value that differs from request to request"

    def check(self, layout: Layout) -> Iterator[Finding]:
        for marked in marked_blocks(layout):
            for value in () if marked.own else marked.before[:1]:
                message = (
                    f"the cache marker of this block stands behind {quoted(value.expression)}, which "
                    f"{CHANGES[value.lifetime]}: each request writes an entry that none reads; "
                    "move the value behind the marker"
                )
                place = Hop(HopKind.DIFFERS, value.span)
                yield template_finding(
                    self, layout, Severity.ERROR, message, marked.block.span, about=value, related=(place,)
                )
