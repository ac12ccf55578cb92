"""Which values of a prompt last for all passes of a loop, where each pass sends a request about another item: the
document that was loaded before the loop over the questions.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from prefixlint.frontends.python.passes import Pass, lies_in
from prefixlint.frontends.python.values import Choose, Opaque, Str
from prefixlint.knowledge.names import expression_words, split_words
from prefixlint.model.lifetimes import Confidence, HopKind, Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from prefixlint.frontends.python.passes import Listing
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Block

    Segments = tuple[Segment, ...]

_SHORT = frozenset({Lifetime.TURN, Lifetime.REQUEST})
_SLICE = re.compile(r"\[[^][]*:[^][]*\]")
_LITERAL = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_WORDS = frozenset({"or", "if", "else", "and", "not", "is", "None", "True", "False"})
_LEADING = re.compile(r"[\w.]+")


def with_lasting(blocks: tuple[Block, ...], running: Sequence[Pass | Listing]) -> tuple[Block, ...]:
    """The blocks of a request that each pass of a loop makes for another item: what was there before the loop lasts for
    all of them, as what belongs to a session does."""
    parts = [segment for block in blocks for segment in walk(block.segments) if not isinstance(segment, Text)]
    places = {hop.span for part in parts for hop in part.origin.hops if hop.kind is HopKind.EACH}
    around = next((each for each in running if not _waits(each) and each.header in places), None)
    if around is None:
        return blocks
    known = {made for value in around.variables.values() for made in _made_at(value)}
    body = around.body

    def lasts(segment: Value | Repeat | Choice) -> bool:
        if segment.lifetime not in _SHORT or (not isinstance(segment, Choice) and (segment.grows or segment.drift)):
            return False
        hops = segment.origin.hops
        if any(hop.kind is HopKind.EACH for hop in hops) or segment.confidence is Confidence.CERTAIN:
            return False
        if isinstance(segment, Value) and (segment.name or _is_part(segment, around.variables)):
            return True
        made = hops[0].span if hops else segment.span
        return made in known and not any("(" in hop.expression and lies_in(hop.span, body) for hop in hops)

    return tuple(replace(block, segments=_lasting(block.segments, lasts)) for block in blocks)


def _waits(loop: Pass | Listing) -> bool:
    """Whether it runs over nothing, but until something is so."""
    return isinstance(loop, Pass) and isinstance(loop.node, ast.While)


def _made_at(value: Val) -> Iterator[Span]:
    """Where what a variable holds was made."""
    if isinstance(value, Opaque):
        yield value.origin.hops[0].span if value.origin.hops else value.span
    elif isinstance(value, Choose):
        for arm in value.values:
            yield from _made_at(arm)
    elif isinstance(value, Str):
        for segment in walk(value.segments):
            if not isinstance(segment, Text):
                yield segment.origin.hops[0].span if segment.origin.hops else segment.span


def _lasting(segments: Segments, lasts: Callable[[Value | Repeat | Choice], bool]) -> Segments:
    out: list[Segment] = []
    for segment in segments:
        new = segment
        if isinstance(segment, Choice):
            new = replace(segment, arms=tuple(_lasting(arm, lasts) for arm in segment.arms))
        elif isinstance(segment, Repeat):
            new = replace(segment, body=_lasting(segment.body, lasts))
        if not isinstance(new, Text) and lasts(new):
            new = replace(new, lifetime=Lifetime.SESSION)
            if isinstance(new, Value) and _is_long(new):
                new = replace(new, shape="document")
        out.append(new)
    return tuple(out)


def _is_part(value: Value, before: Mapping[str, Val]) -> bool:
    """Whether it is what a variable held before the loop, or a part of that: ``text[:600]``, ``(text or "")[:600]``."""
    hops = value.origin.hops
    for source in (value.expression, *(hop.expression for hop in hops[:1])):
        whole = before.get(_only_name(source))
        # The first hop tells of the part.
        if isinstance(whole, Opaque) and whole.origin.kind is value.origin.kind and hops[1:] == whole.origin.hops:
            return True
    return False


@lru_cache(maxsize=4096)
def _only_name(source: str) -> str:
    """The name of which an expression takes a part, where it names nothing else; "" of others."""
    expression = _LITERAL.sub(" ", source)
    names = set(_NAME.findall(expression)) - _WORDS
    return names.pop() if len(names) == 1 and _SLICE.search(expression) else ""


def _is_long(value: Value) -> bool:
    """Whether it is a document, by its name or by where it comes from, and no question."""
    leading = _LEADING.match(value.expression)
    words = split_words(leading.group().rpartition(".")[2]) if leading is not None else ()
    known = expression_words()
    if not known.asked.isdisjoint(words):
        return False
    return value.origin.kind is SourceKind.RETRIEVAL or (bool(words) and words[-1] in known.long)
