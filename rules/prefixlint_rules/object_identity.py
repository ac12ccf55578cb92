"""PFX206: an address in memory or a seeded hash before more stable content."""

from __future__ import annotations

from prefixlint.api import InversionRule, SourceKind


class ObjectIdentity(InversionRule):
    code = "PFX206"
    name = "object-identity"
    since = "0.1.0"
    summary = "A default repr, id() or hash() before more stable content"
    kinds = frozenset({SourceKind.IDENTITY})
    remedy = "write what identifies the object by its content"
