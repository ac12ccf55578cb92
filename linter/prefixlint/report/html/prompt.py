"""A prompt's text in the colours of its lifetimes, message by message, with the breakpoint in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.segments import Choice, Repeat, Text, Value
from prefixlint.report.html.markup import block, element, inline
from prefixlint.report.html.picture import is_framing, stranded
from prefixlint.report.lines import plural
from prefixlint.report.table import clipped

if TYPE_CHECKING:
    from typing import Final

    from prefixlint.model.layouts import Layout, Placed

LONGEST: Final = 60_000
"""Characters of one template that are shown: more would make the page slow, and nobody reads them here."""
_EXPRESSION: Final = 120
_KINDS: Final = {Text: "text", Value: "value", Choice: "choice", Repeat: "loop"}


def tip(placed: Placed, layout: Layout) -> str:
    """What is told of a piece: what it is, how long it lasts, its tokens, its place."""
    segment = placed.segment
    if is_framing(placed):
        what = "framing by the chat format"
    elif isinstance(segment, Text):
        what = "text"
    else:
        what = f"{_KINDS[type(segment)]} {clipped(segment.expression, _EXPRESSION)}"
    parts = [what, placed.lifetime.value, plural(placed.tokens, "token")]
    if placed.tokens:
        parts[-1] += f" ({placed.start:,} to {placed.end:,})"
    if stranded(placed, layout) and placed.tokens:
        parts.append("stranded")
    span = segment.span() if isinstance(segment, Text) else segment.span
    parts.append(f"{span.path}:{span.start.line}:{span.start.column}")
    return " · ".join(parts)


def prompt(layout: Layout) -> str:
    """The text of all messages. Values show their sample; a choice or a loop shows what decides over it."""
    breaking = _breaking(layout)
    room = LONGEST
    out: list[str] = []
    pieces: list[str] = []
    block_now = -1
    heading = ""

    def close() -> None:
        if any(pieces):
            out.append(heading + element("pre", "".join(pieces)))
        pieces.clear()

    for number, placed in enumerate(layout.placed):
        if is_framing(placed):
            continue
        if placed.block != block_now:
            close()
            block_now = placed.block
            heading = element("h3", inline(placed.role or ("tools" if placed.component == "tools" else "prompt")))
        if number == breaking:
            pieces.append(_break(layout))
        if room <= 0:
            continue
        pieces.append(_piece(number, placed, layout, room))
        room -= len(placed.text)
    close()
    if room <= 0:
        out.append(element("p", f"{-room:,} more characters are not shown.", _class="note"))
    return "".join(out)


def _piece(number: int, placed: Placed, layout: Layout, room: int) -> str:
    segment = placed.segment
    kind = _KINDS[type(segment)]
    text = placed.text
    if isinstance(segment, Choice | Repeat):
        # What decides has no text of its own; what it decides over follows.
        text = f"{'if' if isinstance(segment, Choice) else 'for'} {clipped(segment.expression, 40)}"
    names = f"s k-{kind} l-{placed.lifetime.value}{' st' if stranded(placed, layout) else ''}"
    return element("span", block(text[:room]), _class=names, data_s=str(number), title=tip(placed, layout))


def _breaking(layout: Layout) -> int:
    """Number of the piece in front of which the breakpoint is drawn: the one it is in; -1 for none."""
    if layout.breakpoint is None:
        return -1
    place, point = layout.breakpoint.span, layout.breakpoint
    for number, placed in enumerate(layout.placed):
        segment = placed.segment
        if isinstance(segment, Text):
            if placed.text and not point.expression and segment.span() == place:
                return number
        elif segment.span == place and segment.expression == point.expression:
            return number
    return -1


def _break(layout: Layout) -> str:
    return element("span", f"reuse ends: token {layout.stable_prefix_tokens:,}", _class="break")
