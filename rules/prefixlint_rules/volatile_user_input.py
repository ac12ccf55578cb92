"""PFX105: the user's input before more stable content."""

from __future__ import annotations

from prefixlint.api import InversionRule, Lifetime, SourceKind


class VolatileUserInput(InversionRule):
    code = "PFX105"
    name = "volatile-user-input"
    since = "0.1.0"
    summary = "User input, or another input to one request, before more stable content"
    kinds = frozenset({SourceKind.USER_INPUT, SourceKind.SUMMARY})
    parameters = frozenset({Lifetime.REQUEST, Lifetime.TURN})
