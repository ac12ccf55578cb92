"""Plain text and Markdown: a prompt only when name or place, live placeholders and the text itself all say so."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.file_kinds import (
    MUSTACHE_SUFFIXES,
    called_prompt,
    is_agent,
    is_included,
    is_of_editor,
    is_pattern,
    named_prompt,
)
from prefixlint.frontends.promptfiles.formats import agent_file, fabric, jinja_file, kernel
from prefixlint.frontends.promptfiles.formats.front_matter import parted
from prefixlint.frontends.promptfiles.jinja_source import jinja_parts
from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax
from prefixlint.frontends.promptfiles.pages import shows_prompts
from prefixlint.frontends.promptfiles.placeholders import live_syntax, segments_in
from prefixlint.frontends.promptfiles.roles import HEADER, messages
from prefixlint.frontends.promptfiles.wording import addresses_model, asks_model, other_jinja, prose, spells_chat
from prefixlint.model.lifetimes import Confidence

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.marks import Part
    from prefixlint.model.segments import Text
    from prefixlint.model.sources import SourceFile

_LOW_SYNTAXES = ("dollar", "percent", "angle")
"""Syntaxes so common in other text that they alone do not tell a template."""
_PLACEHOLDER = re.compile(r"\{\{? ?([A-Za-z_]\w*) ?\}")
_SEVERAL = 3


def read(found: Found) -> None:
    file = found.file
    if PurePosixPath(file.path).name.lower() == "skprompt.txt":
        kernel.read_text(found)
        return
    if is_pattern(file.path):
        fabric.read(found)
        return
    if is_agent(file.path):
        agent_file.read(found)
        return
    if agent_file.belongs_to_skill(found):
        return  # an agent reads it as it is
    # A page that shows prompts in code fences has headers too, but does not begin with one.
    with_roles = HEADER.match(file.text.lstrip()) is not None
    place = named_prompt(file.path) or spells_chat(file.path, file.text)
    marks = prose(file.text)
    # Elsewhere only a text of tags that plainly addresses a model is one: a loader may name it.
    tagged = "{%" in file.text and "{{" in file.text and marks >= 8 and addresses_model(file.text)
    asks = asks_model(file.path, file.text)
    if not place and not tagged and not asks and not (with_roles and "{{" in file.text and marks >= 3):
        return
    sure = is_included(file.path)
    if not sure and (marks < _least_marks(file) or other_jinja(file.text)):
        return
    body = parted(file).body
    if file.path.lower().endswith(MUSTACHE_SUFFIXES):
        syntax = "mustache"
    else:
        syntax = "editor" if is_of_editor(file.path) else live_syntax([body.text])
    if not syntax or (not sure and syntax in _LOW_SYNTAXES and marks < 5):
        return
    parts: tuple[Part, ...]
    try:
        if syntax == "jinja":
            options = jinja_file.ROLE_SYNTAX if with_roles else JinjaSyntax()
            parts = jinja_parts(body, syntax=options, loader=jinja_file.loader(found))
        else:
            parts = segments_in(body, syntax)
    except PromptFileError as error:
        nunjucks = _nunjucks_parts(body) if syntax == "jinja" and not error.is_bound else None
        if nunjucks is None:
            # Braces in plain text need not be a template; tags and role headers say that they are.
            if sure or with_roles or error.is_bound or "{%" in body.text:
                raise
            return
        parts = nunjucks
    if not sure and not with_roles and shows_prompts(file, parts, named=place):
        return
    blocks = messages(parts)
    form = {"jinja": "jinja-text", "input": "input-text"}.get(syntax, "text-prompt")
    found.add(
        form,
        jinja_file.stem(file.path),
        blocks,
        file.span(0, len(file.text)),
        confidence=Confidence.HIGH if place or asks else Confidence.LOW,
    )


def _least_marks(file: SourceFile) -> int:
    """How many marks of a prompt a text must bear that lies where prompts do.

    A short one that is called a prompt itself, with placeholders that no other text has, need not say much, and one
    with several placeholders less still: somebody fills them in.
    """
    names = set(_PLACEHOLDER.findall(file.text))
    if len(names) >= _SEVERAL and named_prompt(file.path):
        return 1
    return 2 if "{{" in file.text and called_prompt(file.path) else 3


def _nunjucks_parts(body: Text) -> tuple[Part, ...] | None:
    """The parts of a text that is no Jinja but Nunjucks (``{% if a !== b %}``), which promptfoo's prompts are."""
    try:
        return segments_in(body, "nunjucks")
    except PromptFileError:
        return None
