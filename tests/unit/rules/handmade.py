"""Layouts put together by hand, as the layout stage would hand them over."""

from __future__ import annotations

from prefixlint.api import (
    CacheModel,
    Choice,
    Component,
    Confidence,
    Hop,
    Inversion,
    Layout,
    Lifetime,
    Origin,
    Placed,
    Position,
    Prediction,
    SourceKind,
    Span,
    Target,
    Template,
    Value,
)


def span(line: int, column: int = 1, width: int = 5, path: str = "app/agent.py") -> Span:
    return Span(path, Position(line, column), Position(line, column + width))


def target(minimum: int = 0, configured: bool = False) -> Target:
    return Target("openai:gpt-4o", "openai", CacheModel("block", 128, minimum), configured=configured)


DEFAULT_TARGET = target()


def inversion(
    kind: SourceKind = SourceKind.CLOCK,
    lifetime: Lifetime = Lifetime.REQUEST,
    *,
    stranded: int = 1772,
    before: int = 40,
    history: bool = False,
    confidence: Confidence = Confidence.CERTAIN,
    expression: str = "datetime.now()",
    hops: tuple[Hop, ...] = (),
    choice: bool = False,
    grows: bool = False,
    component: Component = "system",
    shape: str = "text",
) -> Inversion:
    place, origin = span(12, 18, 14), Origin(kind, hops)
    segment: Value | Choice
    if choice:
        segment = Choice(((),), expression, place, lifetime, origin, confidence)
    else:
        segment = Value(expression, place, lifetime, origin, confidence, shape, grows=grows)
    placed = Placed(segment, "system", component, lifetime, before, before + 12, "2026-11-29 10:00", 0)
    return Inversion(
        placed,
        expression,
        place,
        lifetime,
        origin,
        confidence,
        before,
        stranded,
        history,
        longest_text=stranded,
        expected_tokens=stranded,
    )


def layout(
    *inversions: Inversion,
    total: int = 1852,
    confidence: Confidence = Confidence.HIGH,
    target: Target = DEFAULT_TARGET,
    related: tuple[Hop, ...] = (),
    predictions: tuple[Prediction, ...] = (),
) -> Layout:
    template = Template("openai-chat", "build_messages", span(10), (), confidence=confidence, related=related)
    return Layout(
        template=template,
        target=target,
        placed=tuple(one.placed for one in inversions),
        total_tokens=total,
        breakpoint=None,
        stable_prefix_tokens=40,
        stable_tokens=1812,
        stranded_tokens=1772,
        history_stranded=False,
        shared_prefix=(),
        inversions=inversions,
        predictions=predictions,
    )
