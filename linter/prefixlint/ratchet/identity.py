"""What a finding is called when lines move: rule, file, template and text, never a line number."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

    from prefixlint.model.findings import Finding
    from prefixlint.model.templates import Template

# Token counts and line numbers in a message move with every edit.
_NUMBER: Final = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """``path`` as the run names it, ``template`` the template's name ("" where there is none), ``text`` the value.

    For a finding without a value, ``text`` is the message with ``#`` for each number. Findings that are alike in all
    four are told apart by nothing but their order.
    """

    path: str
    template: str
    code: str
    text: str


def identities(findings: Iterable[Finding], templates: Iterable[Template]) -> tuple[Identity, ...]:
    """The identity of each finding, in order. ``templates`` are those of the run."""
    names = {template.id: template.name for template in templates}
    return tuple(
        Identity(
            finding.span.path,
            names.get(finding.template, ""),
            finding.code,
            _text(finding),
        )
        for finding in findings
    )


def _text(finding: Finding) -> str:
    text = _NUMBER.sub("#", finding.message) if finding.expression is None else finding.expression
    return " ".join(text.split())


def fingerprints(findings: Sequence[Finding], templates: Iterable[Template]) -> tuple[str, ...]:
    """For each finding 32 hexadecimal digits that stay when lines move, unique among ``findings``."""
    seen: dict[Identity, int] = {}
    out = []
    for identity in identities(findings, templates):
        number = seen.get(identity, 0)
        seen[identity] = number + 1
        parts = (identity.path, identity.template, identity.code, identity.text, str(number))
        out.append(hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return tuple(out)
