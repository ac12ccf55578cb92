"""Agents and skills in Markdown: front matter with ``name`` and ``description``, then the system text.

Source: Claude Code documentation, "Subagents", "Skills" and "Slash commands", read 2026-11. The text is constant but
for ``$ARGUMENTS`` and the output of commands (``!`git status` ``), which run each time the text is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import Facts
from prefixlint.frontends.promptfiles.formats.front_matter import model_in, parted
from prefixlint.frontends.promptfiles.mapping import cut, span_of
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.segments import Segment

_LIVE = re.compile(r"!`([^`\n]+)`|\$ARGUMENTS\b")
_RUN = Facts(Lifetime.REQUEST, Origin(SourceKind.ENVIRONMENT), Confidence.LOW)
_GIVEN = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.LOW)


def read(found: Found) -> None:
    file = found.file
    try:
        whole = parted(file)
    except PromptFileError:
        return  # the tool that reads these files takes settings that are no YAML
    settings = whole.settings
    if settings is None or not settings.string("name") or not settings.string("description"):
        return
    text = whole.body
    held: list[Segment] = []
    at = 0
    for match in _LIVE.finditer(text.text):
        held.append(cut(text, at, match.start()))
        span = span_of(text, match.start(), match.end())
        held.append((_RUN if match.group(1) else _GIVEN).value(match.group(1) or "ARGUMENTS", span))
        at = match.end()
    held.append(cut(text, at, len(text.text)))
    found.add(
        "agent-markdown",
        settings.string("name"),
        [block("system", held)],
        file.span(0, len(file.text)),
        model=model_in(settings),
        constant_too=True,
    )
