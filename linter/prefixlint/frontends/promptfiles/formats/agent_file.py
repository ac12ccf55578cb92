"""Agents and skills in Markdown: front matter with ``name`` and ``description``, then the system text.

Source: Claude Code documentation, "Subagents", "Skills" and "Slash commands", read 2026-11. The text is constant but
for ``$ARGUMENTS`` and the output of commands (``!`git status` ``), which run each time the text is read. A command
begins a line or follows white space: `` `#REF!`, `#N/A` `` runs nothing.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import Facts
from prefixlint.frontends.promptfiles.file_kinds import place
from prefixlint.frontends.promptfiles.formats.front_matter import model_in, parted
from prefixlint.frontends.promptfiles.mapping import cut, span_of
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.segments import Segment

_LIVE = re.compile(r"(?<!\S)!`([^`\s][^`\n]*)`|\$ARGUMENTS\b")
_RUN = Facts(Lifetime.REQUEST, Origin(SourceKind.ENVIRONMENT), Confidence.LOW)
_GIVEN = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.LOW)


_SKILL = "SKILL.md"
_DEPTH = 4
"""Most folders above a file in which its skill is looked for."""
_PARTS = frozenset({"references", "reference", "assets", "resources", "examples"})
"""Folders of a skill, as its documentation calls them."""


def belongs_to_skill(found: Found) -> bool:
    """True for Markdown in the folder of a skill: pages that its text names, for the agent to read as they are."""
    path = PurePosixPath(found.file.path)
    if found.read is None or path.suffix.lower() not in (".md", ".markdown"):
        return False
    folders = PurePosixPath(place(found.file.path)).parts[:-1]
    for above in range(min(_DEPTH, len(folders) + 1)):
        if above == len(folders) and (not folders or folders[0] not in _PARTS):
            return False  # a project that describes itself as a skill may hold prompts of its own
        if found.read(posixpath.normpath(path.parent.joinpath(*[".."] * above, _SKILL))) is not None:
            return True
    return False


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
