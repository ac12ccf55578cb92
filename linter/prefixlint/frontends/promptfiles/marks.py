"""Marks between segments: where a role tag begins or ends a message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.model.segments import Segment, merge_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.model.sources import Span


@dataclass(frozen=True, slots=True)
class RoleMark:
    """Where a message begins or ends (``{% chat role="user" %}``); ``role`` is "" at its end.

    ``raw`` is true where the white space at the message's ends is sent too.
    """

    role: str
    span: Span
    raw: bool = False


@dataclass(frozen=True, slots=True)
class CacheMark:
    """Where a content block with a provider's cache marker begins, or (``end``) ends."""

    end: bool
    span: Span


Part = Segment | RoleMark | CacheMark


def without_marks(parts: Iterable[Part]) -> tuple[Segment, ...]:
    """The segments among ``parts``, texts joined."""
    return merge_text(part for part in parts if not isinstance(part, RoleMark | CacheMark))


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """``parts`` with the texts between marks joined."""
    out: list[Part] = []
    run: list[Segment] = []
    for part in parts:
        if isinstance(part, RoleMark | CacheMark):
            out += (*merge_text(run), part)
            run = []
        else:
            run.append(part)
    return (*out, *merge_text(run))
