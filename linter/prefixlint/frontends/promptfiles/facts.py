"""What is known of a value in a prompt file: lifetime, origin, confidence, shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.context import own_instructions
from prefixlint.knowledge.names import meaning
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind, shortest
from prefixlint.model.segments import Choice, Drift, Repeat, Segment, Text, Value, rebuilt, shape_of_part, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.model.sources import Span


_PARAMETER = Origin(SourceKind.PARAMETER)


@dataclass(frozen=True, slots=True)
class Window:
    """The end of a conversation: how many entries are kept, where that is known, and the source of their number."""

    size: int | None = None
    bound: str = ""

    def drift(self, expression: str, span: Span) -> Drift:
        return Drift("window", expression, span, self.size, self.bound)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of an expression. ``name`` is the first open variable in it ("" for none).

    ``sealed`` is true for an item of something whose lifetime is known: the names of its attributes tell no more.
    ``window`` is set for a conversation that loses its front.
    """

    lifetime: Lifetime = Lifetime.UNKNOWN
    origin: Origin = _PARAMETER
    confidence: Confidence = Confidence.LOW
    shape: str = "text"
    grows: bool = False
    name: str = ""
    sealed: bool = False
    window: Window | None = None

    def value(self, expression: str, span: Span) -> Value:
        drift = self.drift(expression, span)
        return Value(
            expression, span, self.lifetime, self.origin, self.confidence, self.shape, self.name, self.grows, drift
        )

    def drift(self, expression: str, span: Span) -> Drift | None:
        return self.window.drift(expression, span) if self.window is not None else None


CONSTANT = Facts(Lifetime.CONSTANT, Origin(SourceKind.CONFIGURATION), Confidence.CERTAIN)
UNKNOWN = Facts()

Names = Callable[[str], Facts]
"""Judges an open name."""


def named(name: str) -> Facts:
    """Facts about an open placeholder, by its name alone."""
    known = meaning(name)
    return Facts(known.lifetime, Origin(known.kind), known.confidence, known.shape, known.grows, name)


def with_known(table: Mapping[str, Facts], fallback: Names = named) -> Names:
    """Names of which a format documents what they hold, before all others."""

    def judge(name: str) -> Facts:
        known = table.get(name)
        return fallback(name) if known is None else replace(known, name=name)

    return judge


def dotted(path: str, names: Names = named) -> Facts:
    """Facts about ``user.name``: the last part that says something decides; ``name`` is the root."""
    parts = [part for part in path.split(".") if part]
    if not parts:
        return UNKNOWN
    for at in range(len(parts) - 1, 0, -1):
        found = names(parts[at])
        if found.lifetime.known:
            return replace(found, name=parts[0])
    return replace(names(parts[0]), name=parts[0])


def combine(parts: Iterable[Facts]) -> Facts:
    """Facts about something made of ``parts``: it lives no longer than the shortest-lived one, whose origin it has."""
    held = [part for part in parts if part is not CONSTANT and part.lifetime is not Lifetime.CONSTANT]
    if not held:
        return CONSTANT
    if len(held) == 1:
        return held[0]
    lifetime = shortest(part.lifetime for part in held)
    name = next((part.name for part in held if part.name), "")
    decider = next(part for part in held if part.lifetime is lifetime)
    return replace(decider, name=decider.name or name, shape="text", grows=False, window=None)


def item_of(facts: Facts) -> Facts:
    """Facts about one item of something: what is past in a conversation stays as it is within the session."""
    if facts.grows:
        return replace(facts, lifetime=Lifetime.SESSION, grows=False, sealed=True)
    return replace(facts, sealed=facts.lifetime.known, window=None, shape=shape_of_part(facts.shape))


def repeat(body: Sequence[Segment], expression: str, span: Span, facts: Facts) -> Repeat:
    """A repeat over something that ``facts`` describe, which the values in ``body`` then come from."""
    held = _of_items(body, item_of(facts)) if facts.lifetime.known else tuple(body)
    drift = facts.drift(expression, span)
    return Repeat(held, expression, span, facts.lifetime, facts.origin, facts.confidence, facts.grows, drift)


def _of_items(body: Sequence[Segment], item: Facts) -> tuple[Segment, ...]:
    def one(segment: Text | Value) -> tuple[Segment]:
        if isinstance(segment, Text):
            return (segment,)
        return (
            replace(segment, lifetime=item.lifetime, origin=item.origin, confidence=item.confidence, grows=item.grows),
        )

    return rebuilt(body, one)


def of_segments(segments: Iterable[Segment]) -> Facts:
    """Facts about the string that ``segments`` make."""
    parts: list[Facts] = []
    for segment in walk(segments):
        if isinstance(segment, Text):
            parts.append(CONSTANT if segment.lifetime is Lifetime.CONSTANT else Facts(segment.lifetime))
        elif isinstance(segment, Value):
            parts.append(
                Facts(
                    segment.lifetime,
                    segment.origin,
                    segment.confidence,
                    segment.shape,
                    segment.grows,
                    segment.name,
                )
            )
        elif isinstance(segment, Repeat):
            parts.append(Facts(segment.lifetime, segment.origin, segment.confidence, grows=segment.grows))
        else:
            parts.append(Facts(segment.lifetime, segment.origin, segment.confidence))
    return combine(parts)


def choice(arms: tuple[tuple[Segment, ...], ...], expression: str, span: Span, facts: Facts) -> Choice:
    """A choice that ``facts`` about its condition decide."""
    arms = tuple(own_instructions(arm, [other for other in arms if other is not arm]) for arm in arms)
    return Choice(arms, expression, span, facts.lifetime, Origin(SourceKind.CONDITIONAL), facts.confidence)
