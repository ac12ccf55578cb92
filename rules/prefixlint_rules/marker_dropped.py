"""PFX407: a cache marker that the API it is sent to does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.api import Rule, Severity, template_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout

CLIENTS = ("openai", "azure-openai")
"""Clients that send what OpenAI's API describes, which has no ``cache_control``."""


class MarkerDropped(Rule):
    code = "PFX407"
    name = "marker-dropped"
    since = "0.1.0"
    summary = "A cache marker of Anthropic's API in a request to an API that does not know it"

    def check(self, layout: Layout) -> Iterator[Finding]:
        template, target = layout.template, layout.target
        marked = next((block for block in template.blocks if block.cache_marker), None)
        # A name with a provider in front of it ("anthropic/claude-…") is for a relay, which translates markers.
        if marked is None or template.engine not in CLIENTS or "/" in (template.model or "/"):
            return
        if target.engine in CLIENTS:
            severity, what = Severity.WARNING, f"{target.name} has no cache_control, and caches without one"
        elif target.cache.model == "breakpoint":
            # The address may be that of a proxy that passes markers on.
            severity = Severity.INFO
            what = f"the OpenAI-compatible API of {target.engine} drops it, and caches nothing without one"
        else:
            return
        message = f"the cache marker has no effect: {what}; use the provider's own client, or leave the marker out"
        yield template_finding(self, layout, severity, message, marked.span)
