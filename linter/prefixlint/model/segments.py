"""Segments: the parts that a template is made of, in order.

Text kept from the source carries a map back to it, so every character of a rendered prompt has a place in a file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from prefixlint.model.frozen import dataclass
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.sources import Run, SourceMap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from prefixlint.model.sources import Span


@dataclass(frozen=True, slots=True)
class Text:
    """Fixed text. ``source`` maps it back to its file, or is the one ``Span`` that the whole text comes from.

    ``lifetime`` is constant for a literal, longer-lived or equal lifetimes such as ``deployment`` for the text of a
    file that is read at run time. Raises ``ValueError`` when the map does not cover the text exactly.
    """

    text: str
    source: SourceMap | Span
    lifetime: Lifetime = Lifetime.CONSTANT

    def __post_init__(self) -> None:
        if isinstance(self.source, SourceMap) and self.source.length != len(self.text):
            raise ValueError(f"source map covers {self.source.length} of {len(self.text)} characters")

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """Place in the file of the characters ``start`` to ``end`` (default: all)."""
        if not isinstance(self.source, SourceMap):
            return self.source
        return self.source.span(start, len(self.text) if end is None else end)

    def spans(self) -> Iterator[Span]:
        """Its places in the file, in the order of the text: one for each stretch that reads in one go there."""
        if isinstance(self.source, SourceMap):
            for start, end in self.source.stretches():
                yield self.source.span(start, end)
        elif self.text:
            yield self.source

    def slice(self, start: int, end: int) -> Text:
        """The part ``text[start:end]``."""
        start, end, _ = slice(start, end).indices(len(self.text))
        source = self.source.slice(start, max(start, end)) if isinstance(self.source, SourceMap) else self.source
        return replace(self, text=self.text[start:end], source=source)


@dataclass(frozen=True, slots=True)
class Drift:
    """How a conversation, or a list, changes in front of its end; ``span`` is where the source makes it do so.

    ``window``: it loses its first messages; ``size`` is how many it keeps, where that is known, and ``bound`` the
    source of that number. ``rewritten``: messages take another form once others have followed; ``renewed``: they hold
    something that is made anew each time. ``counted`` stands at a decision, not at a conversation: it turns out
    otherwise when the conversation has grown. ``ranked``: a list of what was found stands in the order of a score,
    which another question turns round. ``tail``: only the end of something is kept of which it is not known whether it
    is a conversation; no segment holds one. ``within`` is true where the conversation is that of one run: what was
    computed before it began stays the same to its end. ``run`` is such a conversation that loses nothing; ``changing``
    are the places of the values in front of it that are others for each of its messages. ``seldom`` tells of a window
    that far more sets off than it leaves: where what is left is kept, it grows again for many turns.
    """

    kind: Literal["window", "rewritten", "renewed", "counted", "ranked", "tail", "run"]
    expression: str
    span: Span
    size: int | None = None
    bound: str = ""
    within: bool = False
    changing: tuple[Span, ...] = ()
    seldom: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """A value filled in when the program runs.

    ``span`` is its place in the template text (the braces of an f-string field included); ``expression`` is the source
    of the expression or placeholder without braces. ``name`` is the name under which a caller can still fill it (an
    open placeholder, a parameter), else "". ``shape`` says what it looks like, for sampling: one of ``SHAPES``.
    ``grows`` is true for a conversation history: its own front stays the same from turn to turn while its end moves.
    ``drift`` is how one changes that does not grow so.
    """

    expression: str
    span: Span
    lifetime: Lifetime = Lifetime.UNKNOWN
    origin: Origin = Origin(SourceKind.PARAMETER)
    confidence: Confidence = Confidence.LOW
    shape: str = "text"
    name: str = ""
    grows: bool = False
    drift: Drift | None = None


SHAPES = (
    "text",
    "word",
    "name",
    "timestamp",
    "date",
    "time",
    "epoch",
    "uuid",
    "integer",
    "float",
    "json",
    "list",
    "path",
    "attachment",
    "prompt",
    "catalogue",
    "document",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several arms, picked when the program runs. ``expression`` is the condition's source.

    ``lifetime`` and ``origin`` are the condition's. An arm may be empty.
    """

    arms: tuple[tuple[Segment, ...], ...]
    expression: str
    span: Span
    lifetime: Lifetime = Lifetime.UNKNOWN
    origin: Origin = Origin(SourceKind.CONDITIONAL)
    confidence: Confidence = Confidence.LOW
    drift: Drift | None = None

    def __hash__(self) -> int:
        # Not of the arms: choices stand inside choices, and each would be hashed again at every level.
        return hash((self.expression, self.span.start.line, len(self.arms)))


