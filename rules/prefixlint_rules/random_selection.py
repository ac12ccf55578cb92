"""PFX204: shuffled or randomly drawn items before more stable content."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, Lifetime, SourceKind


class RandomSelection(InversionRule):
    code = "PFX204"
    name = "random-selection"
    since = "0.1.0"
    summary = "Shuffled or randomly drawn items before more stable content"
    kinds = frozenset({SourceKind.SHUFFLED})
    remedy = "draw once, or with a generator of its own and a fixed seed"

    def claim(self, inversion: Inversion) -> str:
        if inversion.lifetime is Lifetime.REQUEST:
            return "is drawn anew for every request"
        return super().claim(inversion)
