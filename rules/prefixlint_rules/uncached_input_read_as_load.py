"""PFX603: Anthropic's input_tokens summed as all that was sent."""

from __future__ import annotations

from prefixlint.api import CodeFact, CodeRule, quoted

OTHERS = frozenset({"cache_read_input_tokens", "cache_creation_input_tokens"})


class UncachedInputReadAsLoad(CodeRule):
    code = "PFX603"
    name = "uncached-input-read-as-load"
    since = "0.1.0"
    summary = "Anthropic's input_tokens summed as if cached tokens were among them"

    def fault(self, fact: CodeFact) -> str:
        if fact.kind != "sum" or "input_tokens" not in fact.counters or fact.words & OTHERS:
            return ""
        if not {"anthropic", "cache_control"} <= fact.words:
            return ""
        return (
            f"{quoted(fact.expression)} sums input_tokens, which leave out what the cache holds; with cache markers "
            "the prompt is input_tokens + cache_read_input_tokens + cache_creation_input_tokens"
        )
