"""PFX304: a summary of the conversation in front of the conversation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.api import Confidence, Inversion, InversionRule, Lifetime, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.api import Finding, Layout


class SummaryBeforeHistory(InversionRule):
    code = "PFX304"
    name = "summary-before-history"
    since = "0.1.0"
    summary = "A summary written anew on each turn in front of the conversation"
    kinds = frozenset({SourceKind.SUMMARY})
    remedy = "write it only when the conversation is cut, or put it into the last message"

    def selects(self, inversion: Inversion) -> bool:
        return super().selects(inversion) and inversion.history_stranded

    def claim(self, inversion: Inversion) -> str:
        return "changes with every turn" if inversion.lifetime is Lifetime.REQUEST else super().claim(inversion)

    def check(self, layout: Layout) -> Iterator[Finding]:
        yield from super().check(replace(layout, inversions=tuple(_sure(one) for one in layout.inversions)))


def _sure(inversion: Inversion) -> Inversion:
    """By its name alone a summary may be one that was written when the conversation was cut, and is kept since."""
    return inversion if inversion.confidence is Confidence.CERTAIN else replace(inversion, confidence=Confidence.LOW)
