"""PFX403: more cache markers than the provider takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import Choice, Repeat, Rule, Severity, template_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Block, Finding, Layout


class TooManyMarkers(Rule):
    code = "PFX403"
    name = "too-many-markers"
    since = "0.1.0"
    summary = "More cache markers than the provider takes"

    def check(self, layout: Layout) -> Iterator[Finding]:
        limit = layout.target.cache.max_breakpoints
        if limit is None:
            return
        marked = [block for block in layout.template.blocks if block.cache_marker and _always(block)]
        if len(marked) > limit:
            message = (
                f"{len(marked)} cache markers, and {layout.target.engine} takes {limit}: it refuses the "
                "request; keep those at the ends of what changes together"
            )
            yield template_finding(self, layout, Severity.ERROR, message, marked[limit].span)


def _always(block: Block) -> bool:
    """Is the block there in every request?"""
    return not all(isinstance(segment, Choice | Repeat) for segment in block.segments)
