"""PFX102: a unique id before more stable content."""

from __future__ import annotations

from prefixlint.api import InversionRule, SourceKind


class VolatileId(InversionRule):
    code = "PFX102"
    name = "volatile-id"
    since = "0.1.0"
    summary = "A unique id before more stable content"
    kinds = frozenset({SourceKind.ID})
