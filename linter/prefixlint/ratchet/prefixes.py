"""A template's stable prefix: its length in tokens, a hash of what stands in it, and the values that can end it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.model.segments import Text, Value, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    from prefixlint.model.layouts import Layout, Placed
    from prefixlint.model.segments import Segment

_EXPRESSION: Final = 60
_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Prefix:
    """``target`` as the user writes it, ``tokens`` counted by ``tokenizer``; ``digest`` does not depend on it."""

    target: str
    tokens: int
    digest: str
    tokenizer: str


@dataclass(frozen=True, slots=True)
class Place:
    """The value that ends a prefix, and where it stands."""

    expression: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class State:
    """A template as it is now: ``path`` as the lock names it.

    ``values`` are those that can differ between two requests, in the engine's order, each once. ``end`` is the one that
    ends the prefix of the first target.
    """

    path: str
    line: int
    template: str
    prefixes: tuple[Prefix, ...]
    values: tuple[str, ...]
    end: Place | None


def state_of(layouts: Sequence[Layout], path: str) -> State:
    """The state of one template, laid out for each of the targets."""
    first = layouts[0]
    point = first.breakpoint
    return State(
        path=path,
        line=first.template.span.start.line,
        template=first.template.name,
        prefixes=tuple(
            Prefix(each.target.name, each.stable_prefix_tokens, digest(each), each.target.tokenizer) for each in layouts
        ),
        values=_values(first),
        end=None if point is None else Place(_short(point.expression), point.span.path, point.span.start.line),
    )


def _short(expression: str) -> str:
    line = " ".join(expression.split())
    return line if len(line) <= _EXPRESSION else line[: _EXPRESSION - 1] + "…"


def _values(layout: Layout) -> tuple[str, ...]:
    """The values from the breakpoint on, by expression: what a reader of the lock sees change."""
    out: dict[str, None] = {}
    if layout.breakpoint is not None and layout.breakpoint.expression:
        out[_short(layout.breakpoint.expression)] = None
    for placed in layout.placed:
        segment = placed.segment
        if isinstance(segment, Text):
            continue
        if placed.lifetime.varies or (not placed.lifetime.known and isinstance(segment, Value)):
            out[_short(segment.expression)] = None
    return tuple(out)


def digest(layout: Layout) -> str:
    """A hash of all that stands in front of the breakpoint, in the engine's order.

    It depends on roles, texts and the expressions of values that stay, not on how the source cuts the text in pieces,
    nor on where in the file it stands.
    """
    whole = hashlib.sha256()
    for part in _parts(layout):
        whole.update(part.encode("utf-8", "surrogatepass"))
    return whole.hexdigest()[:_DIGITS]


def _parts(layout: Layout) -> Iterator[str]:
    message: tuple[str, str] | None = None
    for placed in _in_front(layout):
        if message != (message := (placed.role, placed.component)):
            yield f"\0{placed.component}\0{placed.role}\0"
        segment = placed.segment
        if isinstance(segment, Text):
            yield placed.text
        else:
            # Both arms of a choice belong to the prompt, though one of them is laid out.
            for inner in walk((segment,)):
                yield f"\1{_content(inner)}\1"


def _content(segment: Segment) -> str:
    return segment.text if isinstance(segment, Text) else segment.expression


def _in_front(layout: Layout) -> Iterator[Placed]:
    """What is placed in front of the breakpoint, the framing of messages left out."""
    point = layout.breakpoint
    for placed in layout.placed:
        segment = placed.segment
        if isinstance(segment, Text):
            if not placed.text:
                continue
            if point is not None and not point.expression and segment.span() == point.span:
                return
        elif point is not None and segment.span == point.span and segment.expression == point.expression:
            return
        yield placed
