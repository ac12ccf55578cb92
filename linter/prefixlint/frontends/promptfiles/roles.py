"""Messages: role headers and role tags in one text make blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.mapping import cut, joined
from prefixlint.frontends.promptfiles.marks import CacheMark, RoleMark
from prefixlint.knowledge.roles import standard_role
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Segment, Text, Value, merge_text, walk
from prefixlint.model.sources import Span
from prefixlint.model.templates import SYSTEM_ROLES, Block, Component

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.frontends.promptfiles.marks import Part

_HISTORY = "history"
"""Role of a block that stands for a whole conversation."""

HEADER = re.compile(
    r"^[ \t]*(?:#{1,3}[ \t]*)?(system|user|assistant|developer|function|tool)[ \t]*:[ \t]*\n", re.IGNORECASE | re.M
)
"""A role header on a line of its own, as promptflow and .prompty read it."""


def component(role: str) -> Component:
    return "system" if role in SYSTEM_ROLES else "messages"


def block(
    role: str, segments: Sequence[Segment], span: Span | None = None, *, cache_marker: bool = False
) -> Block | None:
    """A block of these segments; None when there are none. ``span`` defaults to the place of the segments."""
    held = merge_text(segments)
    if not held:
        return None
    role = standard_role(role.lower())
    return Block(role, component(role), held, span or extent(held), cache_marker)


def extent(segments: Sequence[Segment]) -> Span:
    """From the first to the last place of ``segments`` within the file of the first one."""
    spans = [segment.span() if isinstance(segment, Text) else segment.span for segment in segments]
    here = [span for span in spans if span.path == spans[0].path]
    return Span(here[0].path, min(span.start for span in here), max(span.end for span in here))


@dataclass(slots=True)
class _Open:
    """A message, or a content block of one, as it is read. ``raw`` keeps the white space at its ends."""

    role: str
    parts: list[Segment] = field(default_factory=list)
    raw: bool = False
    cached: bool = False

    def block(self) -> Block | None:
        held = self.parts if self.raw or self.cached else _stripped(self.parts)
        if all(isinstance(part, Text) and not part.text.strip() for part in held):
            return None
        return block(self.role, held, cache_marker=self.cached)


def messages(parts: Iterable[Part], marks: re.Pattern[str] = HEADER) -> tuple[Block, ...]:
    """Blocks of a template in which role headers or role tags begin messages; one block without a role when none do.

    ``marks`` finds headers in texts, their roles in its first group; one without a role ends a message.
    """
    out = [_Open("")]
    tagged = False
    for part in parts:
        if isinstance(part, RoleMark):
            tagged = tagged or not part.role
            out.append(_Open(part.role, raw=part.raw))
        elif isinstance(part, CacheMark):
            # A message with a marked block is a list of blocks, and those of text are stripped.
            out[-1].raw, out[-1].cached = False, part.end
            out.append(_Open(out[-1].role, raw=not part.end))
        elif isinstance(part, Text):
            at = 0
            for mark in marks.finditer(part.text):
                tagged = tagged or not mark.group(1)
                out[-1].parts.append(cut(part, at, mark.start()))
                out.append(_Open(mark.group(1) or ""))
                at = mark.end()
            out[-1].parts.append(cut(part, at, len(part.text)))
        elif isinstance(part, Choice | Repeat) and (inner := _without_headers(part, marks))[1]:
            role = out[-1].role
            talk = _conversation(part, inner[1]) if isinstance(part, Repeat) else None
            out.append(_Open(inner[1][0], [inner[0]]) if talk is None else _Open(_HISTORY, [talk]))
            out.append(_Open(role))
        else:
            out[-1].parts.append(part)
    if len(out) == 1:
        only = block("", out[0].parts)
        return (only,) if only else ()
    # Between role tags, unlike headers, text is not sent; what a value gives there may hold tags of its own.
    if tagged:
        for held in out:
            if not held.role:
                held.role = "user"
                held.parts = [part for part in held.parts if not isinstance(part, Text) and marks is not HEADER]
    return tuple(found for held in out if (found := held.block()) is not None)


def _conversation(repeat: Repeat, roles: Sequence[str]) -> Value | None:
    """The messages of a conversation, for a loop that writes them with a header each; None for another loop."""
    if repeat.origin.kind is not SourceKind.HISTORY or (len(set(roles)) < 2 and roles[0] != _HISTORY):
        return None
    return Value(
        repeat.expression,
        repeat.span,
        Lifetime.TURN,
        repeat.origin,
        repeat.confidence,
        name=_name_in(repeat.body),
        grows=repeat.drift is None and repeat.grows,
        drift=repeat.drift,
    )


def _name_in(segments: Sequence[Segment]) -> str:
    return next((part.name for part in walk(segments) if isinstance(part, Value) and part.name), "")


def _without_headers(segment: Segment, marks: re.Pattern[str]) -> tuple[Segment, tuple[str, ...]]:
    """The segment with role headers taken out, and the roles in it."""
    if isinstance(segment, Text):
        held = [cut(segment, 0, len(segment.text))]
        headers = list(marks.finditer(segment.text))
        if not headers:
            return segment, ()
        roles = tuple(header.group(1).lower() for header in headers if header.group(1))
        at, held = 0, []
        for header in headers:
            held.append(cut(segment, at, header.start()))
            at = header.end()
        held.append(cut(segment, at, len(segment.text)))
        kept = [text for text in merge_text(held) if isinstance(text, Text)]
        if not kept:
            return cut(segment, 0, 0), roles
        return (kept[0] if len(kept) == 1 else joined(kept)), roles
    if isinstance(segment, Repeat):
        body, roles = _without_headers_in(segment.body, marks)
        return replace(segment, body=body), roles
    if isinstance(segment, Choice):
        arms = [_without_headers_in(arm, marks) for arm in segment.arms]
        return replace(segment, arms=tuple(arm for arm, _ in arms)), tuple(role for _, found in arms for role in found)
    return segment, ()


def _without_headers_in(
    segments: Sequence[Segment], marks: re.Pattern[str]
) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    segments, computed = _without_computed(segments)
    parts = [_without_headers(segment, marks) for segment in segments]
    return merge_text(part for part, _ in parts), (*computed, *(role for _, found in parts for role in found))


_HEADER_START = re.compile(r"^[ \t]*(?:#{1,3}[ \t]*)?\Z", re.MULTILINE)
_HEADER_END = re.compile(r"[ \t]*:[ \t]*\n")
_ROLE_OF = re.compile(r"(?:\.|\[['\"]|^)role['\"\]]*\Z")


def _without_computed(segments: Sequence[Segment]) -> tuple[Sequence[Segment], tuple[str, ...]]:
    """Without headers whose role is filled in (``# {{ message.role }}:``)."""
    out = list(segments)
    roles: list[str] = []
    for at in range(len(out) - 2, -1, -1):
        before, value, behind = out[at - 1] if at else None, out[at], out[at + 1]
        if not isinstance(value, Value) or not isinstance(behind, Text) or not isinstance(before, Text | None):
            continue
        start = _HEADER_START.search(before.text) if before else None
        end = _HEADER_END.match(behind.text)
        if end and (start or before is None) and _ROLE_OF.search(value.expression.strip()):
            roles.append(_HISTORY)
            out[at : at + 2] = [cut(behind, end.end(), len(behind.text))]
            if before and start:
                out[at - 1] = cut(before, 0, start.start())
    return out, tuple(roles)


def _stripped(segments: Sequence[Segment]) -> list[Segment]:
    """Segments without white space at both ends; nothing when that is all there is."""
    held = list(merge_text(segments))
    if held and isinstance(held[0], Text):
        text = held[0]
        held[0] = cut(text, len(text.text) - len(text.text.lstrip()), len(text.text))
    if held and isinstance(held[-1], Text):
        held[-1] = cut(held[-1], 0, len(held[-1].text.rstrip()))
    return [part for part in held if not isinstance(part, Text) or part.text]


def values_in(blocks: Iterable[Block]) -> bool:
    """True when anything in ``blocks`` varies or is filled in."""
    return any(isinstance(part, Value | Choice | Repeat) for found in blocks for part in walk(found.segments))
