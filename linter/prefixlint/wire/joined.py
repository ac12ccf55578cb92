"""Requests of a log against the templates that they were made from: do both say that the same things change?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from prefixlint.model.lifetimes import Lifetime, shortest
from prefixlint.model.segments import Choice, Repeat, Text, Value
from prefixlint.tokens.common import common_prefix
from prefixlint.wire.sent import render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.model.layouts import Layout
    from prefixlint.model.templates import Template
    from prefixlint.wire.bodies import Body

Verdict = Literal["confirmed", "refuted", "open"]

ANCHOR: Final = 12
"""Characters of fixed text that are looked for in a request; shorter ones stand in too many places."""
_BETWEEN: Final = "\x00"
_SLACK: Final = 8
"""Tokens by which values of one kind agree by chance: two times, two numbers."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two fixed texts: the expressions there, and how long the shortest-lived of them lives."""

    expression: str
    lifetime: Lifetime
    line: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A gap in the requests of a log: in how many of the ``pairs`` of one request and the next another text stood."""

    gap: Gap
    pairs: int
    changes: int

    @property
    def verdict(self) -> Verdict:
        """What the log says of the predicted lifetime.

        A value that changes with each request or turn has to change each time, one that stays the same never; those
        between them have to do neither.
        """
        if not self.pairs or not self.gap.lifetime.known:
            return "open"
        if self.gap.lifetime.rank <= Lifetime.TURN.rank:
            return "confirmed" if self.changes == self.pairs else "refuted" if not self.changes else "open"
        if not self.gap.lifetime.varies and self.gap.lifetime.rank > Lifetime.DAY.rank:
            return "refuted" if self.changes else "confirmed"
        return "refuted" if self.changes == self.pairs and self.pairs > 2 else "confirmed" if self.changes else "open"


@dataclass(frozen=True, slots=True)
class Joined:
    """A template with its requests. ``least`` and ``most`` are tokens that one request shares with the one before."""

    layout: Layout
    requests: int
    least: int
    most: int
    seen: tuple[Seen, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether requests part where the source says, counted for the layout's target."""
        point = self.layout.breakpoint
        if self.requests < 2:
            return "open"
        if point is None:
            return "confirmed"
        if self.least < point.token_guaranteed:
            return "refuted"
        # A real conversation is longer than the sample; a user or a session stays the same for some requests.
        grows = any(getattr(item.segment, "grows", False) for item in self.layout.placed)
        if self.least <= point.token + _SLACK or grows:
            return "confirmed"
        return "refuted" if point.lifetime.rank == Lifetime.REQUEST.rank else "open"


@dataclass(slots=True)
class _Open:
    layout: Layout
    gaps: tuple[Gap, ...]
    requests: int = 0
    least: int = 0
    most: int = 0
    tokens: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    changes: list[int] = field(default_factory=list)


class Join:
    """Takes requests one by one with ``add``; the templates are those of ``layouts``, each for its first target."""

    def __init__(self, layouts: Sequence[Layout]) -> None:
        self._open = [_Open(layout, tuple(gap for gap, _ in _pattern(layout.template))) for layout in layouts]
        for one in self._open:
            one.changes = [0] * len(one.gaps)
        self.unmatched = 0

    def add(self, body: Body) -> None:
        """Counts a request for the template whose fixed text it has most of. Raises ``TokenizerError``."""
        text = _text(body)
        best: _Open | None = None
        found: tuple[str, ...] = ()
        most = 0
        for one in self._open:
            texts, characters = _match(one.layout.template, text)
            if characters > most:
                best, found, most = one, texts, characters
        if best is None:
            self.unmatched += 1
            return
        tokens = render(body, best.layout.target).sent.tokens
        if best.requests:
            alike = common_prefix(best.tokens, tokens)
            best.least = alike if best.requests == 1 else min(best.least, alike)
            best.most = max(best.most, alike)
            for at, (before, after) in enumerate(zip(best.texts, found, strict=True)):
                best.changes[at] += before != after
        best.requests += 1
        best.tokens, best.texts = tokens, found

    def found(self) -> tuple[Joined, ...]:
        """The templates that have requests, the most requested first."""
        joined = [
            Joined(
                one.layout,
                one.requests,
                one.least,
                one.most,
                tuple(Seen(gap, one.requests - 1, changes) for gap, changes in zip(one.gaps, one.changes, strict=True)),
            )
            for one in self._open
            if one.requests
        ]
        return tuple(sorted(joined, key=lambda one: -one.requests))


def _text(body: Body) -> str:
    """The request's text without its tools, system text first."""
    messages = sorted(
        (message for message in body.messages if message.component != "tools"),
        key=lambda message: message.component != "system",
    )
    return _BETWEEN.join("".join(part.text for part in message.parts) for message in messages)


def _pattern(template: Template) -> Iterator[tuple[Gap, str]]:
    """The gaps of a template, each with the fixed text behind it; that in front of the first gap comes with none.

    The first gap has no expression: it is what stands before the first fixed text.
    """
    blocks = [block for block in template.blocks if block.component != "tools"]
    blocks.sort(key=lambda block: block.component != "system")
    waiting: list[Value | Choice | Repeat] = []
    for segment in (segment for block in blocks for segment in block.segments):
        if isinstance(segment, Text):
            if len(segment.text.strip()) >= ANCHOR:
                yield _gap(waiting), segment.text.strip()
                waiting = []
        else:
            waiting.append(segment)
    yield _gap(waiting), ""


def _gap(segments: Sequence[Value | Choice | Repeat]) -> Gap:
    lifetimes = [Lifetime.TURN if getattr(segment, "grows", False) else segment.lifetime for segment in segments]
    expression = ", ".join(" ".join(segment.expression.split()) for segment in segments)
    return Gap(expression, shortest(lifetimes), segments[0].span.start.line if segments else 0)


def _match(template: Template, text: str) -> tuple[tuple[str, ...], int]:
    """What stands in each gap, and how many characters of fixed text were found; nothing where one is not there.

    Fixed texts have to stand in their order.
    """
    at = characters = 0
    out = []
    for _, anchor in _pattern(template):
        here = text.find(anchor, at) if anchor else len(text)
        if here < 0:
            return (), 0
        out.append(text[at:here])
        at = here + len(anchor)
        characters += len(anchor)
    return tuple(out), characters
