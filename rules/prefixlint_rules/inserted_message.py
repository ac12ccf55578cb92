"""PFX302: a message that varies is inserted in front of the conversation."""

from __future__ import annotations

from prefixlint.api import INSERTED_KINDS, Inversion, InversionRule, quoted


class InsertedMessage(InversionRule):
    code = "PFX302"
    name = "inserted-message"
    since = "0.1.0"
    summary = "A message that changes is inserted in front of the conversation or into it"
    kinds = INSERTED_KINDS
    place = "inserted"
    remedy = "add it at the end, behind the conversation"

    def subject(self, inversion: Inversion) -> str:
        return f"the inserted message with {quoted(inversion.expression)}"
