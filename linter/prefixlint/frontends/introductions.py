"""Values of neutral names, judged by the words of the prompt that introduce them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.knowledge.introductions import (
    BROKEN,
    REACH,
    introduced,
    is_fixed,
    is_persona,
    lists_configured,
    presents,
)
from prefixlint.knowledge.names import NameMeaning
from prefixlint.model.lifetimes import Confidence, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, literal_length, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.model.segments import Segment
    from prefixlint.model.templates import Block, Template

_EXAMPLE = 40
"""Characters of fixed text that an example has at least."""
_PERSONA = "\1"
"""Stands there for a value that says who the model is to be: of what follows, some is the persona's own."""


def by_introductions(template: Template) -> Template:
    """The same template; values of which nothing is known are what the text in front of them says that they are."""
    asked = _asked(template.blocks)
    blocks = tuple(
        block if (found := _told(block.segments, block is asked)) is None else replace(block, segments=found)
        for block in template.blocks
    )
    return (
        template
        if all(a is b for a, b in zip(blocks, template.blocks, strict=True))
        else replace(template, blocks=blocks)
    )


def _asked(blocks: tuple[Block, ...]) -> Block | None:
    """The last message, where examples stand in front of it: what a user gave, and what the model is to answer."""
    *before, last = blocks
    examples = [block.role for block in before if literal_length(block.segments) >= _EXAMPLE]
    shown = last.role == "user" and "assistant" in examples and "user" in examples[: examples.index("assistant")]
    return last if shown else None


def _told(segments: tuple[Segment, ...], asked: bool) -> tuple[Segment, ...] | None:
    """The segments of a block with what was found out, or None; ``asked`` as in ``_asked``."""
    if not any(_is_neutral(segment) or _is_told(segment) for segment in walk(segments)):
        return None
    found, _ = _walk(segments, "", None)
    if asked:
        found = tuple(_given(found))
    return found if found != segments else None


def _given(segments: tuple[Segment, ...]) -> Iterator[Segment]:
    """The last message behind examples: what fills a line by itself there is what is given this time."""
    for at, segment in enumerate(segments):
        before, behind = segments[at - 1] if at else None, segments[at + 1] if at + 1 < len(segments) else None
        alone = (before is None or (isinstance(before, Text) and before.text.rstrip(" \t").endswith("\n"))) and (
            behind is None or (isinstance(behind, Text) and behind.text.lstrip(" \t").startswith("\n"))
        )
        if alone and isinstance(segment, Value) and _is_neutral(segment) and _is_data(segment.expression):
            origin = Origin(SourceKind.USER_INPUT, segment.origin.hops)
            yield replace(segment, lifetime=Lifetime.REQUEST, origin=origin, confidence=Confidence.HIGH)
        else:
            yield segment


def _walk(segments: tuple[Segment, ...], before: str, around: NameMeaning | None) -> tuple[tuple[Segment, ...], str]:
    out: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Text):
            before = (before + segment.text)[-REACH:]
        elif isinstance(segment, Choice):
            arms = [_walk(arm, before, around) for arm in segment.arms]
            segment = replace(segment, arms=tuple(arm for arm, _ in arms))
            before = next((after for arm, after in arms if arm), before)
        else:
            means = (introduced(before) or around) if _is_neutral(segment) and _is_data(segment.expression) else None
            persona = before[before.rfind(_PERSONA) :] if _PERSONA in before else ""
            if (persona and _is_own(segment)) or (_is_told(segment) and lists_configured(before, segment.expression)):
                means = _OWN
            if isinstance(segment, Repeat):
                segment = replace(segment, body=_walk(segment.body, before, means)[0])
            if means is not None:
                segment = replace(
                    segment,
                    lifetime=means.lifetime,
                    origin=Origin(means.kind, segment.origin.hops),
                    confidence=means.confidence,
                    grows=means.grows,
                )
            before = _PERSONA if presents(before, segment.expression) else (before + BROKEN)[-REACH:]
        out.append(segment)
    return tuple(out), before


_OWN = NameMeaning(Lifetime.DEPLOYMENT, SourceKind.CONFIGURATION, Confidence.HIGH)


def _is_told(segment: Segment) -> bool:
    """Whether only the name of a value tells that it is what the user gives: it comes from nowhere but itself."""
    if not isinstance(segment, Value) or segment.origin.kind is not SourceKind.USER_INPUT:
        return False
    return all(hop.kind is not HopKind.PART and hop.expression == segment.expression for hop in segment.origin.hops)


def _is_own(segment: Segment) -> bool:
    """Whether such a value may be a persona's own."""
    return _is_told(segment) and isinstance(segment, Value) and is_persona(segment.expression)


_FIXED = re.compile(r"(?:self|cls)(?:\.\w+)+\Z|[A-Z][A-Z0-9_]*\Z|len\(")


def _is_data(expression: str) -> bool:
    """Whether an expression could stand for what a request brings: no attribute of its object, no constant, and no
    name with a word that may name something fixed."""
    return _FIXED.match(expression) is None and not is_fixed(expression)


def _is_neutral(segment: Segment) -> bool:
    """Whether nothing is known of a value: neither how long it lasts nor where it comes from."""
    return (
        isinstance(segment, Value | Repeat)
        and not segment.lifetime.known
        and segment.origin.kind is SourceKind.PARAMETER
    )
