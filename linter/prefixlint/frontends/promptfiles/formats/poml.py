"""POML: prompts of components, in document order; ``{{x}}``, ``for=`` and ``if=`` are live.

Source: microsoft/poml documentation and its renderer, read 2026-11. Where nobody speaks all text is the user's; else
what stands in front of the first message is the system's, and text between messages the user's. Tools are seen first.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats.poml_markup import Markup, Piece
from prefixlint.frontends.promptfiles.formats.poml_tree import Chars, Element, parse
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.templates import Block

_TOOLS = ("tooldefinition", "tool", "toolschema")


def read(found: Found) -> None:
    file = found.file
    root = parse(file)
    markup = Markup(file, found.read)
    pieces = markup.pieces(root, 0)
    bounds = ("POML in another syntax than Markdown, or with a style sheet, is laid out as Markdown",)
    found.add(
        "poml",
        PurePosixPath(file.path).stem,
        [*_tools(file, root), *_messages(markup, pieces)],
        file.span(0, len(file.text)),
        constant_too=True,
        bounds=bounds if markup.other else (),
    )


def _messages(markup: Markup, pieces: list[Piece]) -> Iterator[Block | None]:
    spoken = any(piece.role for piece in pieces)
    rest: list[Piece] = []
    role = "system" if spoken else "user"
    for piece in pieces:
        if not piece.role:
            rest.append(piece)
            continue
        yield block(role, markup.together(rest))
        rest, role = [], "user"
        yield block(piece.role, piece.parts)
    yield block(role, markup.together(rest))


def _tools(file: SourceFile, root: Element) -> Iterator[Block]:
    """Definitions of tools, which an engine sees in front of all messages."""
    for child in root.children:
        if not isinstance(child, Element):
            continue
        if child.name in _TOOLS:
            texts = [
                verbatim(file, held.start, held.start + len(held.value))
                for name in ("name", "description")
                if (held := child.attributes.get(name)) is not None and held.value
            ]
            texts += [verbatim(file, held.start, held.end) for held in child.children if isinstance(held, Chars)]
            line = Text("\n", file.span(child.start, child.start))
            parts = [part for at, text in enumerate(texts) for part in ((line, text) if at else (text,))]
            found = block("", parts, file.span(child.start, child.end))
            if found is not None:
                yield replace(found, component="tools")
        else:
            yield from _tools(file, child)
