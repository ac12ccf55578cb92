"""What the words in front of a placeholder say of it: "You are {name}" names the assistant, not the user."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.knowledge.names import split_words
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Text, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

_IDENTITY = re.compile(
    r"(?:\byou are|\byou're|\byour name is|\bact as|\b(?:assistant|agent|bot|character|persona) (?:named|called))"
    r"(?:,? an?| the|,)?\s*[\"'`*<\[]*\Z",
    re.IGNORECASE,
)
_ROLES = frozenset({"name", "role", "persona", "character", "title", "profession", "occupation", "job", "identity"})


def assistant_identity(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """``segments``, with a name or role right behind "You are" as the assistant's configuration, at low confidence."""
    out: list[Segment] = []
    for segment in segments:
        before = out[-1] if out else None
        if (
            isinstance(segment, Value)
            and isinstance(before, Text)
            and segment.origin.kind in (SourceKind.USER_INPUT, SourceKind.PARAMETER)
            and (split_words(segment.name) or ("",))[-1] in _ROLES
            and _IDENTITY.search(before.text[-80:])
        ):
            origin = Origin(SourceKind.CONFIGURATION)
            segment = replace(segment, lifetime=Lifetime.DEPLOYMENT, origin=origin, confidence=Confidence.LOW)
        out.append(segment)
    return tuple(out)


_PERSONA = re.compile(r"\s*(?:you are|you're|act as|your (?:task|role|name|job) is)\b", re.IGNORECASE)


def own_instructions(arm: tuple[Segment, ...], others: Sequence[Sequence[Segment]]) -> tuple[Segment, ...]:
    """One way of a decision where the other is a fixed text that says who the model is: a value that stands there alone
    takes the place of such instructions, so it is configuration, at low confidence."""
    values = [segment for segment in arm if not isinstance(segment, Text) or segment.text.strip()]
    only = values[0] if len(values) == 1 else None
    if not isinstance(only, Value) or only.origin.kind not in (SourceKind.USER_INPUT, SourceKind.PARAMETER):
        return arm
    texts = ["".join(s.text for s in other if isinstance(s, Text)) for other in others if _is_text(other)]
    if not any(map(_PERSONA.match, texts)):
        return arm
    origin = Origin(SourceKind.CONFIGURATION)
    kept = replace(only, lifetime=Lifetime.DEPLOYMENT, origin=origin, confidence=Confidence.LOW)
    return tuple(kept if segment is only else segment for segment in arm)


def _is_text(segments: Sequence[Segment]) -> bool:
    """Whether nothing is filled in."""
    return all(isinstance(segment, Text) for segment in segments)
