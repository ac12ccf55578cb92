"""Puts together what several runs found of one template.

A prompt function is run by itself, with its parameters open, and again inside each caller. The direct evidence wins: a
template that reaches a known sink covers the same text found as a returned string, and one filled by a caller covers
the same one with open parameters, unless that caller only tries it out.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.blocks import changes_front, drifts_of, telling_places
from prefixlint.model.segments import Text, Value, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Set

    from prefixlint.frontends.python.frames import Emission
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Template

Site = tuple[str, int, int]


def merged(emissions: Sequence[Emission]) -> list[Template]:
    """One template for each distinct prompt, in order of path and line."""
    groups: dict[tuple[frozenset[Site | Span], Span], list[Emission]] = defaultdict(list)
    for emission in emissions:
        # The same constant can be sent from several places. Without any, what cuts a conversation tells them apart.
        marks: frozenset[Site | Span] = frozenset(_sites(emission.template)) or frozenset(drifts(emission.template))
        groups[marks, emission.template.span].append(emission)
    kept: list[Emission] = []
    for group in groups.values():
        kept.extend(_as_constant(emission) for emission in _distinct(group))
    spoken = {e.template.span for e in kept if any(True for _ in _sites(e.template))}
    kept.sort(key=_order)
    whole = _WholeTexts(kept)
    covered: dict[Site, int] = {}
    told: dict[Site, int] = {}
    objects: dict[Span, list[set[Site]]] = defaultdict(list)
    lines: set[tuple[str, int]] = set()
    out: list[Emission] = []
    silent: list[Emission] = []
    for emission in kept:
        sites = set(_sites(emission.template))
        if not sites:
            sent = emission.rank >= 2 and emission.template.span not in spoken
            if sent or (emission.rank < 2 and _tells_more(emission.template, out)):
                out.append(emission)
            else:
                silent.append(emission)
            continue
        varying = _varying(emission)
        if whole.hold(emission):
            continue  # what looks like a placeholder there is part of an example
        if emission.tried and all(told.get(site, 0) > varying for site in sites):
            continue
        known = [covered[site] for site in sites if site in covered]
        if known and _is_pair(emission):
            continue  # one of them is sent with something else
        made, here = emission.template.span, _stands_where_made(emission.template)
        if here and _open(emission.template) and any(sites < filled for filled in objects[made]):
            continue  # the same object, filled with text
        best = max(known, default=-1) if len(known) == len(sites) else -1
        said = best > emission.rank or (emission.rank <= 1 and best >= emission.rank)
        if said and (emission.rank <= 0 or not _begins_elsewhere(emission.template, lines)):
            continue
        lines.update(line for segment in _pieces(emission.template) for line in _lines(segment))
        if not here and not emission.tried:
            objects[made].append(sites)
        for site in sites:
            covered[site] = max(covered.get(site, -1), emission.rank)
            told[site] = max(told.get(site, 0), varying)
        out.append(emission)
    shown = {place for e in out for place in drifts(e.template)}
    # Callers decide what is cut, unless they only try it out: nothing is, of the same few messages in each turn.
    shown.update(place for e in emissions if not e.tried for place in e.uncut)
    # Where callers hand on no conversation, or one that is not known, what is cut is only seen with parameters open.
    apart = [_conversation(emission) for emission in emissions if emission.rank >= 2]
    for emission in [*silent, *apart]:
        # Nothing is said in it but what it is given: a conversation that is cut, which no other template shows.
        new = set(drifts(emission.template)) - shown
        if new:
            shown |= new
            out.append(emission)
    return sorted((e.template for e in out), key=lambda t: (t.span.path, t.span.start, t.form))


class _WholeTexts:
    """Texts that are sent with all their braces: nobody fills those."""

    def __init__(self, emissions: Iterable[Emission]) -> None:
        self._places: dict[str, list[Span]] = defaultdict(list)
        self._sent: set[Span] = set()
        for emission in emissions:
            if emission.rank < 2:
                continue
            for piece in _pieces(emission.template):
                if isinstance(piece, Text) and "{" in piece.text:
                    for span in piece.spans():
                        self._places[span.path].append(span)
            self._sent.update(value.span for value in _values(emission.template))

    def hold(self, emission: Emission) -> bool:
        """Whether all values of a constant stand within such texts; of what a function holds, some of them, and the
        others are sent."""
        if emission.rank > 1:
            return False
        values = {value.span for value in _values(emission.template)}
        others = {place for place in values if not self._holds(place)}
        if emission.rank <= 0:
            return bool(values) and not others
        return values > others and bool(others) and others <= self._sent

    def _holds(self, place: Span) -> bool:
        return any(text.start <= place.start and place.end <= text.end for text in self._places[place.path])


def _conversation(emission: Emission) -> Emission:
    """Of a template only the conversations that change in front of their ends."""
    blocks = tuple(block for block in emission.template.blocks if any(True for _ in drifts_of(block)))
    return replace(emission, template=replace(emission.template, blocks=blocks))


def _as_constant(emission: Emission) -> Emission:
    """Text that nothing is filled into, checked or logged somewhere, tells less than the same with values in it."""
    values = (isinstance(s, Value) for block in emission.template.blocks for s in walk(block.segments))
    return emission if emission.rank > 1 or any(values) else replace(emission, rank=-1)


def _distinct(group: list[Emission]) -> Iterator[Emission]:
    """Of emissions with the same text: those of the most direct evidence, each set of fillings once, open ones last."""
    tried = [e for e in group if e.tried]
    elsewhere = [e for e in group if not e.tried and e.rank >= 1]
    if tried and elsewhere and max(map(_varying, elsewhere)) > max(map(_varying, tried)):
        group = elsewhere
    rank = max(e.rank for e in group)
    best = [e for e in group if e.rank == rank]
    called = [e for e in best if e.calls > 0]
    # A caller that fills in constants (a demonstration, say) speaks for itself alone.
    filled = [e for e in called if any(True for _ in _values(e.template))] or called or best
    fewest = min(_open(e.template) for e in filled)
    filled = [e for e in filled if _open(e.template) == fewest]
    # What is sent without the trial too is no trial's own.
    if not all(e.tried for e in best):
        filled = [replace(e, tried=False) for e in filled]
    seen = set()
    # What is counted before it is cut is not sent so.
    for emission in sorted(filled, key=lambda e: not any(True for _ in drifts(e.template))):
        key = tuple(
            (s.span, s.lifetime, s.origin.kind)
            for b in emission.template.blocks
            for s in walk(b.segments)
            if isinstance(s, Value)
        )
        if key not in seen:
            seen.add(key)
            yield emission


def _tells_more(template: Template, others: Iterable[Emission]) -> bool:
    """Whether a list of messages without any text has a value in front of a conversation that no other template has."""
    if not changes_front(template.blocks):
        return False
    known = {value.span for emission in others for value in _values(emission.template)}
    return not all(value.span in known for value in _values(template) if not value.grows)


def _values(template: Template) -> Iterator[Value]:
    return (s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value))


def _stands_where_made(template: Template) -> bool:
    """Whether a prompt is told where it was made, or sent at once: an object that is filled later is told again."""
    return not template.related or template.related[0].span == template.span


def _is_pair(emission: Emission) -> bool:
    """Whether nothing but their names says that two constants belong together."""
    return emission.rank == 0 and len(emission.template.blocks) > 1


def _sites(template: Template) -> Iterator[Site]:
    """Places of the fixed text that tells templates apart."""
    for block in template.blocks:
        for span in telling_places(block.segments):
            yield span.path, span.start.line, span.start.column


def _order(emission: Emission) -> tuple[bool, bool, int, bool, bool, int, int, int]:
    """Of two emissions the first one covers the other: the more direct, two constants together, what was copied and
    then cut (what it was copied from is not sent), the one that tells more."""
    template, rank = emission.template, emission.rank
    pair, cut = _is_pair(emission), rank == 1 and any(True for _ in drifts(template))
    places = sum(1 for _ in _sites(template))
    return rank <= 0, emission.tried, -rank, not pair, not cut, _open(template), -places, -_varying(emission)


def _begins_elsewhere(template: Template, lines: Set[tuple[str, int]]) -> bool:
    """Whether what a template begins with is part of none of those to which these lines belong: then they only share a
    constant."""
    first = next(_pieces(template), None)
    return first is not None and lines.isdisjoint(_lines(first))


def _pieces(template: Template) -> Iterator[Text | Value]:
    return (s for block in template.blocks for s in walk(block.segments) if isinstance(s, Text | Value))


def _lines(piece: Text | Value) -> Iterator[tuple[str, int]]:
    for span in piece.spans() if isinstance(piece, Text) else (piece.span,):
        yield from ((span.path, line) for line in range(span.start.line, span.end.line + 1))


def drifts(template: Template) -> Iterator[Span]:
    """Places that make a conversation in a template change in front of its end."""
    for block in template.blocks:
        yield from drifts_of(block)


def _varying(emission: Emission) -> int:
    """Number of values that are known to vary."""
    return sum(isinstance(s, Value) and s.lifetime.varies for b in emission.template.blocks for s in walk(b.segments))


def _open(template: Template) -> int:
    """Number of values that a caller could still fill."""
    return sum(1 for block in template.blocks for s in walk(block.segments) if _is_open(s))


def _is_open(segment: Segment) -> bool:
    return isinstance(segment, Value) and bool(segment.name)
