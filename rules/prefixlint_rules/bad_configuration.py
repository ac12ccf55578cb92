"""PFX903: a setting that does not exist or has a value it cannot have."""

from __future__ import annotations

from prefixlint.api import LinterRule


class BadConfiguration(LinterRule):
    code = "PFX903"
    name = "bad-configuration"
    since = "0.1.0"
    summary = "A setting that does not exist or has a value it cannot have"
