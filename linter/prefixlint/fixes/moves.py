"""Where a unit goes: behind the text that lives longer, in front of the question at the end if there is one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from prefixlint.fixes.flow import VALUE, Move
from prefixlint.fixes.units import Unit, units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.fixes.flow import Flow, Range

TAIL: Final = 160
"""Longest fixed text, in characters without white space, of a tail: the question and what is written around it."""

_CUE: Final = re.compile(r"[\w #*'-]{1,30}:\W*$|</\w+>$")
_LISTED: Final = re.compile(r"(?:[-*+•]|\(?\d{1,3}[.)]|#{1,6})\s|```|~~~|</|\||>")


def moves(flow: Flow, at: int) -> Iterator[Move]:
    """New orders of the flow in which the value at ``at`` stands behind what lives longer, the best first."""
    for unit in units(flow, at):
        rank = flow.rank(at)
        end = _end(flow, unit)
        for place in dict.fromkeys((_tail(flow, unit, end, rank), end)):
            if place is not None:
                move = _moved_lines(flow, unit, place) if unit.lines else _moved_sentence(flow, unit, place)
                if move is not None:
                    yield move


def _end(flow: Flow, unit: Unit) -> int:
    """The line in front of which the region's trailing blank lines begin."""
    low, high = unit.region
    while high > low and flow.blank(high - 1):
        high -= 1
    # "Answer:" at the very end is what the model goes on from: nothing belongs behind it.
    cue = high
    while cue > low and (flow.blank(cue - 1) or _CUE.match(flow.content(cue - 1))):
        cue -= 1
    while cue < high and flow.blank(cue):
        cue += 1
    return cue


def _tail(flow: Flow, unit: Unit, end: int, rank: float) -> int | None:
    """First line of a short end that holds a value living no longer: "Question: {question}" and what is around it."""
    first = unit.lines[1] if unit.lines else flow.line_of(unit.end) + 1
    found = None
    for number in range(end - 1, first - 1, -1):
        line = flow.lines[number]
        if flow.weight(line.start, flow.lines[end - 1].end, rank) > TAIL:
            break
        if any(flow.rank(value) <= rank for value in flow.values(line.start, line.end)):
            found = number
    if found is None:
        return None
    value = next(at for at in flow.values(flow.lines[found].start, flow.lines[found].end) if flow.rank(at) <= rank)
    for other in units(flow, value):
        if other.lines and first < other.lines[0] <= found:
            found = min(found, other.lines[0])
            break
    return found if found > first else None


def _moved_lines(flow: Flow, unit: Unit, place: int) -> Move | None:
    assert unit.lines is not None
    first, last = unit.lines
    if place <= last:
        return None
    lines = flow.lines
    behind = last
    while behind < place and flow.blank(behind):
        behind += 1
    over = place
    while over > behind and flow.blank(over - 1):
        over -= 1
    if over <= behind:
        return None
    apart = behind > last and (first == unit.region[0] or flow.blank(first - 1) or _only_blank(flow, unit, first))
    start, end = unit.start, unit.end
    between = (end, lines[behind].start)
    body = (lines[behind].start if apart else lines[last].start, lines[over - 1].end)
    if not apart:
        between = (end, lines[last].start)
    gap: tuple[Range, ...] = (between,)
    if not apart and _LISTED.match(flow.content(over - 1)):
        gap = (between, between)
    ranges = ((0, start), body, *gap, (start, end), (lines[over - 1].end, len(flow.text)))
    return Move(_joined(ranges), (start, end), unit.what)


def _only_blank(flow: Flow, unit: Unit, first: int) -> bool:
    return all(flow.blank(number) for number in range(unit.region[0], first))


