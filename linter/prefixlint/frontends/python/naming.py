"""Values of which only a name is known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import lift
from prefixlint.frontends.python.values import Opaque
from prefixlint.knowledge.names import describes_owner, expression_words, meaning, split_words, whole_name
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from prefixlint.knowledge.names import NameMeaning
    from prefixlint.model.sources import Span


def named(name: str, expression: str, span: Span, *, open_name: str = "", loose: bool = True) -> Opaque:
    """A value of which only a name is known."""
    found = told_by(name, expression, loose=loose)
    confidence = found.confidence.at_most(Confidence.HIGH)
    return Opaque(
        expression,
        span,
        found.lifetime,
        _ORIGINS[found.kind],
        confidence,
        found.shape,
        name=open_name,
        grows=found.grows,
    )


_ORIGINS = {kind: Origin(kind) for kind in SourceKind}


def told_by(name: str, expression: str, *, loose: bool = True) -> NameMeaning:
    """What a name says, or what it says in an expression that ends in it, where that is configuration."""
    if expression.endswith(f".{name}"):
        part = part_of(expression)
        if part is not None and part.kind is SourceKind.CONFIGURATION:
            return part
    return meaning(name, loose=loose)


def of_library(name: str, expression: str, span: Span) -> Opaque:
    """What stands under a name in a library that is not followed; a constant may be a whole text by its name."""
    words = expression_words()
    whole = name.isupper() and name.lower() not in words.marks
    if whole and not words.constants.isdisjoint(split_words(name)[-1:]):
        origin = Origin(SourceKind.CONFIGURATION)
        return Opaque(expression, span, Lifetime.DEPLOYMENT, origin, Confidence.HIGH, "prompt")
    return named(name, expression, span)


def part_of(expression: str) -> NameMeaning | None:
    """What the table says of an attribute and its owner together: ``agent.description`` is an agent_description, and so
    is ``target_agent.description``."""
    owner, _, name = expression.rpartition(".")
    whose = owner.rpartition(".")[2]
    found = whole_name(f"{whose}_{name}") if owner else None
    if found is not None or "_" not in whose:
        return found
    kind = whole_name(f"{whose.rpartition('_')[2]}_{name}")
    return kind if kind is not None and kind.kind is SourceKind.CONFIGURATION else None


def held(value: Opaque) -> Opaque:
    """A value judged by the name of an attribute that an object keeps: it lives as long as the object does.

    What only tells what the object is says nothing of how long that is: it was set up with it.
    """
    if value.lifetime.varies and describes_owner(value.expression.rpartition(".")[2]):
        return value.but(lifetime=Lifetime.UNKNOWN, origin=Origin(SourceKind.PARAMETER), confidence=Confidence.LOW)
    lifetime = lift(value.lifetime, Lifetime.SESSION)
    return value if lifetime is value.lifetime else replace(value, lifetime=lifetime, grows=False)