@dataclass(frozen=True, slots=True)
class Repeat:
    """A body that is repeated over something. ``expression`` is the source of what it runs over.

    ``lifetime`` and ``origin`` are those of the thing run over: if its items or their order change, so does the text.
    """

    body: tuple[Segment, ...]
    expression: str
    span: Span
    lifetime: Lifetime = Lifetime.UNKNOWN
    origin: Origin = Origin(SourceKind.PARAMETER)
    confidence: Confidence = Confidence.LOW
    grows: bool = False
    drift: Drift | None = None

    def __hash__(self) -> int:
        return hash((self.expression, self.span.start.line, len(self.body)))


Segment = Text | Value | Choice | Repeat


def shape_of_part(shape: str) -> str:
    """What one of the things looks like that something of this shape is made of: an entry of a catalogue is text."""
    return "text" if shape == "catalogue" else shape


def walk(segments: Iterable[Segment]) -> Iterator[Segment]:
    """All segments, outer before inner, in order."""
    for segment in segments:
        yield segment
        if isinstance(segment, Choice):
            for arm in segment.arms:
                yield from walk(arm)
        elif isinstance(segment, Repeat):
            yield from walk(segment.body)


def literal_length(segments: Iterable[Segment]) -> int:
    """Number of characters of fixed text; of a choice, its longest arm."""
    total = 0
    for segment in segments:
        if isinstance(segment, Text):
            total += len(segment.text)
        elif isinstance(segment, Choice):
            total += max((literal_length(arm) for arm in segment.arms), default=0)
        elif isinstance(segment, Repeat):
            total += literal_length(segment.body)
    return total


def merge_text(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """The same segments without empty texts, and with texts joined that follow one another in the same file and map."""
    out: list[Segment] = []
    run: list[Text] = []
    for segment in segments:
        if isinstance(segment, Text):
            if not segment.text:
                continue
            if run and not _joins(run[-1], segment):
                out.append(_joined(run))
                run = []
            run.append(segment)
            continue
        if run:
            out.append(_joined(run))
            run = []
        out.append(segment)
    if run:
        out.append(_joined(run))
    return tuple(out)


def rebuilt(segments: Iterable[Segment], one: Callable[[Text | Value], Iterable[Segment]]) -> tuple[Segment, ...]:
    """The same with what ``one`` gives for each text and each value, inside choices and repeats too."""
    out: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Choice):
            out.append(replace(segment, arms=tuple(rebuilt(arm, one) for arm in segment.arms)))
        elif isinstance(segment, Repeat):
            out.append(replace(segment, body=rebuilt(segment.body, one)))
        else:
            out.extend(one(segment))
    return merge_text(out)


def _joins(left: Text, right: Text) -> bool:
    return (
        left.lifetime is right.lifetime
        and isinstance(left.source, SourceMap)
        and isinstance(right.source, SourceMap)
        and left.source.file is right.source.file
    )


def _joined(texts: Sequence[Text]) -> Text:
    """One text of several that join, each copied once."""
    first = texts[0]
    if len(texts) == 1 or not isinstance(first.source, SourceMap):
        return first
    runs: list[Run] = []
    shift = 0
    for text in texts:
        if isinstance(text.source, SourceMap):
            runs.extend(Run(r.start + shift, r.length, r.source_start, r.source_length) for r in text.source.runs)
        shift += len(text.text)
    return replace(first, text="".join(text.text for text in texts), source=SourceMap(first.source.file, tuple(runs)))
