"""Images, sounds and files among the parts of a message: of these, only the place in the prompt is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.values import DictThing, Opaque, Str
from prefixlint.knowledge.attachments import attachments
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span


def is_attachment(part: DictThing) -> bool:
    """Whether a content part is one that carries no text."""
    known = attachments()
    kind = part.get("type")
    name = strings.constant_text(kind.segments) if isinstance(kind, Str) else None
    if name is not None:
        return name in known.types
    return part.get("text") is None and any(key in known.keys for key, _ in part.entries)


def attachment(part: DictThing, content: Val, node: ast.expr, interpreter: Interpreter, frame: Frame) -> Value | None:
    """The attachment as a value; None for one that is the same in every request.

    What nothing is known of is taken for what the request is about.
    """
    whole = interpreter.expressions.as_opaque(content, node, frame)
    if whole.lifetime is Lifetime.CONSTANT:
        return None
    lead = next(_filled(part, interpreter, frame), None)
    expression, span = lead or (whole.expression, whole.span)
    lifetime, confidence = whole.lifetime, whole.confidence
    if not lifetime.known or lifetime.varies:
        confidence = Confidence.HIGH
        lifetime = lifetime if lifetime in (Lifetime.USER, Lifetime.SESSION) else Lifetime.REQUEST
    origin = Origin(SourceKind.ATTACHMENT, whole.origin.hops)
    return Value(expression, span, lifetime, origin, confidence, "attachment")


def of_attachments(over: Opaque, body: tuple[Segment, ...]) -> Opaque:
    """What a run of attachments runs over: pictures that nothing is known of are those that the request is about."""
    if over.lifetime.known or not any(_is_attached(segment) for segment in body):
        return over
    origin = Origin(SourceKind.ATTACHMENT, over.origin.hops)
    return over.but(lifetime=Lifetime.REQUEST, origin=origin, confidence=Confidence.HIGH)


def _is_attached(segment: Segment) -> bool:
    return isinstance(segment, Value) and segment.origin.kind is SourceKind.ATTACHMENT


def _filled(part: DictThing, interpreter: Interpreter, frame: Frame) -> Iterator[tuple[str, Span]]:
    """Expression and place of each value in the part, nested parts included."""
    for value in (*(value for _, value in part.entries), *part.rest):
        if isinstance(value, Opaque):
            if value.lifetime is not Lifetime.CONSTANT:
                yield value.expression, value.span
        elif isinstance(value, Str):
            yield from ((s.expression, s.span) for s in value.segments if not isinstance(s, Text))
        else:
            inner = interpreter.thing(value, frame)
            if isinstance(inner, DictThing):
                yield from _filled(inner, interpreter, frame)
