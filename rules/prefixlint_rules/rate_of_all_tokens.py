"""PFX601: a prefill rate that counts tokens nobody computed."""

from __future__ import annotations

from prefixlint.api import CodeFact, CodeRule, quoted

RATES = {"prompt_eval_count": "prompt_eval_duration", "tokens_evaluated": "prompt_ms"}
"""A count of all tokens of a prompt, and the duration that covers only those computed."""
CACHED = frozenset({"prompt_eval_cached_count", "cache_n", "cached_tokens"})


class RateOfAllTokens(CodeRule):
    code = "PFX601"
    name = "rate-of-all-tokens"
    since = "0.1.0"
    summary = "A prefill rate from a token count that includes cached tokens"

    def fault(self, fact: CodeFact) -> str:
        if fact.kind != "ratio" or (fact.counters | fact.over) & CACHED:
            return ""
        for count, duration in RATES.items():
            sides = (fact.counters, fact.over)
            if any(count in one and duration in other for one, other in (sides, sides[::-1])):
                return (
                    f"{quoted(fact.expression)} divides all tokens of the prompt by the time that computing the "
                    f"uncached ones took: {count} includes cached tokens, {duration} does not; subtract "
                    "them, and give no rate where their number is unknown"
                )
        return ""
