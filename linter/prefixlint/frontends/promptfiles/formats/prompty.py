"""``.prompty`` files: front matter, then Jinja with role headers (microsoft/prompty specification, read 2026-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats.front_matter import model_in, parted
from prefixlint.frontends.promptfiles.formats.jinja_file import ROLE_SYNTAX, loader, stem
from prefixlint.frontends.promptfiles.jinja_source import jinja_parts
from prefixlint.frontends.promptfiles.placeholders import mustache_segments
from prefixlint.frontends.promptfiles.roles import messages

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.marks import Part


def read(found: Found) -> None:
    file = found.file
    whole = parted(file)
    name = whole.settings.string("name") if whole.settings else ""
    syntax = _template_format(found)
    parts: tuple[Part, ...]
    if syntax == "mustache":
        parts = mustache_segments(whole.body)
    else:
        parts = jinja_parts(whole.body, syntax=ROLE_SYNTAX, loader=loader(found))
    found.add(
        "prompty",
        name or stem(file.path),
        [found.tools(whole.settings.get("tools") if whole.settings else None), *messages(parts)],
        file.span(0, len(file.text)),
        model=model_in(whole.settings),
        constant_too=True,
    )


def _template_format(found: Found) -> str:
    settings = parted(found.file).settings
    node = settings.get("template") if settings else None
    from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar

    if isinstance(node, Scalar):
        return node.value.lower()
    return node.string("format", "type").lower() if isinstance(node, Mapping_) else "jinja2"
