"""ACME001: a prompt that is long, with a stable prefix shorter than Acme agreed on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from prefixlint.api import Finding, Layout, Options, Rule, Severity, template_finding


@dataclass(frozen=True, slots=True)
class ShortPrefixOptions(Options):
    """``min_prefix``: tokens that every stable prefix must have. ``min_prompt``: shorter prompts are left alone."""

    min_prefix: int = 1024
    min_prompt: int = 1024


@dataclass(frozen=True, slots=True)
class ShortPrefix(Rule):
    code = "ACME001"
    name = "short-prefix"
    since = "1.0.0"
    summary = "A stable prefix shorter than agreed on"

    options: ShortPrefixOptions = field(default_factory=ShortPrefixOptions)

    def check(self, layout: Layout) -> Iterator[Finding]:
        prefix, wanted = layout.stable_prefix_tokens, self.options.min_prefix
        if layout.total_tokens >= self.options.min_prompt and prefix < wanted:
            message = f"the stable prefix has {prefix:,} of {layout.total_tokens:,} tokens, and we agreed on {wanted:,}"
            yield template_finding(self, layout, Severity.WARNING, message, layout.template.span)
