"""PFX202: a directory listing before more stable content."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, SourceKind, serialised


class UnsortedListing(InversionRule):
    code = "PFX202"
    name = "unsorted-listing"
    since = "0.1.0"
    summary = "A directory listing in the order of the file system before more stable content"
    kinds = frozenset({SourceKind.LISTING})
    remedy = "sort it"

    def selects(self, inversion: Inversion) -> bool:
        return super().selects(inversion) and not serialised(inversion)

    def claim(self, inversion: Inversion) -> str:
        return "comes in the order of the file system"
