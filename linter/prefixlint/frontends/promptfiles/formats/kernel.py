"""Semantic Kernel: ``skprompt.txt`` with ``config.json`` beside it, and functions in YAML; ``<message role="x">`` tags.

Source: Semantic Kernel documentation, "Prompt template syntax", "Handlebars prompt templates", "YAML schema reference",
"Messages in prompts"; read 2026-11. Text outside of messages is not sent where there are messages.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats.front_matter import parted
from prefixlint.frontends.promptfiles.formats.jinja_file import stem
from prefixlint.frontends.promptfiles.placeholders import live_syntax, segments_in
from prefixlint.frontends.promptfiles.roles import messages
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found

_SYNTAX = {
    "handlebars": "mustache",
    "jinja2": "jinja",
    "liquid": "jinja",
    "semantic-kernel": "kernel",
    "": "kernel",
}
_MESSAGE = re.compile(r"<message\s+role\s*=\s*[\"'](\w+)[\"']\s*>|</message\s*>")


def read_yaml(found: Found, root: Mapping_) -> bool:
    """Functions: ``template:`` with ``template_format:`` or ``execution_settings:``."""
    template = root.get("template")
    if not isinstance(template, Scalar) or root.get("template_format", "execution_settings", "input_variables") is None:
        return False
    syntax = _SYNTAX.get(root.string("template_format").lower(), "kernel")
    name = root.string("name") or PurePosixPath(found.file.path).stem
    found.add("semantic-kernel", name, messages(found.segments(template.text(), syntax), _MESSAGE), template.span)
    return True


def read_text(found: Found) -> None:
    """A prompt in a file of its own, its syntax named in ``config.json`` beside it."""
    file = found.file
    body = parted(file).body
    syntax = live_syntax([body.text])
    settings = found.read(str(PurePosixPath(file.path).with_name("config.json"))) if found.read else None
    if settings is not None and '"handlebars"' in settings.text:
        syntax = "mustache"
    elif settings is not None and '"jinja2"' in settings.text:
        syntax = "jinja"
    elif syntax in ("jinja", "format", ""):
        syntax = "kernel"
    blocks = messages(segments_in(body, syntax), _MESSAGE)
    found.add("semantic-kernel", stem(file.path), blocks, file.span(0, len(file.text)), constant_too=True)
