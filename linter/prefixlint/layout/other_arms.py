"""Prompts with another arm of a choice in the place of the one that tells most.

A layout shows one arm of each choice. What a value in another arm strands stands in no place of that layout, so each
such arm is laid out once by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.knowledge.phrases import phrases
from prefixlint.layout.flatten import fullest
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.segments import Choice, Repeat, Text, Value, literal_length, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Template

MOST = 6
"""How many other arms of one template are looked at."""
LEAST_PHRASES = 3
LEAST_TEXT = 150
"""Characters of fixed text behind a value that varies, from which on an arm may have a finding of its own: some 30
tokens, half of the fewest that count."""


def other_arms(template: Template) -> Iterator[tuple[Template, frozenset[Span]]]:
    """The template with another arm in the place of the one that stands for a choice, and the places of what varies in
    that arm alone; at most ``MOST``.

    Only arms that may hold a finding of their own: a value that varies, with text behind it. In a text that is a prompt
    by its words alone, an arm that is most of it has to have such words too: they may be those of the first arm.
    """
    shown = {place for block in template.blocks for place in _shown(block.segments)}
    by_words = template.form.startswith("prompt-")
    made = 0
    for index, block in enumerate(template.blocks):
        for arm, segments in _with_another(block.segments):
            own = _places(arm) - shown
            if not own or (by_words and literal_length(segments) < 2 * literal_length(arm) and not _reads(arm)):
                continue
            blocks = (*template.blocks[:index], replace(block, segments=segments), *template.blocks[index + 1 :])
            yield replace(template, blocks=blocks), own
            made += 1
            if made == MOST:
                return


Arm = tuple["Segment", ...]


def _with_another(segments: Arm) -> Iterator[tuple[Arm, Arm]]:
    """Another arm, and ``segments`` with it alone, for each choice in what is shown of them."""
    for at, segment in enumerate(segments):
        if isinstance(segment, Text | Value):
            continue
        for arm, changed in _changed(segment):
            yield arm, (*segments[:at], changed, *segments[at + 1 :])


def _changed(segment: Choice | Repeat) -> Iterator[tuple[Arm, Choice | Repeat]]:
    if isinstance(segment, Repeat):
        for arm, body in _with_another(segment.body):
            yield arm, replace(segment, body=body)
        return
    first = fullest(segment.arms)
    for arm in segment.arms:
        if arm is not first and _may_strand(arm):
            yield arm, replace(segment, arms=(arm,))
    for arm, inner in _with_another(first):
        yield arm, replace(segment, arms=(inner,))


def _reads(arm: Arm) -> bool:
    """Whether an arm has phrases of prompts: as many different ones as make a text one."""
    text = "".join(segment.text for segment in walk(arm) if isinstance(segment, Text))
    return len(set(phrases().phrase.findall(text.lower()))) >= LEAST_PHRASES


def _may_strand(arm: Arm) -> bool:
    varies, behind = False, 0
    for segment in walk(arm):
        if isinstance(segment, Text):
            behind += len(segment.text) if varies else 0
        elif segment.lifetime.varies and segment.confidence is not Confidence.LOW:
            varies = True
    return behind >= LEAST_TEXT


def _shown(segments: Sequence[Segment]) -> Iterator[Span]:
    for segment in segments:
        if isinstance(segment, Choice):
            yield from _shown(fullest(segment.arms))
        elif not isinstance(segment, Text):
            yield segment.span
            if isinstance(segment, Repeat):
                yield from _shown(segment.body)


def _places(arm: Arm) -> frozenset[Span]:
    return frozenset(segment.span for segment in walk(arm) if isinstance(segment, Value | Repeat))
