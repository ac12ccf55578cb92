"""Small templates and a tokenizer that can be checked by eye: runs of letters, runs of spaces and single marks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prefixlint.layout.remembering import Remembering
from prefixlint.layout.views import View
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Repeat, Segment, Text, Value
from prefixlint.model.sources import SourceFile, SourceMap
from prefixlint.model.templates import Block, Template

PIECES = re.compile(r"[A-Za-z]+|[0-9]{1,3}|\s+|.", re.DOTALL)
SPAN = SourceFile("prompt.py", "x" * 80).span(3, 9)
KINDS = {
    Lifetime.CONSTANT: SourceKind.CONFIGURATION,
    Lifetime.USER: SourceKind.SESSION,
    Lifetime.SESSION: SourceKind.SESSION,
    Lifetime.UNKNOWN: SourceKind.PARAMETER,
}


class Words:
    """Tokens are the matches of ``PIECES``; only the last one can change when text follows."""

    name = "words"

    def encode(self, text: str) -> list[int]:
        return [int.from_bytes(match.group().encode(), "big") for match in PIECES.finditer(text)]

    def token_starts(self, text: str) -> list[int]:
        return [match.start() for match in PIECES.finditer(text)]

    def guaranteed(self, text: str) -> int:
        return max(0, len(self.encode(text)) - 1)


@dataclass(frozen=True)
class Framed:
    opening: int = 1
    generation: int = 3

    def head(self, role: str) -> int:
        return 4

    def tail(self, role: str) -> int:
        return 2


@dataclass(frozen=True)
class Bare:
    opening: int = 0
    generation: int = 0

    def head(self, role: str) -> int:
        return 0

    def tail(self, role: str) -> int:
        return 0


def text(content: str, lifetime: Lifetime = Lifetime.CONSTANT) -> Text:
    file = SourceFile("prompt.py", content)
    return Text(content, SourceMap.verbatim(file, 0, len(content)), lifetime)


def value(
    expression: str,
    lifetime: Lifetime,
    shape: str = "word",
    kind: SourceKind | None = None,
    grows: bool = False,
    confidence: Confidence = Confidence.HIGH,
) -> Value:
    origin = Origin(kind or KINDS.get(lifetime, SourceKind.USER_INPUT))
    return Value(expression, SPAN, lifetime, origin, confidence, shape, expression, grows)


def clock(expression: str = "now()") -> Value:
    return value(expression, Lifetime.REQUEST, "timestamp", SourceKind.CLOCK, confidence=Confidence.CERTAIN)


def history() -> Value:
    return value("history", Lifetime.TURN, "text", SourceKind.HISTORY, grows=True)


def choice(
    expression: str, lifetime: Lifetime, *arms: tuple[Segment, ...], kind: SourceKind = SourceKind.CONDITIONAL
) -> Choice:
    return Choice(arms, expression, SPAN, lifetime, Origin(kind), Confidence.HIGH)


def repeat(expression: str, lifetime: Lifetime, *body: Segment, grows: bool = False) -> Repeat:
    kind = SourceKind.HISTORY if grows else SourceKind.RETRIEVAL
    return Repeat(body, expression, SPAN, lifetime, Origin(kind), Confidence.HIGH, grows)


def block(*segments: Segment, role: str = "", component: str = "messages", marker: bool = False) -> Block:
    return Block(role, component, segments, SPAN, marker)  # type: ignore[arg-type]


def template(*blocks: Block, engine: str | None = None, model: str | None = None) -> Template:
    return Template("test", "prompt", SPAN, blocks, engine, model)


def plain(*segments: Segment) -> Template:
    return template(block(*segments))


ORDER = ("system", "tools", "messages")


def view(made: Template, framed: bool = False, order: tuple[str, ...] = ORDER) -> View:
    return View(made, order, Remembering(Words()), Framed() if framed else Bare())  # type: ignore[arg-type]
