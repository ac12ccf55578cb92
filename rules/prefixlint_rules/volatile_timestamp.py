"""PFX101: a clock value before more stable content."""

from __future__ import annotations

from prefixlint.api import InversionRule, SourceKind


class VolatileTimestamp(InversionRule):
    code = "PFX101"
    name = "volatile-timestamp"
    since = "0.1.0"
    summary = "A clock value before more stable content"
    kinds = frozenset({SourceKind.CLOCK})
