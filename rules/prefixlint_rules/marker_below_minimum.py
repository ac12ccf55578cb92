"""PFX404: a cache marker on a prefix that is too short to be cached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import Rule, Severity, Text, template_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout

STAND_IN = 1.5
"""How many tokens of the provider one token of a stand-in tokenizer may be."""


class MarkerBelowMinimum(Rule):
    code = "PFX404"
    name = "marker-below-minimum"
    since = "0.1.0"
    summary = "A cache marker on a prefix that is too short to be cached"

    def check(self, layout: Layout) -> Iterator[Finding]:
        cache, template = layout.target.cache, layout.template
        if cache.model != "breakpoint" or template.engine is None:
            return
        marked = {number for number, block in enumerate(template.blocks) if block.cache_marker}
        ends = [at for at, placed in enumerate(layout.placed, 1) if placed.block in marked and placed.text]
        if not ends:
            return
        upto = layout.placed[: ends[-1]]
        # A value has a length of its own in every request: only fixed text is known to be too short.
        if not all(isinstance(placed.segment, Text) for placed in upto):
            return
        tokens = upto[-1].end
        if tokens * (1 if layout.target.exact else STAND_IN) < cache.minimum:
            about = "" if layout.target.exact else "about "
            message = (
                f"the last cache marker stands at {about}{tokens:,} tokens, and {layout.target.name} caches "
                f"nothing below {cache.minimum:,}: the marker is passed over without an error"
            )
            span = template.blocks[upto[-1].block].span
            yield template_finding(self, layout, Severity.WARNING, message, span, stable_tokens_before=tokens)
