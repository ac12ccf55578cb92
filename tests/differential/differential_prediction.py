"""What a layout says a recording has to look like, and where recordings part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from prefixlint.layout.order import engine_order
from prefixlint.model.lifetimes import Lifetime, SourceKind, shortest
from prefixlint.model.segments import Choice, Repeat, Text, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.layouts import Layout
    from prefixlint.model.segments import Segment
    from prefixlint.model.templates import Block

# What differs between two processes although it stays the same in one. What a user types is not of a process: a script
# that asks once and ends is still run anew for each question.
_OF_A_PROCESS = (
    SourceKind.CLOCK,
    SourceKind.ID,
    SourceKind.RANDOM,
    SourceKind.UNORDERED,
    SourceKind.SHUFFLED,
    SourceKind.IDENTITY,
)

Between = Literal["processes", "turns", "days"]
LONG_LINE = 60
"""Characters of a line that no value has by chance in all recordings."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A place where recordings can part: the regular expression's group of a value, a choice or a repeat."""

    group: str
    segment: Value | Choice | Repeat
    lifetime: Lifetime

    @property
    def grows(self) -> bool:
        return isinstance(self.segment, Value | Repeat) and self.segment.grows

    def differs(self, between: Between) -> bool:
        """Do two requests differ in it that have other users and processes, are turns of one user, or days apart?"""
        kind = self.segment.origin.kind
        if between == "turns":
            return self.lifetime in (Lifetime.TURN, Lifetime.REQUEST)
        if between == "days":
            decides = isinstance(self.segment, Choice)
            return (decides or kind is SourceKind.CLOCK) and not self.lifetime.outlives(Lifetime.PROCESS)
        return kind in _OF_A_PROCESS if self.lifetime is Lifetime.PROCESS else self.lifetime.varies


