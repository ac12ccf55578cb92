"""What belongs together around a value: the lines or the sentence that can move with it and still make sense.

The smallest thing that speaks for itself moves: an element with its tags, a section with its heading, a short
paragraph, a line with the line that announces it, a sentence. Where the value is no such thing by itself (a bullet
in a list, a line of code, the sentence that says who the model is), nothing is offered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prefixlint.fixes.flow import CHANGING, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prefixlint.fixes.flow import Flow

SMALL: Final = 240
"""Longest fixed text, in characters without white space, that moves along with a value."""

NEAR: Final = 8
"""Lines that a heading speaks for, where nothing else says what follows it."""

SHORT: Final = 60
"""A line shorter than this was not broken for its length: what follows it begins anew."""

_OPEN: Final = re.compile(r"<([A-Za-z_][\w:.-]*)(?:\s[^<>]*)?>")
_HEADING: Final = re.compile(r"(#{1,6})\s|(\*\*[^*]+\*\*:?$)|([-=*~]{3,}\s*\S.*[-=*~]{3,}$)|(\[[A-Z][^\]\ufffc]*\]$)")
_BULLET: Final = re.compile(r"(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s")
_LABEL: Final = re.compile(r"[\W_]*(?:[A-Z\ufffc][^:=.!?\n]{0,60}|[\w -]{1,40})[:=]\W")
_FENCE: Final = re.compile(r"(?:```|~~~)")
_TAG: Final = re.compile(r"</?[^<>]*>")
_LEANS_BACK: Final = re.compile(
    r"\W*(?:(?:use|using|based on|given|with|from|in|for|consider|read|review|analy[sz]e|according to)\s+)?"
    r"(?:this|these|that|those)\s+(?!is\b|prompt\b|task\b|conversation\b|format\b|json\b|step|rule|instruction|order)",
    re.IGNORECASE,
)
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
DANGLING: Final = re.compile(
    r"^\W*(?:and|or|but|so|then|also|therefore|however|it(?!(?:'s| is)\s+(?:now\s+)?\ufffc)|this|that|these|"
    r"those|they|he|she|its|their|otherwise|"
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
    """What can move with the value at ``at``, the largest sensible thing first.

    Paragraphs right behind that change as well come along, so that they stay in their order.
    """
    for unit in _single(flow, at):
        if _tied(flow, unit, at):
            continue
        longer = _with_followers(flow, unit, flow.rank(at))
        if longer is not None:
            yield longer
        yield unit


def _tied(flow: Flow, unit: Unit, at: int) -> bool:
    """Would the unit leave something behind that makes no sense without it, or makes none alone?"""
    text = flow.text[unit.start : unit.end]
    if _embedded(flow, unit, at) or _LEANS_BACK.match(_behind(flow, unit)):
        return True
    if unit.lines is None:
        return False
    above = unit.lines[0] - 1
    while above >= unit.region[0] and flow.blank(above):
        above -= 1
    if above < unit.region[0]:
        return False
    bare = len(re.findall(r"[^\W\d_]{2,}", _TAG.sub(" ", text).replace(VALUE, " "))) < 2
    if flow.content(above).endswith(":") and not _LABEL.match(flow.content(unit.lines[0])):
        return True
    return bare and (_level(flow, above) > 0 or _under_heading(flow, unit))


def _behind(flow: Flow, unit: Unit) -> str:
    return flow.text[unit.end : unit.end + 120].lstrip()


def _embedded(flow: Flow, unit: Unit, at: int) -> bool:
    """Does the value stand in the midst of a sentence that says more than what the value is?"""
    line = flow.lines[flow.line_of(at)]
    low, high = max(line.start, unit.start), min(line.end, unit.end)
    before = re.split(r"[.!?:;]\s", flow.text[low:at])[-1]
    after = re.split(r"[.!?:;](?:\s|$)", flow.text[at + 1 : high])[0]
    return len(before.split()) >= 5 and len(re.findall(r"\w+", after)) >= 4


def _under_heading(flow: Flow, unit: Unit) -> bool:
    """Is there a heading above within the same section, other than one of the whole text?"""
    assert unit.lines is not None
    for number in range(unit.lines[0] - 1, unit.region[0] - 1, -1):
        level = _level(flow, number)
        if level:
            return level != 1 and unit.lines[0] - number <= NEAR
    return False


def _with_followers(flow: Flow, unit: Unit, rank: float) -> Unit | None:
    if unit.lines is None:
        return None
    first, last = unit.lines
    low, high = unit.region
    if last < high and not flow.blank(last):
        return None
    while True:
        start = last
        while start < high and flow.blank(start):
            start += 1
        if start >= high:
            break
        paragraph = _paragraph(flow, start, low, high)
        values = flow.values(*_span(flow, *paragraph))
        if not values or any(flow.rank(value) > max(rank, CHANGING) for value in values):
            break
        if flow.weight(*_span(flow, *paragraph), rank) > SMALL or _BULLET.match(flow.content(start)):
            break
        last = paragraph[1]
    return _lines(flow, first, last, unit.region, "the paragraphs") if last > unit.lines[1] else None


def _single(flow: Flow, at: int) -> Iterator[Unit]:
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
    sentence = _sentence(flow, at, paragraph)
    one_of_several = sentence is not None and _several(flow, number, sentence)
    apart = sentence is not None and flow.weight(*sentence, rank) <= SMALL and not _persona(flow, *sentence)
    if sentence is not None and apart and one_of_several:
        yield Unit(*sentence, None, (low, high), "the sentence")
    labelled = _labelled(flow, number, paragraph)
    group = _group(flow, number, paragraph, rank)
    alone = (group, (number, number + 1)) if labelled[1] - labelled[0] == 1 else (labelled,)
    for one in dict.fromkeys(alone):
        if one != paragraph and _speaks(flow, *one, paragraph) and _light(flow, *one, rank, labelled):
            announced = _announced(flow, *one, paragraph[0])
            if not _persona(flow, *_span(flow, *announced)):
                yield _lines(flow, *announced, (low, high), "the line" if one[1] - one[0] == 1 else "the lines")
    if labelled[1] - labelled[0] == 1 and sentence is not None and apart and not one_of_several:
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
        return (opening, closing) if small and not _among(flow, opening, closing, low, high, level) else None
    return None


def _among(flow: Flow, opening: int, closing: int, low: int, high: int, level: int) -> bool:
    """Is it one of several sections under one heading, which are there together or not at all?"""
    if level in (1, 7):
        return False
    above = [found for number in range(low, opening) if (found := _level(flow, number))]
    parent = next((found for found in reversed(above) if found < level), 0)
    sibling = bool(above) and above[-1] == level
    following = next((found for number in range(closing, high) if (found := _level(flow, number))), 0)
    return parent > 1 and (sibling or following == level)


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
        return bool(values) and all(flow.rank(at) <= max(rank, CHANGING) for at in values)

    return _run(number, paragraph, varies)


def _labelled(flow: Flow, number: int, paragraph: tuple[int, int]) -> tuple[int, int]:
    """The run of lines around of which each has a label and a value: a list in all but name."""

    def listed(line: int) -> bool:
        return VALUE in flow.content(line) and _LABEL.match(flow.content(line)) is not None

    return _run(number, paragraph, listed) if listed(number) else (number, number + 1)


def _run(number: int, paragraph: tuple[int, int], belongs: Callable[[int], bool]) -> tuple[int, int]:
    """The line, and those next to it within the paragraph that belong to it."""
    first, last = number, number + 1
    while first > paragraph[0] and belongs(first - 1):
        first -= 1
    while last < paragraph[1] and belongs(last):
        last += 1
    return first, last


def _light(flow: Flow, first: int, last: int, rank: float, labelled: tuple[int, int]) -> bool:
    """Is it little text? What a list holds that is not known counts as a value like the others."""
    start, end = _span(flow, first, last)
    if (first, last) == labelled and last - first > 1:
        return len("".join(flow.text[start:end].split())) <= SMALL
    return flow.weight(start, end, rank) <= SMALL


def _speaks(flow: Flow, first: int, last: int, paragraph: tuple[int, int]) -> bool:
    """Do these lines of a paragraph speak for themselves: no sentence goes on into or out of them?"""
    if last < paragraph[1]:
        text, following = flow.content(last - 1), flow.content(last)
        ends = _STOP.search(text) or text.endswith(VALUE) or _LABEL.match(text) or following.startswith(VALUE)
        ends = ends or (len(text) < SHORT and following[:1].isupper())
        if not ends or following[:1].islower():
            return False
    if first > paragraph[0]:
        above = flow.content(first - 1)
        starts = (
            _LABEL.match(flow.content(first)) or flow.content(first)[:1].isupper() or flow.content(first)[0] == VALUE
        )
        if not starts or not (
            _STOP.search(above) or _LABEL.match(above) or above.endswith(VALUE) or len(above) < SHORT
        ):
            return False
    return not DANGLING.match(flow.content(first)) or first == paragraph[0]


def _several(flow: Flow, number: int, sentence: tuple[int, int]) -> bool:
    """Does the line hold more than the sentence?"""
    line = flow.lines[number]
    rest = flow.text[line.start : max(line.start, sentence[0])] + flow.text[min(sentence[1], line.end) : line.end]
    return len(rest.strip()) >= 10


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
    if (start == low and end == high) or DANGLING.match(flow.text[start:end]):
        return None
    text = flow.text[start:end]
    if _BULLET.match(text) or not (text[0].isupper() or text[0] in VALUE + "([*\"'"):
        return None
    # What follows must not lean on what goes.
    after = flow.text[end:high].lstrip()
    if after and DANGLING.match(after):
        return None
    return start, end
