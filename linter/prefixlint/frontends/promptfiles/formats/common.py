"""What all formats share: making templates, and judging texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.context import assistant_identity
from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import Names, named
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.placeholders import segments_in
from prefixlint.frontends.promptfiles.roles import block, values_in
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.templates import Block, Template

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax
    from prefixlint.frontends.promptfiles.yaml_source import Node
    from prefixlint.model.lifetimes import Hop
    from prefixlint.model.segments import Segment, Text
    from prefixlint.model.sources import SourceFile, Span
    from prefixlint.model.templates import Problem

Read = Callable[[str], "SourceFile | None"]
"""Reads another file by its path (as relative as the reading file's own), or None."""


@dataclass(slots=True)
class Found:
    """What a format finds in one file, as it goes."""

    file: SourceFile
    read: Read | None = None
    templates: list[Template] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def add(
        self,
        form: str,
        name: str,
        blocks: Sequence[Block | None],
        span: Span,
        *,
        confidence: Confidence = Confidence.HIGH,
        engine: str | None = None,
        model: str | None = None,
        constant_too: bool = False,
        bounds: tuple[str, ...] = (),
        related: tuple[Hop, ...] = (),
    ) -> None:
        """Adds a template, unless it has no text or (but for ``constant_too``) nothing in it is filled in."""
        held = tuple(
            replace(found, segments=assistant_identity(found.segments)) for found in blocks if found is not None
        )
        if held and (constant_too or values_in(held)):
            self.templates.append(Template(form, name, span, held, engine, model, confidence, related, bounds))

    def segments(
        self, text: Text, syntax: str, names: Names = named, options: JinjaSyntax | None = None
    ) -> tuple[Segment, ...]:
        """Segments of ``text``; where it is broken, one problem is noted and there are none."""
        try:
            return segments_in(text, syntax, names, options)
        except PromptFileError as error:
            self.problems.append(error.problem)
            return ()

    def tools(self, node: Node | None) -> Block | None:
        """Definitions of tools, which an engine sees in front of all messages; a list of bare names says nothing."""
        from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Sequence_

        if not isinstance(node, Sequence_) or not any(isinstance(item, Mapping_) for item in node.items):
            return None
        found = block("", (verbatim(self.file, node.start, node.end),), node.span)
        return replace(found, component="tools") if found is not None else None

    def block(self, node: Node | None, role: str, syntax: str, names: Names = named) -> Block | None:
        """A block of one YAML scalar."""
        from prefixlint.frontends.promptfiles.yaml_source import Scalar

        if not isinstance(node, Scalar) or not node.value.strip():
            return None
        return block(role, self.segments(node.text(), syntax, names), node.span)
