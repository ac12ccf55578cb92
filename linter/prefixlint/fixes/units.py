"""What belongs together around a value: the lines or the sentence that can move with it and still make sense.

The smallest thing that speaks for itself moves: an element with its tags, a section with its heading, a short
paragraph, a line with the line that announces it, a sentence. Where the value is no such thing by itself (a bullet
in a list, a line of code, the sentence that says who the model is), nothing is offered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prefixlint.fixes.flow import VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.fixes.flow import Flow

SMALL: Final = 240
"""Longest fixed text, in characters without white space, that moves along with a value."""

_OPEN: Final = re.compile(r"<([A-Za-z_][\w:.-]*)(?:\s[^<>]*)?>")
_HEADING: Final = re.compile(r"(#{1,6})\s|(\*\*[^*]+\*\*:?$)|([-=*~]{3,}\s*\S.*[-=*~]{3,}$)|(\[[A-Z][^\]\ufffc]*\]$)")
_BULLET: Final = re.compile(r"(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s")
_LABEL: Final = re.compile(r"[\W_]*(?:[A-Z\ufffc][^:=.!?\n]{0,60}|[\w -]{1,40})[:=]\W")
_FENCE: Final = re.compile(r"(?:```|~~~)")
_STOP: Final = re.compile(r"[.!?:;…。！？：][\"'”’)\]*_`]*$")
_ANNOUNCES: Final = re.compile(r":[\"'*_]*$|\b(?:following|below)\b[^.]*[.:]?$", re.IGNORECASE)
_PERSONA: Final = re.compile(
    r"\byou(?:'re| are)\s+(?!(?:now\s+|currently\s+)?(?:talking|speaking|chatting|helping|assisting|working|logged|"
    r"running|in\b|at\b|on\b|using|given|connected|serving|answering))"
    r"|\bact as\b|\byour (?:role|name|task|job|goal) is\b",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[.!?。！？][\"'”’)\]]*(?=\s|$)")
_ABBREVIATION: Final = re.compile(r"\b(?:e\.g|i\.e|etc|vs|Mr|Mrs|Ms|Dr|St|No|approx|cf)\.$", re.IGNORECASE)
_DANGLING: Final = re.compile(
    r"^\W*(?:and|or|but|so|then|also|therefore|however|it|this|that|these|those|they|he|she|its|their|otherwise|"
    r"if so|instead|because|which|else)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """``start`` to ``end`` of a flow; ``lines`` the first line and the one behind the last, or None for a sentence.

    ``region`` are the lines within which it may move.
    """

    start: int
    end: int
    lines: tuple[int, int] | None
    region: tuple[int, int]
    what: str


def units(flow: Flow, at: int) -> Iterator[Unit]:
    """What can move with the value at ``at``, the largest sensible thing first."""
    rank = flow.rank(at)
    number = flow.line_of(at)
    low, high, element = _around(flow, number, rank)
    if element is not None:
        yield _lines(flow, *element, (low, high), "the element")
        return
    if _fenced(flow, number, low, high):
        return
    section = _section(flow, number, low, high, rank)
    if section is not None:
        yield _lines(flow, *section, (low, high), "the section")
    paragraph = _paragraph(flow, number, low, high)
    first, last = _announced(flow, *paragraph, low)
    whole = _span(flow, first, last)
    in_list = _in_list(flow, number, paragraph)
    if flow.weight(*whole, rank) <= SMALL and not _persona(flow, *whole) and not (section and section != (first, last)):
        yield _lines(flow, first, last, (low, high), "the paragraph" if last - first > 1 else "the line")
    if in_list:
        return
    group = _group(flow, number, paragraph, rank)
    for one in dict.fromkeys((group, (number, number + 1))):
        if one != paragraph and _speaks(flow, *one, paragraph) and flow.weight(*_span(flow, *one), rank) <= SMALL:
            announced = _announced(flow, *one, paragraph[0])
            if not _persona(flow, *_span(flow, *announced)):
                yield _lines(flow, *announced, (low, high), "the line" if one[1] - one[0] == 1 else "the lines")
    sentence = _sentence(flow, at, paragraph)
    if sentence is not None and flow.weight(*sentence, rank) <= SMALL and not _persona(flow, *sentence):
        yield Unit(*sentence, None, (low, high), "the sentence")


def _span(flow: Flow, first: int, last: int) -> tuple[int, int]:
    return flow.lines[first].start, flow.lines[last - 1].end


def _lines(flow: Flow, first: int, last: int, region: tuple[int, int], what: str) -> Unit:
    return Unit(*_span(flow, first, last), (first, last), region, what)


def _around(flow: Flow, number: int, rank: float) -> tuple[int, int, tuple[int, int] | None]:
    """The innermost element around a line that is too large to move, as the region inside it; and the largest element
    around the line that is small enough to move."""
    low, high = 0, len(flow.lines)
    element = None
    for opening in range(number, -1, -1):
        for match in _OPEN.finditer(flow.content(opening)):
            closing = _closing(flow, match[1], opening, number)
            if closing is None or (opening == closing == number and _alone(flow, number, match[1])):
                continue
            if flow.weight(*_span(flow, opening, closing + 1), rank) <= SMALL:
                element = (opening, closing + 1)
                continue
            return opening + 1, closing, element and _with_label(flow, element, opening + 1)
    return low, high, element and _with_label(flow, element, 0)


def _alone(flow: Flow, number: int, tag: str) -> bool:
    """An element within one line that has other text around it is no reason not to move the line."""
    return not flow.content(number).startswith(f"<{tag}")


def _with_label(flow: Flow, element: tuple[int, int], low: int) -> tuple[int, int]:
    return _announced(flow, *element, low)


def _closing(flow: Flow, tag: str, opening: int, number: int) -> int | None:
    """The line on which the element of ``opening`` ends, where that is on line ``number`` or behind it."""
    depth = 0
    pattern = re.compile(rf"<(/?){re.escape(tag)}(?:\s[^<>]*)?>")
    for line in range(opening, len(flow.lines)):
        for match in pattern.finditer(flow.content(line)):
            depth += -1 if match[1] else 1
            if depth == 0:
                return line if line >= number else None
    return None


def _fenced(flow: Flow, number: int, low: int, high: int) -> bool:
    """Is the line inside of a fenced block of code?"""
    return sum(bool(_FENCE.match(flow.content(line))) for line in range(low, number)) % 2 == 1 or bool(
        _FENCE.match(flow.content(number))
    )


def _level(flow: Flow, number: int) -> int:
    """Level of the heading on a line, 1 to 6 for Markdown, 7 for others; 0 for no heading."""
    match = _HEADING.match(flow.content(number))
    if match is None:
        return 0
    return len(match[1]) if match[1] else 7


def _section(flow: Flow, number: int, low: int, high: int, rank: float) -> tuple[int, int] | None:
    """The section of a heading above the line, where it is small."""
    for opening in range(number, low - 1, -1):
        level = _level(flow, opening)
        if not level:
            continue
        closing = opening + 1
        while closing < high and not (0 < _level(flow, closing) <= level):
            closing += 1
        while closing > opening + 1 and flow.blank(closing - 1):
            closing -= 1
        if closing <= number:
            return None
        small = flow.weight(*_span(flow, opening, closing), rank) <= SMALL
        return (opening, closing) if small else None
    return None


def _paragraph(flow: Flow, number: int, low: int, high: int) -> tuple[int, int]:
    first, last = number, number + 1
    while first > low and not flow.blank(first - 1):
        first -= 1
    while last < high and not flow.blank(last):
        last += 1
    return first, last


def _announced(flow: Flow, first: int, last: int, low: int) -> tuple[int, int]:
    """The same lines with the line that announces them ("Files:", "Use the following articles.")."""
    if _LABEL.match(flow.content(first)) and last - first == 1:
        return first, last
    above = first - 1
    if above >= low and flow.blank(above):
        above -= 1
    if above < low or flow.blank(above) or VALUE in flow.content(above):
        return first, last
    text = flow.content(above)
    alone = above == low or flow.blank(above - 1) or above == first - 1
    if alone and _ANNOUNCES.search(text) and len(text) <= SMALL and not _BULLET.match(text):
        return above, last
    return first, last


def _in_list(flow: Flow, number: int, paragraph: tuple[int, int]) -> bool:
    if _BULLET.match(flow.content(number)) and not flow.content(number).startswith(VALUE):
        return True
    # A line that goes on from a bullet above it belongs to that.
    line = flow.lines[number]
    indented = flow.text[line.start : line.end][:1] in (" ", "\t")
    return indented and any(_BULLET.match(flow.content(each)) for each in range(paragraph[0], number))


def _group(flow: Flow, number: int, paragraph: tuple[int, int], rank: float) -> tuple[int, int]:
    """The lines around that change as often or more often: a header of several values moves as one."""

    def varies(line: int) -> bool:
        values = flow.values(flow.lines[line].start, flow.lines[line].end)
        return bool(values) and all(flow.rank(at) <= max(rank, 4) for at in values)

    first, last = number, number + 1
    while first > paragraph[0] and varies(first - 1):
        first -= 1
    while last < paragraph[1] and varies(last):
        last += 1
    return first, last


def _speaks(flow: Flow, first: int, last: int, paragraph: tuple[int, int]) -> bool:
    """Do these lines of a paragraph speak for themselves: no sentence goes on into or out of them?"""
    if last < paragraph[1]:
        text, following = flow.content(last - 1), flow.content(last)
        ends = _STOP.search(text) or text.endswith(VALUE) or _LABEL.match(text)
        if not ends or following[:1].islower():
            return False
    if first > paragraph[0]:
        above = flow.content(first - 1)
        starts = (
            _LABEL.match(flow.content(first)) or flow.content(first)[:1].isupper() or flow.content(first)[0] == VALUE
        )
        if not starts or not (_STOP.search(above) or _LABEL.match(above) or above.endswith(VALUE) or len(above) < 60):
            return False
    return not _DANGLING.match(flow.content(first)) or first == paragraph[0]


def _persona(flow: Flow, start: int, end: int) -> bool:
    return _PERSONA.search(flow.text[start:end]) is not None


def _sentence(flow: Flow, at: int, paragraph: tuple[int, int]) -> tuple[int, int] | None:
    """The sentence around ``at``, where it is one of several in its paragraph and does not lean on another."""
    low, high = _span(flow, *paragraph)
    ends = [
        match.end()
        for match in _SENTENCE_END.finditer(flow.text, low, high)
        if not _ABBREVIATION.search(flow.text[low : match.end()])
    ]
    starts = [low, *ends]
    start = max(each for each in starts if each <= at)
    end = next((each for each in ends if each > at), None)
    if end is None:
        if _STOP.search(flow.text[low:high]) is None and flow.text[start:high].strip()[-1:] != VALUE:
            return None
        end = high
    while start < end and flow.text[start].isspace():
        start += 1
    if (start == low and end == high) or _DANGLING.match(flow.text[start:end]):
        return None
    text = flow.text[start:end]
    if _BULLET.match(text) or not (text[0].isupper() or text[0] in VALUE + "([*\"'"):
        return None
    # What follows must not lean on what goes.
    after = flow.text[end:high].lstrip()
    if after and _DANGLING.match(after):
        return None
    return start, end
