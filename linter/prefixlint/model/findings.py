"""Findings: what a rule reports, and the edit that would mend it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Literal

from prefixlint.model.frozen import dataclass

if TYPE_CHECKING:
    from prefixlint.model.lifetimes import Confidence, HopKind, Lifetime
    from prefixlint.model.sources import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """2 for error, 1 for warning, 0 for info."""
        return {"error": 2, "warning": 1, "info": 0}[self.value]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding: where the value was created, passed on, or the prompt was sent."""

    span: Span
    note: str
    kind: HopKind | None = None
    """What happens there, where it is a step of a value's or a prompt's way."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters of ``span`` by ``replacement``."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that mends a finding. ``kind``: it moves text, gives an order to what has none, or changes a value."""

    applicability: Literal["safe", "unsafe"]
    message: str
    edits: tuple[Edit, ...] = ()
    kind: Literal["move", "order", "value"] = "move"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place, as in the JSON output (version 1)."""

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    span: Span
    template: str = ""
    lifetime: Lifetime | None = None
    expression: str | None = None
    related: tuple[Related, ...] = ()
    stable_tokens_before: int = 0
    stranded_tokens: int = 0
    history_stranded: bool = False
    fix: Fix | None = None
    url: str = ""
