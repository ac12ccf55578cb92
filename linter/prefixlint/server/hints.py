"""Running token counts of prompts, and one line above each prompt that says how far its stable prefix reaches."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.model.segments import Text, Value
from prefixlint.model.sources import SourceMap
from prefixlint.report.lines import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.model.layouts import Layout, Placed
    from prefixlint.model.sources import Position, Run
    from prefixlint.server.analysis import Analysis

MOST = 3
"""Counts shown at one place: a text may stand in many prompts."""


@dataclass(frozen=True, slots=True)
class Hint:
    """``counts`` are how many tokens of a request precede ``position``, in each prompt that it is part of."""

    position: Position
    counts: tuple[int, ...]
    prompts: tuple[str, ...]

    @property
    def label(self) -> str:
        """``40`` or, in several prompts, ``40, 112``."""
        shown = [f"{count:,}" for count in dict.fromkeys(self.counts)]
        return ", ".join(shown[:MOST]) + (", …" if len(shown) > MOST else "")

    @property
    def tooltip(self) -> str:
        told = zip(self.counts, self.prompts, strict=True)
        rows = [f"{plural(count, 'token')} in front in {name}" for count, name in told]
        return "\n".join(rows[: 2 * MOST])


@dataclass(frozen=True, slots=True)
class Lens:
    """What stands above the prompt that begins at ``position``."""

    position: Position
    title: str


def hints(analysis: Analysis, *, lines: bool, first: int = 1, last: int | None = None) -> tuple[Hint, ...]:
    """Counts at the beginning of each part of each prompt, and with ``lines`` at each line of its text.

    ``first`` and ``last`` are the lines (from 1) of the document that are asked for.
    """
    found: dict[Position, dict[str, int]] = {}
    for layout in analysis.result.layouts:
        for position, count in _counts(analysis, layout, lines):
            if first <= position.line and (last is None or position.line <= last):
                found.setdefault(position, {}).setdefault(_name(layout), count)
    return tuple(Hint(position, tuple(counts.values()), tuple(counts)) for position, counts in sorted(found.items()))


def _name(layout: Layout) -> str:
    return f"{layout.template.name} (line {layout.template.span.start.line:,}, {layout.target.name})"


def _counts(analysis: Analysis, layout: Layout, lines: bool) -> Iterator[tuple[Position, int]]:
    path = analysis.source.path
    within = _Within(layout)
    for number, placed in enumerate(layout.placed):
        segment = placed.segment
        if isinstance(segment, Value):
            if segment.span.path == path:
                yield segment.span.start, placed.start
        elif isinstance(segment, Text) and segment.text and segment.span().path == path:
            for position, offset in beginnings(segment, lines):
                count = within.count(number, offset)
                if count is not None:
                    yield position, count


def beginnings(segment: Text, lines: bool) -> Iterator[tuple[Position, int]]:
    """Places in the file where parts of a text begin, with ``lines`` also its lines, and the character there."""
    source, text = segment.source, segment.text
    if not isinstance(source, SourceMap):
        yield source.start, 0
        return
    for start, end in source.stretches():
        position = source.span(start, start).start
        yield position, start
        line = position.line
        for run in source.slice(start, end).runs if lines else ():
            for offset in _line_starts(text, start + run.start, run):
                position = source.span(offset, offset).start
                if position.line > line:
                    line = position.line
                    yield position, offset


def _line_starts(text: str, start: int, run: Run) -> Iterator[int]:
    """The run's first character, and those behind its line breaks where it stands letter for letter in the file."""
    yield start
    if run.length == run.source_length:
        newline = text.find("\n", start, start + run.length - 1)
        while newline != -1:
            yield newline + 1
            newline = text.find("\n", newline + 1, start + run.length - 1)


class _Within:
    """Token counts at places within the parts of a layout.

    The parts between two pieces of counted framing are one text to the tokenizer, or all of them where a chat template
    wrote the framing.
    """

    def __init__(self, layout: Layout) -> None:
        from prefixlint.layout.remembering import remembering

        self._layout = layout
        self._tokenizer = remembering(layout.target.tokenizer, chat=layout.target.chat_template is not None)
        self._group: list[int] = []
        self._texts: list[list[Placed]] = [[]]
        self._before: list[int] = []
        length = 0
        for placed in layout.placed:
            framing = isinstance(placed.segment, Text) and not placed.segment.text and not placed.text
            if framing and placed.tokens:
                self._texts.append([])
                length = 0
            else:
                self._texts[-1].append(placed)
            self._group.append(len(self._texts) - 1)
            self._before.append(length)
            length += len(placed.text)

    def count(self, number: int, offset: int) -> int | None:
        """Tokens in front of character ``offset`` of the part ``number``; None where the texts do not add up to it."""
        parts = self._texts[self._group[number]]
        starts = self._tokenizer.starts("".join(part.text for part in parts))
        first, before = parts[0].start, self._before[number]
        if first + bisect_left(starts, before) != self._layout.placed[number].start:
            return None
        return first + bisect_left(starts, before + offset)


def lenses(analysis: Analysis) -> tuple[Lens, ...]:
    """One line for each prompt of the document."""
    out = []
    for layout in analysis.result.layouts:
        span = layout.template.span
        if span.path == analysis.source.path:
            out.append(Lens(span.start, title(layout)))
    return tuple(out)


def title(layout: Layout) -> str:
    """``stable prefix 40 of 1,812 tokens``, and what is stranded behind it."""
    stable = max(layout.stable_tokens, layout.stable_prefix_tokens)
    text = f"stable prefix {layout.stable_prefix_tokens:,} of {plural(stable, 'token')}"
    stranded = [f"{layout.stranded_tokens:,}"] if layout.stranded_tokens else []
    stranded += ["the conversation"] if layout.history_stranded else []
    if stranded:
        text += f", {' and '.join(stranded)} stranded"
    if layout.predictions:
        first = layout.predictions[0]
        text += f"; {first.engine} reuses {first.cached_tokens:,}"
    return text
