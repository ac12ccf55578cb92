"""PFX203: JSON of a collection without a fixed order before more stable content."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, SourceKind, serialised


class UnsortedJson(InversionRule):
    code = "PFX203"
    name = "unsorted-json"
    since = "0.1.0"
    summary = "JSON or YAML of a collection without a fixed order before more stable content"
    kinds = frozenset({SourceKind.UNORDERED, SourceKind.LISTING})
    remedy = "sort what goes into it, keys with sort_keys=True"

    def selects(self, inversion: Inversion) -> bool:
        return super().selects(inversion) and serialised(inversion)

    def claim(self, inversion: Inversion) -> str:
        return "writes down what comes in no fixed order"
