"""Code frames: a line of source with a place in it underlined, whatever the line holds and however long it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.ratchet.records import hidden
from prefixlint.report.escape import COMMAND, plain, width

if TYPE_CHECKING:
    from typing import Final

    from prefixlint.model.sources import SourceFile, Span
    from prefixlint.report.style import Style

_TAB: Final = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """A line as it is printed: ``text`` without line end; the mark below it takes ``cells`` cells from ``start``."""

    text: str
    start: int
    cells: int


def line_text(source: SourceFile, number: int) -> str:
    """Line ``number`` (from 1) without its end; "" past the end of the file."""
    return source.line(number).rstrip("\r\n")


def _printed(text: str, start: int, end: int) -> tuple[list[str], int, int]:
    """The characters as printed, and the indexes of the marked ones among them."""
    out: list[str] = []
    column = first = last = 0
    commands = {found.start() for found in COMMAND.finditer(text)}
    for at, char in enumerate(text):
        if at == start:
            first = len(out)
        if at == end:
            last = len(out)
        piece = " " * (_TAB - column % _TAB) if char == "\t" else hidden(char) if at in commands else plain(char)
        # Each printed character by itself, so that clipping cuts between any two.
        out.extend(piece if width(piece) == len(piece) else [piece])
        column += width(piece)
    if start >= len(text):
        first = len(out)
    if end >= len(text):
        last = len(out)
    return out, first, last


def show(text: str, start: int, end: int, room: int, dots: str = "…") -> Shown:
    """The line ``text`` in at most ``room`` cells, the characters ``start`` to ``end`` (from 0) marked.

    A longer line is clipped on both sides of the mark; of a mark that is itself too long, the beginning stays.
    """
    # Only what can come into view is looked at: a line may have millions of characters.
    low, high = max(0, start - 2 * room), min(len(text), start + 4 * room)
    end = min(end, high)
    pieces, first, last = _printed(text[low:high], start - low, max(end, start) - low)
    cells = [width(piece) for piece in pieces]
    cut_left, cut_right = low > 0, high < len(text)
    begin, stop = 0, len(pieces)
    if sum(cells) + len(dots) * (cut_left + cut_right) > room:
        budget = room - 2 * len(dots)
        used = 0
        stop = first
        while stop < last and used + cells[stop] <= budget:
            used += cells[stop]
            stop += 1
        begin = first
        # A third of what is left in front of the mark, the rest behind it, and what that leaves in front again.
        before = (budget - used) // 3
        for limit in (used + before, budget):
            while begin > 0 and used + cells[begin - 1] <= limit:
                begin -= 1
                used += cells[begin]
            while stop < len(pieces) and limit != budget and used + cells[stop] <= budget:
                used += cells[stop]
                stop += 1
        cut_left, cut_right = cut_left or begin > 0, cut_right or stop < len(pieces)
    lead = dots if cut_left else ""
    tail = dots if cut_right else ""
    marked = sum(cells[first : min(last, stop)])
    return Shown(lead + "".join(pieces[begin:stop]) + tail, len(lead) + sum(cells[begin:first]), max(1, marked))


@dataclass(frozen=True, slots=True)
class Gutter:
    """The column of line numbers, ``digits`` wide."""

    digits: int
    style: Style

    @property
    def bar(self) -> str:
        return "│" if self.style.drawing else "|"

    def numbered(self, number: int, text: str) -> str:
        return f"{self.style.paint('frame', f'{number:>{self.digits}} {self.bar}')} {text}".rstrip() + "\n"

    def empty(self, text: str = "") -> str:
        return f"{self.style.paint('frame', ' ' * self.digits + f' {self.bar}')} {text}".rstrip() + "\n"

    def sign(self, sign: str, text: str) -> str:
        """A line with ``sign`` in the place of the bar."""
        return f"{self.style.paint('frame', ' ' * self.digits + f' {sign}')} {text}".rstrip() + "\n"

    @property
    def room(self) -> int:
        """Cells to the right of the gutter."""
        return max(20, self.style.width - self.digits - 3)


def marked_line(source: SourceFile, span: Span, gutter: Gutter, mark: str, kind: str, note: str = "") -> str:
    """The span's first line and below it ``mark`` repeated under the span, with a note behind."""
    style = gutter.style
    text = line_text(source, span.start.line)
    start = span.start.column - 1
    several = span.end.line > span.start.line
    end = len(text) if several else span.end.column - 1
    dots = "…" if style.drawing else "..."
    shown = show(text, start, end, gutter.room, dots)
    under = " " * shown.start + style.paint(kind, mark * shown.cells + (dots if several else ""))
    if note:
        note = plain(note)
        behind = shown.start + shown.cells + 1 + width(note) <= gutter.room
        under += f" {style.paint(kind, note)}" if behind else ""
        if not behind:
            # Below the mark, as far to its right as there is room.
            indent = " " * max(0, min(shown.start, gutter.room - width(note)))
            return (
                gutter.numbered(span.start.line, shown.text)
                + gutter.empty(under)
                + gutter.empty(indent + style.paint(kind, note))
            )
    return gutter.numbered(span.start.line, shown.text) + gutter.empty(under)
