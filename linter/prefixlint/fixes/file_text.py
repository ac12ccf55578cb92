"""Moves in the text of YAML, JSON, Jinja and prompt files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.fixes.flow import FIXED
from prefixlint.fixes.hosts import Host, Token
from prefixlint.fixes.moves import moves
from prefixlint.fixes.places import LARGEST_CHOICE
from prefixlint.fixes.units import DANGLING
from prefixlint.model.findings import Fix
from prefixlint.model.segments import Text, literal_length, walk
from prefixlint.model.sources import SourceMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.model.findings import Finding
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.templates import Template


def file_moves(finding: Finding, source: SourceFile, templates: Iterable[Template]) -> Iterator[Fix]:
    """Moves of what stands around the finding's value, within the block of text that holds it."""
    start, end = source.offset(finding.span.start), source.offset(finding.span.end)
    seen = set()
    for template in templates:
        for block in template.blocks:
            segments = [each for each in block.segments if _path(each) == source.path]
            host = _host(source, segments)
            if host is None or tuple(host.starts) in seen:
                continue
            seen.add(tuple(host.starts))
            at = host.offset(start, end)
            if at is None or at not in host.lives:
                continue
            flow = host.flow()
            for move in moves(flow, at):
                edit = host.edit(move)
                if edit is not None:
                    yield Fix("unsafe", host.told(move), (edit,))


def _leans(segment: Segment) -> bool:
    """Does the text of a choice or loop go on from what stands in front of it ("But it failed with …")?"""
    first = next((each for each in walk([segment]) if isinstance(each, Text) and each.text.strip()), None)
    return first is not None and DANGLING.match(first.text) is not None


def _path(segment: Segment) -> str:
    return segment.span().path if isinstance(segment, Text) else segment.span.path


def _host(source: SourceFile, segments: list[Segment]) -> Host | None:
    """The block's text in this file; None where it does not stand there in one piece and in this order."""
    host = Host(source, [Token(0, 0)])
    for segment in segments:
        if isinstance(segment, Text):
            if not isinstance(segment.source, SourceMap):
                return None
            host.add_map(segment.text, segment.source)
        else:
            rank = float(segment.lifetime.rank) if segment.lifetime.known else FIXED
            if literal_length([segment]) > LARGEST_CHOICE or _leans(segment):
                rank = FIXED
            host.add_value(source.offset(segment.span.start), source.offset(segment.span.end), rank)
    if not host.chars or not host.ordered:
        return None
    host.close()
    host.tokens[0] = Token(host.starts[0], host.ends[-1])
    return host