class Prediction:
    """A layout as a regular expression over recordings, with its stops in order."""

    def __init__(self, layout: Layout) -> None:
        self.stops: list[Stop] = []
        blocks = engine_order(layout.template.blocks, layout.target.cache.order)
        self.pattern = re.compile("".join(self._block(block, plain) for block, plain in _blocks(blocks)))

    def _block(self, block: Block, follows_plain: bool) -> str:
        if block.role == "history":
            return self._segments(block.segments, Lifetime.CONSTANT, "(?:\x1e[\\s\\S]*?)?", "")
        front = "" if follows_plain else f"\x1e{re.escape(block.role)}\x1f"
        whole = block.segments[0] if len(block.segments) == 1 else None
        if isinstance(whole, Choice | Repeat):
            # A message that is there only sometimes, or many times: its head comes and goes with it.
            return self._segments(block.segments, Lifetime.CONSTANT, "[^\x1e]*?", front)
        return front + self._segments(block.segments, Lifetime.CONSTANT, "[^\x1e]*?", "")

    def _segments(self, segments: Sequence[Segment], around: Lifetime, anything: str, front: str) -> str:
        return "".join(self._segment(segment, around, anything, front) for segment in segments)

    def _segment(self, segment: Segment, around: Lifetime, anything: str, front: str) -> str:
        if isinstance(segment, Text):
            return re.escape(segment.text)
        lifetime = shortest((segment.lifetime, around))
        group = f"g{len(self.stops)}"
        self.stops.append(Stop(group, segment, lifetime))
        if isinstance(segment, Value):
            return f"(?P<{group}>{anything})"
        if isinstance(segment, Choice) and not segment.lifetime.known:
            lifetime = around  # taken for configuration, as the layout does
        if isinstance(segment, Choice):
            arms = [self._segments(arm, lifetime, anything, "") for arm in segment.arms]
            return f"(?P<{group}>{'|'.join(front + arm if arm else arm for arm in arms)})"
        head = f"(?:{front})?" if front else ""
        body = [self._segment(part, lifetime, anything, "") for part in segment.body]
        # What joins the items stands between them only: the last one may go without it.
        last = head + "".join(body[:-1]) if len(body) > 1 and isinstance(segment.body[-1], Text) else ""
        plain = re.sub(r"\(\?P<\w+>", "(?:", last)
        return f"(?P<{group}>(?:{head}{''.join(body)})*(?:{plain})?)"

    @property
    def first(self) -> Stop | None:
        """Where two requests of a running program part, as the layout's breakpoint has to say."""
        for stop in self.stops:
            unknown = not stop.lifetime.known and isinstance(stop.segment, Value)
            if stop.lifetime.varies or unknown or stop.grows:
                return stop
        return None

    def fixed_front(self, recording: str) -> str | None:
        """What stands in front of the first stop of all, where that is the breakpoint, or None where it is not."""
        match = self.pattern.fullmatch(recording)
        first = self.first
        if match is None or first is None or first is not self.stops[0] or first.grows:
            return None
        return recording[: match.start(first.group)]

    def unknown(self) -> list[str]:
        """Expressions of which nothing is known. A decision of unknown lifetime is taken for configuration."""
        unknown = (stop.segment for stop in self.stops if not stop.lifetime.known)
        return [segment.expression for segment in unknown if not isinstance(segment, Choice)]

    def disagreement(self, recordings: Sequence[str], between: Between) -> str | None:
        """How recordings that differ in what ``between`` says contradict the layout, or None."""
        matches = []
        for recording in recordings:
            match = self.pattern.fullmatch(recording)
            if match is None:
                return f"the layout does not render to what was sent: {_first_misfit(self.pattern, recording)}"
            matches.append(match)
        swallowed = self._swallowed(matches) if between == "processes" else None
        if swallowed:
            return swallowed
        shared = _shared(recordings)
        for stop in self.stops:
            spans = [match.span(stop.group) for match in matches if match.start(stop.group) >= 0]
            if not spans or not stop.differs(between):
                continue
            starts, ends = zip(*spans, strict=True)
            if between == "days" and isinstance(stop.segment, Choice):
                return None  # Two clocks may well decide alike, and not every decision is one of a clock.
            # A conversation breaks at the end of the shorter one, where the longer one goes on.
            start, end = (min(ends) if between == "turns" and stop.grows else min(starts)), max(ends)
            if _is_talk(stop) and between != "turns" and start == end:
                continue  # Nobody has said anything yet.
            if between == "turns" and _is_talk(stop) and any(low == high for low, high in spans):
                # Empty in the first turn. One that grows goes on with all that turn has sent, its last message too; one
                # that has lost its front by the second turn parts where the next message begins.
                start, end = (len(recordings[0]),) * 2 if stop.grows else (start, self._behind(stop, matches))
            return _outside(start, end, shared, stop, recordings)
        if shared <= len(recordings[0]):
            return f"nothing should differ, but they part after {recordings[0][max(0, shared - 50) : shared]!r}"
        return None

    def _behind(self, stop: Stop, matches: Sequence[re.Match[str]]) -> int:
        """Where the next stop begins."""
        later = self.stops[self.stops.index(stop) + 1 :]
        return min((match.start(other.group) for other in later[:1] for match in matches), default=0)

    def _swallowed(self, matches: Sequence[re.Match[str]]) -> str | None:
        """A value that holds fixed text: a long line that is the same in all recordings.

        Tools are one value as a whole; so are conversations, where each message may repeat the same words.
        """
        for stop in self.stops:
            if not isinstance(stop.segment, Value) or stop.segment.shape == "json" or stop.grows:
                continue
            texts = [match[stop.group] or "" for match in matches]
            for line in texts[0].splitlines():
                if len(line) >= LONG_LINE and all(line in text for text in texts):
                    return f"the value {stop.segment.expression!r} holds the fixed text {line!r}"
        return None


def _is_talk(stop: Stop) -> bool:
    return isinstance(stop.segment, Value) and stop.segment.origin.kind is SourceKind.HISTORY


def _shared(recordings: Sequence[str]) -> int:
    """Number of leading characters that all recordings have in common; one more than there are if all are the same."""
    if all(recording == recordings[0] for recording in recordings):
        return len(recordings[0]) + 1
    columns = zip(*recordings, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _blocks(blocks: Sequence[tuple[int, Block]]) -> list[tuple[Block, bool]]:
    """Each block, with whether it goes on the plain prompt before it."""
    out: list[tuple[Block, bool]] = []
    for _, block in blocks:
        last = out[-1][0] if out else None
        out.append((block, last is not None and not block.role and not last.role and block.component == last.component))
    return out


def _outside(start: int, end: int, shared: int, stop: Stop, recordings: Sequence[str]) -> str | None:
    if start <= shared <= end:
        return None
    shown = recordings[0][max(0, shared - 50) : shared]
    where = "earlier" if shared < start else "later"
    what = f"{stop.segment.expression!r} ({stop.lifetime.value})"
    return f"the recordings part {where} than at {what}: after {shown!r} (shared {shared}, predicted {start} to {end})"


def _first_misfit(pattern: re.Pattern[str], recording: str) -> str:
    return f"\n    sent     {recording!r}\n    expected {pattern.pattern!r}"
