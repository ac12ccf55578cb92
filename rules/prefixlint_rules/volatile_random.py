"""PFX103: a random value before more stable content."""

from __future__ import annotations

from prefixlint.api import InversionRule, SourceKind


class VolatileRandom(InversionRule):
    code = "PFX103"
    name = "volatile-random"
    since = "0.1.0"
    summary = "A random value before more stable content"
    kinds = frozenset({SourceKind.RANDOM})
