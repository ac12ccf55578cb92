"""PFX405: a long stable prefix, and no cache marker for a provider that caches nothing without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import Rule, Severity, template_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout


class NoMarker(Rule):
    code = "PFX405"
    name = "no-marker"
    since = "0.1.0"
    summary = "A long stable prefix without a cache marker, on a provider that caches nothing without one"
    default = False

    def check(self, layout: Layout) -> Iterator[Finding]:
        cache, template = layout.target.cache, layout.template
        if cache.model != "breakpoint" or cache.implicit_write or template.engine is None:
            return
        stable = layout.stable_prefix_tokens
        if any(block.cache_marker for block in template.blocks) or stable < cache.minimum:
            return
        about = "" if layout.target.exact else "about "
        message = (
            f"the first {about}{stable:,} tokens stay the same, and {layout.target.name} caches nothing without a "
            "marker: set one at the end of the last block that stays the same"
        )
        yield template_finding(self, layout, Severity.WARNING, message, template.span, stable_tokens_before=stable)
