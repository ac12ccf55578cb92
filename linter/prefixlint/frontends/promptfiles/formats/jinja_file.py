"""Jinja files: one prompt each, or messages with role headers or role tags."""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.file_kinds import is_included, named_prompt, place
from prefixlint.frontends.promptfiles.formats.known import names_in
from prefixlint.frontends.promptfiles.jinja_source import jinja_parts
from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.marks import RoleMark
from prefixlint.frontends.promptfiles.roles import HEADER, messages
from prefixlint.frontends.promptfiles.wording import addresses_model, other_jinja, prose
from prefixlint.model.lifetimes import Confidence

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.jinja_source import Loader
    from prefixlint.model.segments import Text
    from prefixlint.model.sources import SourceFile

ROLE_SYNTAX = JinjaSyntax(trim_blocks=True, keep_trailing_newline=True)
"""How promptflow and prompty set up Jinja for files with role headers."""
_TAG_SYNTAX = JinjaSyntax(trim_blocks=True, lstrip_blocks=True)
"""How banks (and LlamaIndex with it) sets up Jinja for files with ``{% chat %}`` tags."""


def confidence_of(file: SourceFile) -> Confidence | None:
    """How sure it is that this Jinja file is a prompt; None when it is none."""
    if is_included(file.path):
        return Confidence.HIGH
    text = file.text
    marks = prose(text)
    if HEADER.search(text) and marks >= 2 and not other_jinja(text):
        return Confidence.HIGH
    if ("{% chat role" in text or "{% message role" in text) and marks >= 1:
        return Confidence.HIGH
    place = named_prompt(file.path)
    if place and marks >= 2 and (marks >= 5 or addresses_model(text) or not other_jinja(text)):
        return Confidence.HIGH
    if not place and marks >= 6 and addresses_model(text) and not other_jinja(text):
        return Confidence.LOW
    return None


def stem(path: str) -> str:
    """Name of a prompt file: its stem, with its folder where the stem says nothing (``planner/prompt``)."""
    pure = PurePosixPath(path)
    name = pure.name.partition(".")[0]
    if name.lower() in ("prompt", "system", "user", "template", "skprompt", "instructions") and pure.parent.name:
        return f"{pure.parent.name}/{name}"
    return name


def read(found: Found) -> None:
    file = found.file
    confidence = confidence_of(file)
    if confidence is None:
        return
    with_roles = HEADER.search(file.text) is not None
    syntax = _TAG_SYNTAX if "{% chat " in file.text else ROLE_SYNTAX if with_roles else JinjaSyntax()
    try:
        parts = jinja_parts(verbatim(file), syntax=syntax, names=names_in(file.text), loader=loader(found))
    except PromptFileError as error:
        # A page of other syntax that merely reads like a prompt is no fault of its author's.
        if confidence is Confidence.HIGH:
            found.problems.append(error.problem)
        return
    blocks = messages(parts)
    chat = len(blocks) > 1 or any(isinstance(part, RoleMark) for part in parts) or with_roles
    found.add(
        "jinja-chat" if chat else "jinja-file",
        stem(file.path),
        blocks,
        file.span(0, len(file.text)),
        confidence=confidence,
        constant_too=chat,
    )


def loader(found: Found) -> Loader | None:
    """Finds an included template next to the file and in the folders above it."""
    read_file = found.read
    if read_file is None:
        return None
    here = PurePosixPath(found.file.path).parent
    depth = min(4, len(PurePosixPath(place(found.file.path)).parts) - 1)

    def load(name: str) -> Text | None:
        clean = PurePosixPath(name)
        if clean.is_absolute() or ".." in clean.parts:
            return None
        for above in range(depth + 1):
            source = read_file(posixpath.normpath(here.joinpath(*[".."] * above, clean)))
            if source is not None:
                return verbatim(source)
        return None

    return load
