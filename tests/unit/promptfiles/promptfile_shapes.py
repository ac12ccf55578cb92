"""What a template looks like, short enough to write by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles import extract, might_hold_prompt
from prefixlint.model.segments import Choice, Repeat, Segment, Text, Value
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.templates import Template


def shape(segments: Sequence[Segment]) -> str:
    """Text as it stands, ``<name lifetime>``, ``[if x: …| …]``, ``[for x: …]``."""
    out = []
    for segment in segments:
        if isinstance(segment, Text):
            out.append(segment.text)
        elif isinstance(segment, Value):
            out.append(f"<{segment.expression} {segment.lifetime.value}{'+' if segment.grows else ''}>")
        elif isinstance(segment, Choice):
            out.append(f"[if {segment.expression}: {'|'.join(shape(arm) for arm in segment.arms)}]")
        elif isinstance(segment, Repeat):
            out.append(f"[for {segment.expression}: {shape(segment.body)}]")
    return "".join(out)


def templates(path: str, source: str, others: dict[str, str] | None = None) -> list[Template]:
    """Templates in a file that passes the cheap test and has no problems."""
    assert might_hold_prompt(path, source.encode())
    files = {name: SourceFile(name, text) for name, text in (others or {}).items()}
    found = extract(SourceFile(path, source), files.get if others is not None else None)
    assert found.problems == ()
    return list(found.templates)


def blocks(template: Template) -> list[tuple[str, str]]:
    return [(block.role, shape(block.segments)) for block in template.blocks]


def only(path: str, source: str, others: dict[str, str] | None = None) -> Template:
    (template,) = templates(path, source, others)
    return template
