"""PFX602: a cached count that the server does not report, read as 0."""

from __future__ import annotations

from prefixlint.api import CodeFact, CodeRule, quoted

WHY = {
    "prompt_eval_cached_count": "Ollama reports it from 0.33.3 on",
    "cache_n": "older builds of llama-server do not report it",
}


class MissingCountReadAsZero(CodeRule):
    code = "PFX602"
    name = "missing-count-read-as-zero"
    since = "0.1.0"
    summary = "A cached count that the server may not report, read as 0"

    def fault(self, fact: CodeFact) -> str:
        if fact.kind != "default":
            return ""
        for counter, why in WHY.items():
            if counter in fact.zeroed and (counter != "cache_n" or "timings" in fact.words):
                return (
                    f"{quoted(fact.expression)} reads a missing count as 0: {why}, and a missing one is unknown; "
                    "keep it None"
                )
        return ""
