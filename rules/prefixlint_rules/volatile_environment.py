"""PFX107: the state of the surroundings before more stable content."""

from __future__ import annotations

from prefixlint.api import InversionRule, Lifetime, SourceKind


class VolatileEnvironment(InversionRule):
    code = "PFX107"
    name = "volatile-environment"
    since = "0.1.0"
    summary = "State of the environment (directory, host, git, counters, settings) before more stable content"
    kinds = frozenset({SourceKind.ENVIRONMENT, SourceKind.CONFIGURATION})
    parameters = frozenset({Lifetime.HOUR, Lifetime.DAY, Lifetime.PROCESS, Lifetime.DEPLOYMENT})
