"""PFX106: data of a user or a session before more stable content."""

from __future__ import annotations

from prefixlint.api import InversionRule, Lifetime, SourceKind


class VolatileSessionData(InversionRule):
    code = "PFX106"
    name = "volatile-session-data"
    since = "0.1.0"
    summary = "User or session data (name, locale, tenant, memory) before more stable content"
    kinds = frozenset({SourceKind.SESSION})
    parameters = frozenset({Lifetime.USER, Lifetime.SESSION})