def _moved_sentence(flow: Flow, unit: Unit, place: int) -> Move | None:
    number = flow.line_of(unit.end - 1)
    start, end = unit.start, unit.end
    after = end
    while after < len(flow.text) and flow.text[after] in " \t":
        after += 1
    before = start
    if after == end:
        # Last of its line: the space in front goes, so that none is left at the line's end.
        while before > 0 and flow.text[before - 1] in " \t":
            before -= 1
    over = place
    while over > number and flow.blank(over - 1):
        over -= 1
    body = (after, flow.lines[over - 1].end)
    if body[1] <= after or not flow.text[body[0] : body[1]].strip():
        return None
    lines = flow.lines
    breaks = [(line.end, line.after) for line in lines if line.after > line.end]
    if before < start and before in (line.start for line in lines):
        return None
    gap: Range
    if len(lines) > 1 and breaks:
        gap = breaks[0]
    elif after > end:
        gap = (end, after)
    else:
        return None
    ranges = ((0, before), body, gap, (start, end), (body[1], len(flow.text)))
    return Move(_joined(ranges), (start, end), unit.what)


def _joined(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """Without empty ranges, and with those joined that follow one another anyway."""
    out: list[Range] = []
    for start, end in ranges:
        if start == end:
            continue
        if out and out[-1][1] == start:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return tuple(out)


_PLACE: Final = re.compile(
    r"\b(?P<noun>[\w-]+)\s+(?:(?:given|listed|shown|provided|mentioned|described|stated|supplied)\s+)?(?:above|below)\b"
    r"|\b(?:above|below|preceding|foregoing|aforementioned)\s+(?P<after>[\w-]+)|\b(?:the|as) (?:above|below)\b",
    re.IGNORECASE,
)
_PLACE_ALONE: Final = re.compile(
    r"\b(?:above|below)\b(?=\s*(?:[.,;:)\]!?]|$|\n)|\s+(?:and|to|in|is|are|as|when)\b)", re.IGNORECASE
)
_GENERAL_WORDS: Final = (
    "context information text document documents passage passages data input question query conversation history "
    "given listed provided mentioned shown described content contents example examples details instructions results "
    "message messages code article articles snippet snippets section list"
)
_GENERAL: Final = frozenset(_GENERAL_WORDS.split())


_BARRIER: Final = re.compile(
    r"<\|[^|\n]*\|>|<extra_id_\d|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?s>|^\s*[-=*_~]{3,}\s*$|"
    r"^\s*(?:human|assistant|ai|bot|system)\s*:\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_OWN_PLACE: Final = re.compile(
    r"\b(?:above|below)\b|\b(?:immediately|right|just|directly) (?:before|after)\b|\b(?:before|after) this\b"
    r"|\bso far\W*$",
    re.IGNORECASE,
)


_TAG: Final = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w.-]*)(?:\s[^<>]*)?>")
_GOES_ON: Final = re.compile(
    r"^\W*(?:(?:given|with|using|from|after|based on|use|consider|keep|as)\s+)?(?:this|that|these|those|it)\b",
    re.IGNORECASE,
)


def _whole(text: str) -> bool:
    """Does every tag that opens in a text close in it, and the other way round?"""
    open_tags: list[str] = []
    for tag in _TAG.finditer(text):
        if not tag["close"]:
            open_tags.append(tag["name"])
        elif not open_tags or open_tags.pop() != tag["name"]:
            return False
    return not open_tags


def tied(unit: str, jumped: str) -> bool:
    """Is a unit tied to its place? The text that it jumps over speaks of it ("the articles above", "Given this"), or it
    does itself; or marks of turns and rules between parts stand in the way, which give each part its meaning, or half a
    pair of tags."""
    if _BARRIER.search(jumped) or _BARRIER.search(unit):
        return True
    if not (_whole(unit) and _whole(jumped)) or _GOES_ON.search(jumped):
        return True
    own = {word.lower().rstrip("s") for word in re.findall(r"\w+", unit.replace(VALUE, " "))}
    for match in _PLACE.finditer(jumped):
        word = (match["noun"] or match["after"] or "context").lower()
        if word in _GENERAL or word.rstrip("s") in own:
            return True
    return _PLACE_ALONE.search(jumped) is not None or _OWN_PLACE.search(unit) is not None
