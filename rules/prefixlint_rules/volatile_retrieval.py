"""PFX104: retrieved text before more stable content."""

from __future__ import annotations

from prefixlint.api import InversionRule, SourceKind


class VolatileRetrieval(InversionRule):
    code = "PFX104"
    name = "volatile-retrieval"
    since = "0.1.0"
    summary = "Retrieved text before more stable content"
    kinds = frozenset({SourceKind.RETRIEVAL})
