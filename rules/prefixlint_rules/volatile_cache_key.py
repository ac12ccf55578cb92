"""PFX406: a cache key or salt that is new in every request."""

from __future__ import annotations

from prefixlint.api import CodeFact, CodeRule, Severity, quoted


class VolatileCacheKey(CodeRule):
    code = "PFX406"
    name = "volatile-cache-key"
    since = "0.1.0"
    summary = "A cache key or salt that is new in every request"
    severity = Severity.ERROR

    def fault(self, fact: CodeFact) -> str:
        if fact.kind != "cache-key":
            return ""
        return (
            f"{fact.name} is {quoted(fact.expression)}, another one in every request: none finds what an earlier one "
            "has left in the cache; use one for all requests that share a prefix"
        )
