"""Messages: role headers and role tags in one text make blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.mapping import cut
from prefixlint.frontends.promptfiles.marks import CacheMark, RoleMark
from prefixlint.model.segments import Choice, Repeat, Segment, Text, Value, merge_text
from prefixlint.model.sources import Span
from prefixlint.model.templates import Block, Component

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.frontends.promptfiles.marks import Part

ROLES = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
}
"""Role words of prompt files, and the role they stand for."""

HEADER = re.compile(
    r"^[ \t]*#{0,3}[ \t]*(system|user|assistant|developer|function|tool)[ \t]*:[ \t]*\n", re.IGNORECASE | re.M
)
"""A role header on a line of its own, as promptflow and .prompty read it."""


def component(role: str) -> Component:
    return "system" if role in ("system", "developer") else "messages"


def block(
    role: str, segments: Sequence[Segment], span: Span | None = None, *, cache_marker: bool = False
) -> Block | None:
    """A block of these segments; None when there are none. ``span`` defaults to the place of the segments."""
    held = merge_text(segments)
    if not held:
        return None
    role = ROLES.get(role.lower(), role.lower() if role else "")
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
            out.append(_Open(inner[1], [inner[0]]))
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


def _without_headers(segment: Segment, marks: re.Pattern[str]) -> tuple[Segment, str]:
    """The segment with role headers taken out, and the first role in it ("" for none)."""
    if isinstance(segment, Text):
        held = [cut(segment, 0, len(segment.text))]
        headers = list(marks.finditer(segment.text))
        if not headers:
            return segment, ""
        at, held = 0, []
        for header in headers:
            held.append(cut(segment, at, header.start()))
            at = header.end()
        held.append(cut(segment, at, len(segment.text)))
        kept = [text for text in merge_text(held) if isinstance(text, Text)]
        if not kept:
            return cut(segment, 0, 0), _role(headers)
        if len(kept) == 1:
            return kept[0], _role(headers)
        from prefixlint.frontends.promptfiles.mapping import joined

        return joined(kept), _role(headers)
    if isinstance(segment, Repeat):
        body, role = _without_headers_in(segment.body, marks)
        return replace(segment, body=body), role
    if isinstance(segment, Choice):
        arms = [_without_headers_in(arm, marks) for arm in segment.arms]
        return replace(segment, arms=tuple(arm for arm, _ in arms)), next((role for _, role in arms if role), "")
    return segment, ""


def _role(headers: Sequence[re.Match[str]]) -> str:
    return next((header.group(1) for header in headers if header.group(1)), "")


def _without_headers_in(segments: Sequence[Segment], marks: re.Pattern[str]) -> tuple[tuple[Segment, ...], str]:
    parts = [_without_headers(segment, marks) for segment in segments]
    return merge_text(part for part, _ in parts), next((role for _, role in parts if role), "")


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
    from prefixlint.model.segments import walk

    return any(isinstance(part, Value | Choice | Repeat) for found in blocks for part in walk(found.segments))
