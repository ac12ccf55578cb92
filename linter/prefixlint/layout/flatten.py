"""Segments to pieces: every choice and every repeat becomes the content that stands there in one request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.layout.samples import NEXT_TURN, sample
from prefixlint.layout.variations import SAME, Variation
from prefixlint.model.frozen import dataclass
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind, shortest
from prefixlint.model.segments import Choice, Repeat, Segment, Text, Value, literal_length, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEEPEST = 24
"""How many choices and repeats may stand inside one another; what is deeper is left out, its decision stays."""

LISTED = 3
"""How many things a list of tools or rules tells of, where it is not known."""

MOST_DOUBLED = 4
"""How many repeats inside one another are shown twice where they differ: each one doubles the text. A repeat deeper
inside is shown once; the bodies around it still come twice."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A segment with what stands there. ``lifetime`` is the effective one.

    ``governed`` is the shortest known lifetime of the decisions around it, constant for none; ``repeated`` that of the
    repeats among them, which speak for the items inside. ``appended`` is true for
    what stays where it is once a conversation has begun, ``conversation`` for the growing conversation itself.
    ``growing`` is the value or repeat that grows right behind this piece. ``in_history`` is true for what is written
    for each message of a conversation, ``drifting`` for a conversation that changes in front of its end. ``within`` are
    the decisions around it of which nothing is known, but for those between texts; ``optional`` are the choices around
    it that do not vary. ``listed`` is true within a list of what the program is set up with. ``decided`` are the
    choices around it that vary, ``apart`` is the shortest known lifetime of all other decisions around it.
    """

    segment: Segment
    text: str
    lifetime: Lifetime
    governed: Lifetime = Lifetime.CONSTANT
    repeated: Lifetime = Lifetime.CONSTANT
    appended: bool = False
    conversation: bool = False
    growing: Value | Repeat | None = None
    in_history: bool = False
    drifting: bool = False
    within: frozenset[int] = frozenset()
    optional: frozenset[int] = frozenset()
    listed: bool = False
    decided: frozenset[int] = frozenset()
    apart: Lifetime = Lifetime.CONSTANT

    @property
    def decision(self) -> bool:
        return isinstance(self.segment, Choice | Repeat)

    @property
    def own(self) -> Lifetime:
        """Lifetime among the requests that take the arms in which it stands."""
        return shortest((self.segment.lifetime, self.apart))

    @property
    def breaks(self) -> bool:
        """Can two requests differ from its first character on?

        A decision of unknown lifetime is taken for configuration; a value of unknown lifetime is not.
        """
        if self.appended:
            return False
        return self.lifetime.varies or (not self.lifetime.known and isinstance(self.segment, Value))

    @property
    def stable(self) -> bool:
        """Is it there, and the same, in every request of a running program?"""
        return not self.breaks and not self.appended


@dataclass(frozen=True, slots=True)
class _Around:
    """What surrounds a segment.

    ``governed``, ``repeated``, ``within``, ``optional``, ``decided`` and ``apart`` as in ``Piece``; ``appended`` for
    what stays once the conversation has begun; ``items`` inside a repeat over that conversation, ``drifting`` inside
    one over a conversation that changes in front of its end, ``unknown_items`` inside one over something unknown;
    ``doubled`` counts the repeats around it that are shown twice, ``listed`` is true inside one that is shown
    ``LISTED`` times.
    """

    governed: Lifetime = Lifetime.CONSTANT
    repeated: Lifetime = Lifetime.CONSTANT
    appended: bool = False
    items: bool = False
    drifting: bool = False
    unknown_items: bool = False
    depth: int = 0
    doubled: int = 0
    listed: bool = False
    within: frozenset[int] = frozenset()
    optional: frozenset[int] = frozenset()
    decided: frozenset[int] = frozenset()
    apart: Lifetime = Lifetime.CONSTANT

    @property
    def told(self) -> tuple[Lifetime, Lifetime]:
        """What a piece is told of it."""
        return self.governed, self.repeated

    def inside(self, segment: Choice | Repeat, lifetime: Lifetime) -> _Around:
        repeat = isinstance(segment, Repeat)
        governed = shortest((self.governed, lifetime)) if lifetime.known else self.governed
        repeated = shortest((self.repeated, lifetime)) if lifetime.known and repeat else self.repeated
        within = self.within if lifetime.known or _always_tells(segment) else self.within | {id(segment)}
        optional = self.optional | {id(segment)} if undecided(segment, lifetime) else self.optional
        decided, apart = self.decided, self.apart
        if lifetime.varies and not repeat:
            decided |= {id(segment)}
        elif lifetime.known:
            apart = shortest((apart, lifetime))
        return replace(
            self,
            governed=governed,
            repeated=repeated,
            depth=self.depth + 1,
            within=within,
            optional=optional,
            decided=decided,
            apart=apart,
        )

    def around(self, piece: Piece) -> Piece:
        """The same piece with the decisions around it."""
        return replace(
            piece,
            within=self.within,
            optional=self.optional,
            listed=self.listed,
            decided=self.decided,
            apart=self.apart,
        )


def undecided(segment: Choice | Repeat, lifetime: Lifetime) -> bool:
    """Whether a choice may go one way for good: nothing is known of it, or the configuration alone makes it."""
    return isinstance(segment, Choice) and not lifetime.varies


def flatten(segments: Iterable[Segment], variation: Variation = SAME, *, appended: bool = False) -> tuple[Piece, ...]:
    """The pieces of ``segments`` in the request that ``variation`` describes.

    A choice is a decision without text followed by the arm that tells most; where its lifetime has ended, by
    another arm. A repeat is a decision followed by its body once, or ``LISTED`` times over configuration; where its
    lifetime has ended or its conversation grew, twice. ``appended`` segments are part of a conversation.
    """
    return tuple(_pieces(segments, variation, _Around(appended=appended, items=appended)))


def _pieces(segments: Iterable[Segment], variation: Variation, around: _Around) -> list[Piece]:
    out: list[Piece] = []
    for segment in segments:
        if isinstance(segment, Text):
            lifetime = shortest((segment.lifetime, around.governed))
            if around.appended:
                lifetime = shortest((lifetime, Lifetime.SESSION))
            talk = around.items or around.drifting
            told = (*around.told, around.appended, talk)
            out.append(around.around(Piece(segment, segment.text, lifetime, *told)))
        elif isinstance(segment, Value):
            out.append(around.around(_value(segment, variation, around)))
        elif isinstance(segment, Choice):
            out.extend(_choice(segment, variation, around))
        else:
            out.extend(_repeat(segment, variation, around))
    return out


def _value(value: Value, variation: Variation, around: _Around) -> Piece:
    if value.grows or (around.items and not _made_anew(value)):
        lifetime = shortest((Lifetime.SESSION, around.governed))
        text = sample(value, second=variation.conversation == "other")
        if value.grows and variation.conversation == "longer":
            text += NEXT_TURN
        return Piece(value, text, lifetime, *around.told, True, True, value if value.grows else None)
    own = (value.lifetime, Lifetime.UNKNOWN) if around.unknown_items else (value.lifetime,)
    lifetime = shortest((*own, around.governed))
    kept = around.appended and value.lifetime.outlives(Lifetime.TURN)
    ended = lifetime in variation.ended and not kept
    drifting = _drifts(value)
    talk = drifting or around.drifting
    return Piece(value, sample(value, second=ended), lifetime, *around.told, kept, talk, None, around.items, drifting)


def _drifts(segment: Value | Repeat) -> bool:
    """Is it a conversation that loses its front, or changes there?"""
    return segment.drift is not None and not segment.drift.within and segment.origin.kind is SourceKind.HISTORY


def _made_anew(value: Value) -> bool:
    """Is it made while the prompt is built, not read from an item of the conversation? A name alone cannot say."""
    kinds = (SourceKind.CLOCK, SourceKind.ID, SourceKind.RANDOM, SourceKind.SHUFFLED)
    return value.confidence is Confidence.CERTAIN and value.origin.kind in kinds and value.lifetime.varies


def _choice(choice: Choice, variation: Variation, around: _Around) -> list[Piece]:
    lifetime = choice.lifetime
    begun = choice.origin.kind is SourceKind.HISTORY and Lifetime.SESSION.outlives(lifetime)
    if begun:
        # Whether there is a conversation yet turns once in a session, with its second turn.
        lifetime, around = Lifetime.SESSION, replace(around, appended=True)
    out = [_decision(choice, lifetime, around)]
    if around.depth < DEEPEST:
        ended = lifetime in variation.ended and lifetime.known and not begun
        arm = _other_arm(choice.arms) if ended else fullest(choice.arms)
        out.extend(_pieces(arm, variation, around.inside(choice, lifetime)))
    return out


def _repeat(repeat: Repeat, variation: Variation, around: _Around) -> list[Piece]:
    if repeat.grows:
        around = replace(around, appended=True, items=True)
        lifetime, twice = Lifetime.SESSION, variation.conversation == "longer"
    else:
        lifetime, twice = repeat.lifetime, repeat.lifetime.known and repeat.lifetime in variation.ended
    out = [replace(_decision(repeat, lifetime, around), drifting=_drifts(repeat))]
    if around.depth < DEEPEST:
        inner = replace(around.inside(repeat, lifetime), drifting=around.drifting or _drifts(repeat))
        if not lifetime.known:
            inner = replace(inner, unknown_items=True)
        twice = twice and around.doubled < MOST_DOUBLED
        inner = replace(inner, doubled=around.doubled + twice)
        times = 2 if twice else LISTED if _lists(repeat, lifetime) and not around.listed else 1
        inner = replace(inner, listed=around.listed or times == LISTED)
        out.extend(_pieces(repeat.body * times, variation, inner))
    if repeat.grows:
        out[-1] = replace(out[-1], growing=repeat)
    return out


def _lists(repeat: Repeat, lifetime: Lifetime) -> bool:
    """Does it tell of each of several things that the program is set up with: its tools, its rules?"""
    fixed = lifetime.known and not lifetime.varies and repeat.origin.kind is SourceKind.CONFIGURATION
    return fixed and any(isinstance(segment, Value) for segment in walk(repeat.body))


def _always_tells(segment: Choice | Repeat) -> bool:
    """Whether a decision is one between texts: whichever way it goes, one stands there, half as long as the longest."""
    if isinstance(segment, Repeat):
        return False
    longest = [max((len(part.text) for part in arm if isinstance(part, Text)), default=0) for arm in segment.arms]
    return len(longest) > 1 and min(longest) * 2 >= max(longest) > 0


def _decision(segment: Choice | Repeat, lifetime: Lifetime, around: _Around) -> Piece:
    effective = shortest((lifetime, around.governed))
    told = (*around.told, around.appended)
    piece = Piece(segment, "", effective, *told, within=around.within, optional=around.optional)
    return replace(piece, decided=around.decided, apart=around.apart)


def fullest(arms: Sequence[tuple[Segment, ...]]) -> tuple[Segment, ...]:
    """The arm that tells most: one in which something varies before one in which nothing does, then the longest text.

    Requests that take the other arm are no worse off; those that take this one are what a finding is about.
    """
    return max(arms, key=lambda arm: (_varies(arm), literal_length(arm)), default=())


def _varies(arm: tuple[Segment, ...]) -> bool:
    return any(
        isinstance(segment, Value | Repeat) and segment.lifetime.varies and segment.confidence is not Confidence.LOW
        for segment in walk(arm)
    )


def _other_arm(arms: Sequence[tuple[Segment, ...]]) -> tuple[Segment, ...]:
    """The fullest of the arms that are not the fullest one; nothing where there is no other."""
    first = fullest(arms)
    return fullest([arm for arm in arms if arm is not first])
