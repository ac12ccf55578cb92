"""What is done to the blocks of a request, whatever they were built from."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.loops import is_item
from prefixlint.frontends.python.values import (
    Choose,
    Many,
    Maybe,
)
from prefixlint.knowledge.names import meaning
from prefixlint.model.lifetimes import Confidence, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, literal_length, merge_text, walk
from prefixlint.model.sources import SourceMap
from prefixlint.model.templates import SYSTEM_ROLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.frontends.python.values import Item
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Block

Segments = tuple["Segment", ...]
Ways = dict["Span", int]
"""Which arm decisions take, by where they stand."""
_MOST_VARIANTS = 8
_OWN_PROMPT = 160  # characters
_MOST_FIRST = 600  # characters of a first turn
_TELLING = 24  # characters
_MOST_BESIDE = 4  # so many times the fixed text beside a choice, its longest arm is the prompt
_OPTIONAL = 4  # text that is there only under a condition counts for one part in so many
_MOST_SHARED = 10  # of so many places with text, one may stand in several prompts
_MOST_COMMON = 4  # so many times what stands in several prompts, they hold text of their own
# Kinds of values that a name or a way of computing suggests, and that no source has shown.
_SUPPOSED = frozenset({SourceKind.USER_INPUT, SourceKind.HISTORY, SourceKind.PARAMETER, SourceKind.SESSION})

# What a model's answer is taken for.
_GIVEN = frozenset({SourceKind.USER_INPUT, SourceKind.HISTORY, SourceKind.PARAMETER})

# What texts are called in messages, whatever they say.
_HOLDERS = frozenset({"prompt", "content", "text", "message", "body", "data"})


def span_of(segments: Segments) -> Span | None:
    """From the first to the last character of text that stands in one file."""
    spans = [s.span() for s in walk(segments) if isinstance(s, Text) and s.text]
    spans += [s.span for s in segments if isinstance(s, Value)]
    if not spans:
        return None
    texts = [s for s in spans if s.path == spans[0].path]
    start = min(s.start for s in texts)
    end = max(s.end for s in texts)
    return replace(spans[0], start=start, end=end)


def in_place(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """A system message that stands behind other messages stays there: only leading ones form the system component."""
    out: list[Block] = []
    begun = False
    for block in blocks:
        begun = begun or block.component == "messages"
        late = begun and block.component == "system"
        out.append(replace(block, component="messages") if late else block)
    return tuple(out)


def filter_of(items: tuple[Item, ...]) -> Choose | None:
    """A decision of the request over which items a list holds."""
    for item in items:
        if isinstance(item, Maybe) and item.choice.lifetime in (Lifetime.TURN, Lifetime.REQUEST):
            # What is asked of the item itself (is it there twice?) has the same answer each time.
            if not is_item(item.choice.origin):
                return item.choice
            continue
        found = filter_of(item.items) if isinstance(item, Many) else None
        if found is not None:
            return found
    return None


def weight(blocks: list[Block]) -> tuple[int, bool]:
    """How much blocks tell: their fixed text, then whether a conversation in them drifts."""
    drifts = any(s.drift is not None for b in blocks for s in b.segments if isinstance(s, Value))
    return sum(literal_length(b.segments) for b in blocks), drifts


def whole(segments: Segments) -> Segments:
    """A system prompt of which nothing is known but what it was computed from says nothing of what changes in it.

    Its own name may: ``context`` as the whole of a system message is what was retrieved. A ``prompt`` is the system's,
    and so is what is named after the place that it has in a message. Of what stood in a text of its own, that text
    tells more.
    """
    said = [segment for segment in segments if not isinstance(segment, Text) or segment.text.strip()]
    only = said[0] if len(said) == 1 else None
    if isinstance(only, Choice):
        arms = tuple(map(whole, only.arms))
        return segments if arms == only.arms else (replace(only, arms=arms),)
    if not isinstance(only, Value | Repeat):
        return segments
    in_text = only.confidence is not Confidence.CERTAIN and any(hop.kind is HopKind.IN_TEXT for hop in only.origin.hops)
    if only.origin.kind not in _SUPPOSED and not in_text:
        return segments
    name = _identifier(only.expression)
    if meaning(name).lifetime.varies and name not in _HOLDERS:
        return segments
    unknown = replace(only, lifetime=Lifetime.UNKNOWN, confidence=Confidence.LOW, grows=False)
    # Of parts of a content that are joined: what is said of all of them goes for each.
    return (unknown if isinstance(unknown, Value) else replace(unknown, body=whole(unknown.body)),)


def _identifier(expression: str) -> str:
    return re.split(r"\W+", expression.strip())[-1]


def behind_reply(blocks: list[Block]) -> list[Block]:
    """The same blocks; what a user says behind a model's own answer continues the request that it answered.

    Instructions of the system could stand in front, wherever they are.
    """
    for index, block in enumerate(blocks):
        said = tuple(walk(block.segments)) if block.role == "assistant" else ()
        fixed = any(isinstance(segment, Text) and segment.text.strip() for segment in said)
        values = [segment for segment in said if isinstance(segment, Value)]
        if not fixed and values:
            # The answer itself stays as it was given, where nothing says that it is something else.
            first = index if all(value.origin.kind in _GIVEN for value in values) else index + 1
            return [
                later if number < first or later.role in SYSTEM_ROLES else replace(later, appended=True)
                for number, later in enumerate(blocks)
            ]
    return blocks


def either(arms: list[list[Block]], choice: Choose) -> list[Block]:
    """Messages of which one arm is there: what all arms begin with, then a choice in each message that all have.

    Where the arms have other messages, those of the arm that says most, each under the condition.
    """
    if not arms:
        return []
    told: list[list[Block]] = []
    for arm in arms:
        if not any(len(arm) == len(other) and all(map(_alike, arm, other)) for other in told):
            told.append(arm)
    arms = told
    first, shared = arms[0], 0
    while all(shared < len(arm) and _alike(arm[shared], first[shared]) for arm in arms):
        shared += 1
    rests = [arm[shared:] for arm in arms]
    shapes = [[(block.role, block.component, block.cache_marker) for block in rest] for rest in rests]
    talks = any(block.role == "history" for rest in rests for block in rest)
    if not talks and all(shape == shapes[0] for shape in shapes):
        varied = [
            blocks[0]
            if all(_alike(block, blocks[0]) for block in blocks)
            else replace(blocks[0], segments=(_choice(tuple(block.segments for block in blocks), choice),))
            for blocks in zip(*rests, strict=True)
        ]
        return [*first[:shared], *varied]
    best = max(rests, key=weight)
    # ``if turns: … turns[-4:] … else: …``: what is said on the first turn alone is little beside what all others lose.
    drifting = max((rest for rest in rests if weight(rest)[1]), key=weight, default=best)
    if weight(best)[0] < _MOST_FIRST:
        best = drifting
    return [*first[:shared], *(optional(block, choice) for block in best)]


def say_the_same(some: list[Block], others: list[Block]) -> bool:
    """Whether two runs of messages say the same, wherever each is written."""
    return len(some) == len(others) and all(map(_alike, some, others))


def _alike(one: Block, other: Block) -> bool:
    """Whether two messages say the same, wherever each is written."""
    if (one.role, one.component, one.cache_marker) != (other.role, other.component, other.cache_marker):
        return False
    if one.segments == other.segments:
        return True
    texts = [s.text if isinstance(s, Text) else None for s in (*one.segments, *other.segments)]
    return None not in texts and texts[: len(one.segments)] == texts[len(one.segments) :]


def _choice(arms: tuple[Segments, ...], choice: Choose) -> Choice:
    c = choice
    return Choice(arms, c.expression, c.span, c.lifetime, c.origin, c.confidence, c.drift)


def optional(block: Block, choice: Choose) -> Block:
    """A message that is there only under a condition."""
    return replace(block, segments=(_choice((block.segments, ()), choice),))


def conversation_value(expression: str, span: Span) -> Value:
    return Value(expression, span, Lifetime.TURN, Origin(SourceKind.HISTORY), Confidence.HIGH, "list", grows=True)


def as_history(segment: Segment) -> Segment:
    """Messages of which only the list is known: a conversation that grows."""
    if not isinstance(segment, Value):
        return segment
    origin = Origin(SourceKind.HISTORY, segment.origin.hops)
    # A window drops its first messages with each turn: it changes from its start on.
    grows = segment.drift is None or segment.drift.kind == "counted"
    return replace(segment, lifetime=Lifetime.TURN, origin=origin, confidence=Confidence.HIGH, grows=grows)


def variants(blocks: tuple[Block, ...]) -> list[tuple[Block, ...]]:
    """The requests that differ in a whole message: one for each arm, where each is a prompt of its own.

    A template for each language or each kind of model: all are prompts, and a fault in one is none in the others. Where
    hardly anything stands beside the choice, requests that take the same arm share its prefix, whatever decides.
    """
    for index, block in enumerate(blocks):
        if not any(isinstance(segment, Choice) for segment in block.segments):
            continue
        beside = _beside(blocks[:index] + blocks[index + 1 :])
        found = _own_arms(
            block.segments, None if beside is None else sum(_said(b.segments) for b in blocks[index + 1 :])
        )
        if not 1 < len(found) <= _MOST_VARIANTS:
            continue
        arms = [arm for arm, _ in found]
        # Lines for what is not known, or not done, may stand beside the prompts of their own; a value alone says
        # nothing.
        spoken = [arm for arm in arms if literal_length(arm)]
        longest = max(map(literal_length, spoken), default=0)
        prompts = sum(literal_length(arm) >= _OWN_PROMPT for arm in spoken)
        several = prompts > 1 or (prompts == 1 and beside is not None and beside * _MOST_BESIDE <= longest)
        if several and prompts * 2 >= len(spoken) and _apart(tuple(spoken)):
            return [
                tuple(
                    replace(other, segments=arm if at == index else _going(other.segments, ways))
                    for at, other in enumerate(blocks)
                )
                for arm, ways in found
            ]
    return [blocks]


def _going(segments: Segments, ways: Ways) -> Segments:
    """The same with the arm that stands where a decision has gone one way already."""
    out: list[Segment] = []
    for segment in segments:
        way = ways.get(segment.span) if isinstance(segment, Choice) and _is_either(segment) else None
        if not isinstance(segment, Choice):
            out.append(segment)
        elif way is not None:
            out.extend(_going(segment.arms[way], ways))
        else:
            arms = tuple(_going(arm, ways) for arm in segment.arms)
            out.append(segment if arms == segment.arms else replace(segment, arms=arms))
    return merge_text(out)


def _is_either(choice: Choice) -> bool:
    """Whether a choice is one of two texts, in the order in which its condition stands."""
    return len(choice.arms) == 2 and all(choice.arms)


def _beside(others: tuple[Block, ...]) -> int | None:
    """Characters of fixed text in the other messages; None where a conversation among them grows."""
    for block in others:
        if block.role == "history" or block.appended:
            return None
        if any(map(_grows, block.segments)):
            return None
    return sum(literal_length(block.segments) for block in others)


def _grows(segment: Segment) -> bool:
    return any(isinstance(inner, Value | Repeat) and inner.grows for inner in walk((segment,)))


def _own_arms(segments: Segments, later: int | None) -> tuple[tuple[Segments, Ways], ...]:
    """The arms of a message that is nothing but a choice, choices in them opened too, each with the ways that it takes.

    A choice that each request makes anew decides over what stands behind it too, unless that is little (``later``
    characters in later messages, None for a conversation).
    """
    at = next((n for n, segment in enumerate(segments) if isinstance(segment, Choice)), None)
    if at is None:
        return ((segments, {}),)
    only = segments[at]
    assert isinstance(only, Choice)
    before, behind = segments[:at], segments[at + 1 :]
    if before or behind or only.lifetime.varies:
        longest = max(map(literal_length, only.arms), default=0)
        if later is None or any(map(_grows, (*before, *behind))):
            return ((segments, {}),)
        later += _said(behind)
        if later * _MOST_BESIDE > longest:
            return ((segments, {}),)
    return tuple(
        ((*before, *inner, *behind), {only.span: way} | ways)
        for way, arm in enumerate(only.arms)
        for inner, ways in _own_arms(arm, later)
    )


def _said(segments: Segments) -> int:
    """Characters of fixed text; what is there only under a condition counts for less."""
    total = 0
    for segment in segments:
        length = literal_length((segment,))
        optional = isinstance(segment, Choice) and not all(map(literal_length, segment.arms))
        total += length // _OPTIONAL if optional else length
    return total


def _apart(arms: tuple[Segments, ...]) -> bool:
    """Whether hardly any text stands in two arms: otherwise they are one prompt under a condition."""
    found = [{(span.path, span.start): length for span, length in _telling(arm)} for arm in arms]
    several = Counter(place for places in found for place in places)
    shared = {place for place, count in several.items() if count > 1}
    if len(shared) * _MOST_SHARED <= len(several):
        return True
    own = sum(length for places in found for place, length in places.items() if place not in shared)
    common = sum(max(places.get(place, 0) for places in found) for place in shared)
    return common * _MOST_COMMON <= own


def telling_places(segments: Segments) -> Iterator[Span]:
    """Places of the fixed text that tells prompts apart; a constant filled in leaves a place on either side."""
    return (span for span, _ in _telling(segments))


def _telling(segments: Segments) -> Iterator[tuple[Span, int]]:
    """Places of the fixed text that tells prompts apart, and how many characters stand there."""
    for segment in walk(segments):
        if not isinstance(segment, Text) or len(segment.text.strip()) < _TELLING:
            continue
        whole = segment.source
        for start, end in whole.stretches() if isinstance(whole, SourceMap) else ((0, len(segment.text)),):
            length = len(segment.text[start:end].strip())
            if length >= _TELLING:
                yield segment.span(start, end), length


def changes_front(blocks: Sequence[Block]) -> bool:
    """Whether something that varies is put in front of a conversation, or into its system message: that needs no text.

    Of a whole message that a parameter is, the callers tell more than its name.
    """
    values: list[Value] = []
    for block in blocks:
        held = [s for s in walk(block.segments) if isinstance(s, Value)]
        if any(value.grows for value in held):
            return any(value.lifetime.varies and value.confidence is not Confidence.LOW for value in values)
        told = len(block.segments) > 1 or not any(value.name for value in held)
        if told and (block.role == "system" or block.inserted is not None):
            values += held
    return False


def drifts_of(block: Block) -> Iterator[Span]:
    """Places that make a conversation in a block change in front of its end."""
    for segment in walk(block.segments):
        if isinstance(segment, Value | Repeat) and segment.drift is not None and segment.drift.kind != "counted":
            yield segment.drift.span


def keeps_end(blocks: Sequence[Block], *, shown: bool) -> bool:
    """Whether the end of a conversation stands among messages of its own. What may be ``shown`` to people has a system
    message in front, or is none that a model is sent."""
    cut = any(
        isinstance(value, Value) and value.drift is not None and value.drift.kind == "window"
        for block in blocks
        for value in walk(block.segments)
    )
    return cut and (blocks[0].role == "system" if shown else any(block.role != "history" for block in blocks))
