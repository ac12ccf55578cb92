"""PFX201: a collection without a fixed order before more stable content."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, Lifetime, SourceKind, serialised


class UnorderedCollection(InversionRule):
    code = "PFX201"
    name = "unordered-collection"
    since = "0.1.0"
    summary = "A set, or results as they happen to arrive, before more stable content"
    kinds = frozenset({SourceKind.UNORDERED})
    remedy = "sort it"

    def selects(self, inversion: Inversion) -> bool:
        return super().selects(inversion) and not serialised(inversion)

    def claim(self, inversion: Inversion) -> str:
        if inversion.lifetime is Lifetime.PROCESS:
            return "comes in an order that differs from process to process"
        return "comes in no fixed order"
