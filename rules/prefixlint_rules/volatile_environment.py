"""PFX107: the state of the surroundings before more stable content."""

from __future__ import annotations

from prefixlint.api import Inversion, InversionRule, Lifetime, SourceKind


class VolatileEnvironment(InversionRule):
    code = "PFX107"
    name = "volatile-environment"
    since = "0.1.0"
    summary = "State of the environment (directory, host, git, counters, settings) before more stable content"
    kinds = frozenset({SourceKind.ENVIRONMENT, SourceKind.CONFIGURATION})
    parameters = frozenset({Lifetime.HOUR, Lifetime.DAY, Lifetime.PROCESS, Lifetime.DEPLOYMENT})

    def counts(self, inversion: Inversion) -> bool:
        # Tools stand in front wherever the source puts them: a list that is configured cannot move behind the text.
        return super().counts(inversion) and inversion.placed.component != "tools"
