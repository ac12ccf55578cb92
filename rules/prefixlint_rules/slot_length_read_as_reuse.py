"""PFX604: llama-server's tokens_cached taken for the tokens that were reused."""

from __future__ import annotations

import re

from prefixlint.api import CodeFact, CodeRule, quoted

REUSE = re.compile(r"cache|reuse|hit", re.IGNORECASE)
SERVER = frozenset({"/completion", "n_predict", "tokens_evaluated", "timings"})


class SlotLengthReadAsReuse(CodeRule):
    code = "PFX604"
    name = "slot-length-read-as-reuse"
    since = "0.1.0"
    summary = "llama-server's tokens_cached taken for the number of reused tokens"

    def fault(self, fact: CodeFact) -> str:
        if "tokens_cached" not in fact.counters or not fact.words & SERVER:
            return ""
        if fact.kind == "ratio" or (fact.kind == "read" and REUSE.search(fact.name)):
            return (
                f"{quoted(fact.expression)}: tokens_cached is the length of everything in the slot, the answer "
                "included, not what was reused; that is timings.cache_n"
            )
        return ""
