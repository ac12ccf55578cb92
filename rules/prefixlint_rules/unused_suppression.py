"""PFX902: a suppression comment that suppresses nothing or names no known rule."""

from __future__ import annotations

from prefixlint.api import LinterRule


class UnusedSuppression(LinterRule):
    code = "PFX902"
    name = "unused-suppression"
    since = "0.1.0"
    summary = "A suppression comment that suppresses nothing or names no known rule"
