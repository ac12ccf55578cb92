"""Jinja expressions as segments: constants are text, names stand for what they are bound to, the rest are values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from prefixlint.frontends.promptfiles.errors import MAX_PLACEHOLDERS, TOO_MANY
from prefixlint.frontends.promptfiles.facts import CONSTANT, UNKNOWN, Facts, Names, choice
from prefixlint.frontends.promptfiles.jinja_facts import Scope, asks_presence, judge
from prefixlint.frontends.promptfiles.jinja_tree import (
    JinjaError,
    JinjaSyntax,
    Node,
    Output,
    Tag,
    Token,
    environment,
    split,
    top_level,
)
from prefixlint.frontends.promptfiles.mapping import span_of, unit
from prefixlint.frontends.promptfiles.marks import CacheMark, Part, RoleMark
from prefixlint.model.lifetimes import Confidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.segments import Segment, Text, Value
    from prefixlint.model.sources import Span

MAX_DEPTH = 20
"""Deepest chain of includes, parents and macro calls."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a name stands for inside the template: ``segments`` when it is a string whose parts are known."""

    facts: Facts
    segments: tuple[Segment, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Macro:
    """A macro: its parameters with their defaults, its body, and the reader of the source it stands in."""

    parameters: tuple[tuple[str, tuple[Token, ...]], ...]
    body: tuple[Node, ...]
    reader: Expressions


@dataclass(slots=True)
class Budget:
    """Segments that a template may still grow to; shared by all sources and macros that make it up."""

    left: int = 2 * MAX_PLACEHOLDERS

    def spend(self, count: int, offset: int) -> None:
        """Raises ``JinjaError`` at ``offset`` when nothing is left."""
        self.left -= count
        if self.left < 0:
            raise JinjaError(offset, TOO_MANY)


Bindings = dict[str, "Bound | Macro"]
"""What names stand for at a place in the template."""


class Expressions:
    """Reads the expressions of one source; ``depth`` counts the sources and macros around it, ``calls`` are these."""

    def __init__(
        self, text: Text, syntax: JinjaSyntax, names: Names, depth: int = 0, budget: Budget | None = None
    ) -> None:
        self.text = text
        self.syntax = syntax
        self.names = names
        self.depth = depth
        self.budget = budget or Budget()
        self.calls: tuple[Macro, ...] = ()

    def inner(self, nodes: Sequence[Node], known: Bindings) -> tuple[Segment, ...]:
        """Segments of the parts inside a block."""
        raise NotImplementedError

    def deeper(self, depth: int, budget: Budget) -> Expressions:
        """The same reader at another depth."""
        raise NotImplementedError

    def output(self, node: Output, known: Bindings) -> list[Part]:
        words = [token.value for token in node.tokens]
        if words[:2] == ["_", "."] and words[2:4] in (["role", "("], ["chat", "("]) and len(words) > 4:
            # BAML begins a message with this call; chat is its older name.
            place = 6 if words[4:6] == ["role", "="] and len(words) > 6 else 4
            role = words[place].strip("\"'") if node.tokens[place].kind == "string" else "user"
            return [RoleMark(role, self.span(node.start, node.end))]
        at = top_level(node.tokens, "operator", "|")
        if at is not None and _caches(node.tokens[at + 1 :]):
            inner = node.tokens[:at]
            span = self.span(node.start, node.end)
            held = self.segments(self.expression(inner), inner, node.start, node.end, known)
            return [CacheMark(False, span), *held, CacheMark(True, span)]
        return list(self.segments(self.expression(node.tokens), node.tokens, node.start, node.end, known))

    def segments(
        self, node: Any, tokens: Sequence[Token], start: int, end: int, known: Bindings
    ) -> tuple[Segment, ...]:
        """The string that an expression gives; ``start`` and ``end`` are its place, braces included."""
        from jinja2 import nodes

        if isinstance(node, nodes.Const) and isinstance(node.value, str | int | bool | None):
            return (unit(self.text, start, end, str(node.value)),) if str(node.value) else ()
        if isinstance(node, nodes.Name):
            bound = known.get(node.name)
            if isinstance(bound, Bound) and bound.segments is not None:
                self.budget.spend(len(bound.segments), start)
                return bound.segments
        if isinstance(node, nodes.Concat):
            parts = split(tokens, "~")
            if len(parts) == len(node.nodes):
                out: list[Segment] = []
                for part, child in zip(parts, node.nodes, strict=True):
                    out += self.segments(child, part, part[0].start, part[-1].end, known)
                return tuple(out)
        if isinstance(node, nodes.CondExpr):
            found = self._conditional(node, tokens, start, end, known)
            if found is not None:
                return found
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and not node.dyn_args:
            callee = known.get(node.node.name)
            if isinstance(callee, Macro):
                self.budget.spend(1, start)
                return self._macro_call(callee, node, tokens, known)
            if isinstance(callee, Bound) and node.node.name == "super" and callee.segments is not None:
                return callee.segments
        self.budget.spend(1, start)
        return (self.judge(node, known).value(self.source(tokens), self.span(start, end)),)

    def _conditional(
        self, node: Any, tokens: Sequence[Token], start: int, end: int, known: Bindings
    ) -> tuple[Segment, ...] | None:
        at = top_level(tokens, "name", "if")
        if at is None:
            return None
        otherwise = top_level(tokens[at:], "name", "else")
        stop = len(tokens) if otherwise is None else at + otherwise
        condition = tokens[at + 1 : stop]
        rest = tokens[stop + 1 :]
        if not tokens[:at] or not condition or top_level(condition, "name", "if") is not None:
            return None
        then = self.segments(node.expr1, tokens[:at], tokens[0].start, tokens[at - 1].end, known)
        last: tuple[Segment, ...] = ()
        if node.expr2 is not None and rest:
            last = self.segments(node.expr2, rest, rest[0].start, rest[-1].end, known)
        facts = self.condition(condition, known)
        return (choice((then, last), self.source(condition), self.span(start, end), facts),)

    def _macro_call(self, macro: Macro, node: Any, tokens: Sequence[Token], known: Bindings) -> tuple[Segment, ...]:
        if macro in self.calls:  # how often it calls itself depends on what it is given
            return (self.judge(node, known).value(self.source(tokens), self.span(tokens[0].start, tokens[-1].end)),)
        if self.depth >= MAX_DEPTH:
            raise JinjaError(tokens[0].start, f"macros that call each other more than {MAX_DEPTH} deep; not read")
        opening = next((at for at, token in enumerate(tokens) if token.value == "("), None)
        parts = split(tokens[opening + 1 : -1], ",") if opening is not None else []
        given: dict[str, Bound] = {}
        for place, part in enumerate(parts):
            if len(part) > 2 and part[0].kind == "name" and part[1].value == "=":
                given[part[0].value] = self.value_of(part[2:], known)
            elif part and place < len(macro.parameters):
                given[macro.parameters[place][0]] = self.value_of(part, known)
        inner_names: Bindings = dict(known)
        for name, default in macro.parameters:
            bound = given.get(name)
            if bound is None:
                bound = macro.reader.value_of(default, known) if default else Bound(CONSTANT, ())
            inner_names[name] = bound
        reader = macro.reader.deeper(self.depth + 1, self.budget)
        reader.calls = (*self.calls, macro)
        return reader.inner(macro.body, inner_names)

    def filter_facts(self, tag: Tag, known: Bindings) -> Facts:
        names = [token for token in tag.tokens if token.kind == "name"]
        if tag.keyword == "filter":
            return CONSTANT
        return self.judge(self.expression(tag.tokens), known) if names else UNKNOWN

    def expression(self, tokens: Sequence[Token]) -> Any:
        from jinja2 import TemplateSyntaxError, nodes
        from jinja2.parser import Parser

        if not tokens:
            raise JinjaError(0, "an empty expression")
        source = self.text.text[tokens[0].start : tokens[-1].end]
        env = environment()
        try:
            template = Parser(env, "{{ " + source + " }}").parse()
        except TemplateSyntaxError as error:
            raise JinjaError(tokens[0].start, f"{error.message} in {source!r}") from None
        except ValueError:  # Python reads no number of more than 4,300 digits
            raise JinjaError(tokens[0].start, "a number with too many digits") from None
        output = template.body[0] if template.body else None
        if not isinstance(output, nodes.Output) or len(output.nodes) != 1:
            raise JinjaError(tokens[0].start, f"no expression: {source!r}")
        return output.nodes[0]

    def judge(self, node: Any, known: Bindings) -> Facts:
        return judge(node, self.scope(known))

    def scope(self, known: Bindings) -> Scope:
        bound = {name: held.facts if isinstance(held, Bound) else CONSTANT for name, held in known.items()}
        return Scope(bound, self.names)

    def source(self, tokens: Sequence[Token]) -> str:
        return self.text.text[tokens[0].start : tokens[-1].end] if tokens else ""

    def span(self, start: int, end: int) -> Span:
        return span_of(self.text, start, end)

    def unknown(self, start: int, end: int, expression: str) -> Value:
        return UNKNOWN.value(expression, self.span(start, end))

    def condition(self, tokens: Sequence[Token], known: Bindings) -> Facts:
        node = self.expression(tokens)
        facts = self.judge(node, known)
        if facts.confidence is Confidence.HIGH and asks_presence(node):
            return replace(facts, confidence=Confidence.LOW)
        return facts

    def value_of(self, tokens: Sequence[Token], known: Bindings) -> Bound:
        if not tokens:
            return Bound(UNKNOWN)
        node = self.expression(tokens)
        segments = self.segments(node, tokens, tokens[0].start, tokens[-1].end, known)
        return Bound(self.judge(node, known), segments)


def _caches(tokens: Sequence[Token]) -> bool:
    """True for the filter of banks that makes a content block with a cache marker, and no filter behind it."""
    return bool(tokens) and tokens[0].value == "cache_control" and top_level(tokens, "operator", "|") is None
