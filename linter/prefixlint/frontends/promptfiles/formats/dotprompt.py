"""``.prompt`` files (dotprompt): front matter, then Handlebars with ``{{role "system"}}`` and ``{{history}}``.

Source: google/dotprompt specification, read 2026-11.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats.front_matter import model_in, parted
from prefixlint.frontends.promptfiles.formats.jinja_file import stem
from prefixlint.frontends.promptfiles.jinja_expressions import RoleMark
from prefixlint.frontends.promptfiles.mapping import cut, span_of
from prefixlint.frontends.promptfiles.placeholders import live_syntax, mustache_segments, segments_in
from prefixlint.frontends.promptfiles.roles import messages

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.jinja_expressions import Part

_ROLE = re.compile(r"\{\{~?\s*role\s+[\"'](\w+)[\"']\s*~?\}\}")


def read(found: Found) -> None:
    file = found.file
    whole = parted(file)
    text = whole.body
    parts: list[Part] = []
    if whole.settings is None and not _ROLE.search(text.text):
        syntax = live_syntax([text.text])
        parts += segments_in(text, syntax)
    else:
        at = 0
        for match in _ROLE.finditer(text.text):
            parts += mustache_segments(cut(text, at, match.start()))
            parts.append(RoleMark(match.group(1), span_of(text, match.start(), match.end())))
            at = match.end()
        parts += mustache_segments(cut(text, at, len(text.text)))
    name = whole.settings.string("name") if whole.settings else ""
    found.add(
        "dotprompt",
        name or stem(file.path),
        messages(parts),
        file.span(0, len(file.text)),
        model=model_in(whole.settings),
    )
