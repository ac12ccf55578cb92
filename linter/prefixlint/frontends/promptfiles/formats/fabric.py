"""fabric patterns: ``patterns/<name>/system.md`` is the system text; the input stands at ``{{input}}`` or at the end.

Source: danielmiessler/fabric, internal/plugins/db/fsdb/patterns.go and internal/plugins/template, read 2026-11.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.facts import Facts
from prefixlint.frontends.promptfiles.formats.known import known
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.placeholders import double_brace_segments
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Text

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found

_INPUT = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH, name="input")


def read(found: Found) -> None:
    file = found.file
    held: list[Segment] = list(double_brace_segments(verbatim(file), _variable))
    end = len(file.text)
    if "{{input}}" not in file.text:
        if not file.text.endswith("\n"):
            held.append(Text("\n", file.span(end, end)))
        held.append(_INPUT.value("input", file.span(end, end)))
    name = PurePosixPath(file.path).parent.name
    found.add("fabric", name, [block("system", held)], file.span(0, end))


def _variable(name: str) -> Facts:
    """A variable of the command line; braces in a pattern may also be what it writes about."""
    facts = known("fabric")(name)
    return facts if name == "input" else replace(facts, confidence=Confidence.LOW)
