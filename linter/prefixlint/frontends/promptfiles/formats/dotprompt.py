"""``.prompt`` files (dotprompt): front matter, then Handlebars with ``{{role "system"}}`` and ``{{history}}``.

Source: google/dotprompt specification, read 2026-11.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats.front_matter import model_in, parted
from prefixlint.frontends.promptfiles.formats.jinja_file import loader, stem
from prefixlint.frontends.promptfiles.jinja_source import jinja_parts
from prefixlint.frontends.promptfiles.placeholders import live_syntax, mustache_parts, segments_in
from prefixlint.frontends.promptfiles.roles import messages

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.marks import Part


def read(found: Found) -> None:
    file = found.file
    whole = parted(file, commented=True)
    text = whole.body
    parts: tuple[Part, ...]
    syntax = live_syntax([text.text])
    if whole.settings is None and syntax == "jinja" and "{%" in text.text:
        # The suffix is older than dotprompt, and other projects write Jinja in such files.
        parts = jinja_parts(text, loader=loader(found))
    elif whole.settings is None and "{{" not in text.text:
        parts = segments_in(text, syntax)
    else:
        parts = mustache_parts(text)
    name = whole.settings.string("name") if whole.settings else ""
    found.add(
        "dotprompt",
        name or stem(file.path),
        messages(parts),
        file.span(0, len(file.text)),
        model=model_in(whole.settings),
    )
