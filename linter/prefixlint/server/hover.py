"""What is said of the part of a prompt under the pointer: how long it lasts, where it comes from, what it strands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.segments import Choice, Repeat, Text
from prefixlint.report.lines import plural
from prefixlint.sentences import CHANGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.model.layouts import Inversion, Layout, Placed
    from prefixlint.model.segments import Value
    from prefixlint.model.sources import Position, Span
    from prefixlint.server.analysis import Analysis

MOST_TEMPLATES = 4
"""Prompts told of where one text is part of many."""


def at(analysis: Analysis, position: Position) -> tuple[Span, str] | None:
    """The place and the Markdown text for ``position`` in the document; None where no prompt is.

    Of parts inside one another the innermost counts; a text that stands in several prompts is told of in each.
    """
    found = [(layout, placed, span) for layout, placed, span in _under(analysis, position)]
    if not found:
        return None
    smallest = min((span for _, _, span in found), key=lambda span: _size(analysis, span))
    here = [(layout, placed) for layout, placed, span in found if span == smallest]
    told: dict[str, None] = {}
    for layout, placed in here:
        told.setdefault(_in_one(layout, placed))
    texts = list(told)
    segment = here[0][1].segment
    head = [] if isinstance(segment, Text) else [_subject(segment)]
    rest = [f"… and in {plural(len(texts) - MOST_TEMPLATES, 'more prompt')}"] if len(texts) > MOST_TEMPLATES else []
    return smallest, "\n\n".join([*head, *texts[:MOST_TEMPLATES], *rest])


def _under(analysis: Analysis, position: Position) -> Iterator[tuple[Layout, Placed, Span]]:
    for layout in analysis.result.layouts:
        for placed in layout.placed:
            for span in _spans(placed):
                if span.path == analysis.source.path and span.start <= position < span.end:
                    yield layout, placed, span


def _spans(placed: Placed) -> Iterator[Span]:
    """Its places in files; none for framing and other text without characters."""
    segment = placed.segment
    if isinstance(segment, Text):
        yield from segment.spans()
    else:
        yield segment.span


def _size(analysis: Analysis, span: Span) -> int:
    return analysis.source.offset(span.end) - analysis.source.offset(span.start)


def _subject(segment: Value | Choice | Repeat) -> str:
    """What it is, how long it lasts, where it comes from."""
    kind = segment.origin.kind.value.replace("-", " ")
    what = {Choice: "choice by ", Repeat: "repeated over "}.get(type(segment), "")
    lasts = CHANGES[segment.lifetime]
    sure = {"certain": "", "high": "", "low": ", judged by its name or shape alone"}[segment.confidence.value]
    lines = [f"{what}{code(segment.expression)}: **{segment.lifetime.value}** ({kind}), {lasts}{sure}"]
    lines += [f"- {hop.note}: {_where(hop.span)}" for hop in segment.origin.hops]
    return "\n".join(lines)


def _where(span: Span) -> str:
    name = span.path.rpartition("/")[2]
    return f"{code(name)} line {span.start.line:,}"


def _in_one(layout: Layout, placed: Placed) -> str:
    """Where it stands in one prompt, and what that costs."""
    name = code(layout.template.name)
    if isinstance(placed.segment, Text):
        return _of_text(layout, placed, name)
    stands = f"In {name} ({layout.target.name}) it stands at token {placed.start:,} of {layout.total_tokens:,}"
    inversion = next((each for each in layout.inversions if each.span == placed.segment.span), None)
    if inversion is not None:
        return f"{stands} and **strands {_stranded(inversion)}** behind it."
    point = layout.breakpoint
    if point is not None and point.span == placed.segment.span:
        return f"{stands}; the stable prefix ends here, and nothing more stable is behind it."
    return f"{stands} and strands nothing."


def _stranded(inversion: Inversion) -> str:
    parts = [plural(inversion.stranded_tokens, "stable token")] if inversion.stranded_tokens else []
    parts += ["the conversation"] if inversion.history_stranded else []
    return " and ".join(parts)


def _of_text(layout: Layout, placed: Placed, name: str) -> str:
    counted = (
        f"{plural(placed.tokens, 'token')}, {placed.start:,} to {placed.end:,} of {layout.total_tokens:,} in {name}"
    )
    if not placed.lifetime.known or placed.lifetime.varies:
        return f"{counted}: {CHANGES[placed.lifetime]}."
    prefix = layout.stable_prefix_tokens
    if placed.end <= prefix:
        return f"{counted}: in the stable prefix."
    if placed.start >= prefix:
        return f"{counted}: behind the breakpoint at token {prefix:,}, so it is computed again with every request."
    return f"{counted}: the stable prefix ends in it, at token {prefix:,}."


def code(text: str) -> str:
    """``text`` on one line as Markdown code, whatever it holds."""
    line = " ".join(text.split())
    line = line if len(line) <= 120 else line[:119] + "…"
    fence = "`"
    while fence in line:
        fence += "`"
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"
