"""Jinja source as segments: text with exact places, values, choices and repeats. Nothing is rendered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import CONSTANT, UNKNOWN, Facts, Names, choice, combine, named, of_segments
from prefixlint.frontends.promptfiles.jinja_facts import Scope, asks_presence, judge
from prefixlint.frontends.promptfiles.jinja_tree import (
    DEFAULT,
    Block,
    Data,
    JinjaError,
    JinjaSyntax,
    Node,
    Output,
    Tag,
    Token,
    environment,
    parse,
)
from prefixlint.frontends.promptfiles.mapping import cut, span_of, unit, unix_newlines
from prefixlint.model.lifetimes import Confidence, Lifetime
from prefixlint.model.segments import Choice, Repeat, Segment, Text, Value, merge_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.sources import Span

Loader = Callable[[str], "Text | None"]
"""Finds the source of an included template by the name it is called, or None."""

_MAX_DEPTH = 20
"""Deepest chain of includes, parents and macro calls."""


@dataclass(frozen=True, slots=True)
class RoleMark:
    """Where a message begins or ends (``{% chat role="user" %}``); ``role`` is "" at its end."""

    role: str
    span: Span


Part = Segment | RoleMark


def jinja_segments(
    text: Text,
    *,
    syntax: JinjaSyntax = DEFAULT,
    names: Names = named,
    loader: Loader | None = None,
) -> tuple[Segment, ...]:
    """Segments of the Jinja template ``text``; rendering them with values gives what jinja2 renders.

    ``names`` judges open variables; ``loader`` finds included and parent templates (without one, their text is
    unknown). Raises ``PromptFileError`` where ``text`` is not Jinja.
    """
    return without_marks(jinja_parts(text, syntax=syntax, names=names, loader=loader))


def jinja_parts(
    text: Text,
    *,
    syntax: JinjaSyntax = DEFAULT,
    names: Names = named,
    loader: Loader | None = None,
) -> tuple[Part, ...]:
    """Like ``jinja_segments``, with the marks of role tags left in, at the top level only."""
    text = unix_newlines(text)
    try:
        tree = parse(text.text, syntax)
        return _merged(_Reader(text, syntax, names, loader).read(tree, {}))
    except JinjaError as error:
        at = min(error.offset, len(text.text))
        raise PromptFileError.at(span_of(text, at, at), f"Jinja: {error.message}") from None
    except RecursionError:
        raise PromptFileError.at(span_of(text, 0, 0), "Jinja: expression nested too deep") from None


def without_marks(parts: Sequence[Part]) -> tuple[Segment, ...]:
    return merge_text(part for part in parts if not isinstance(part, RoleMark))


def _merged(parts: Sequence[Part]) -> tuple[Part, ...]:
    out: list[Part] = []
    run: list[Segment] = []
    for part in parts:
        if isinstance(part, RoleMark):
            out += merge_text(run)
            out.append(part)
            run = []
        else:
            run.append(part)
    return (*out, *merge_text(run))


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a name stands for inside the template: ``segments`` when it is a string whose parts are known."""

    facts: Facts
    segments: tuple[Segment, ...] | None = None


@dataclass(frozen=True, slots=True)
class _Macro:
    parameters: tuple[tuple[str, tuple[Token, ...]], ...]
    body: tuple[Node, ...]
    reader: _Reader


_Names = dict[str, "_Bound | _Macro"]


class _Reader:
    """Reads one source; ``depth`` counts the sources and macros around it."""

    def __init__(
        self,
        text: Text,
        syntax: JinjaSyntax,
        names: Names,
        loader: Loader | None,
        depth: int = 0,
        overrides: dict[str, tuple[_Reader, Block]] | None = None,
    ) -> None:
        self.text = text
        self.syntax = syntax
        self.names = names
        self.loader = loader
        self.depth = depth
        self.overrides = overrides or {}

    # --- the tree ---------------------------------------------------------------------------------------------------

    def read(self, nodes: Sequence[Node], known: _Names) -> list[Part]:
        """Parts of ``nodes``; ``known`` gains what they bind."""
        parent = next((node for node in nodes if isinstance(node, Tag) and node.keyword == "extends"), None)
        if parent is not None:
            return self._extended(parent, nodes, known)
        out: list[Part] = []
        for node in nodes:
            if isinstance(node, Data):
                out.append(cut(self.text, node.start, node.end))
            elif isinstance(node, Output):
                out += self.output(node, known)
            elif isinstance(node, Tag):
                out += self._tag(node, known)
            else:
                out += self._block(node, known)
        return out

    def _inner(self, nodes: Sequence[Node], known: _Names) -> tuple[Segment, ...]:
        return without_marks(self.read(nodes, known))

    def _tag(self, tag: Tag, known: _Names) -> list[Part]:
        if tag.keyword == "set":
            self._set(tag, known)
        elif tag.keyword == "include":
            return self._include(tag, known)
        elif tag.keyword in ("import", "from"):
            self._import(tag, known)
        elif tag.keyword not in ("do", "break", "continue", "extends"):
            return [self._unknown(tag.start, tag.end, self._source(tag.tokens) or tag.keyword)]
        return []

    def _block(self, block: Block, known: _Names) -> list[Part]:
        word = block.tag.keyword
        if word == "if":
            return list(self._if(block, 0, known))
        if word == "for":
            return list(self._for(block, known))
        if word == "set":
            inner = self._inner(block.body, dict(known))
            if block.tag.tokens:
                plain = len(block.tag.tokens) == 1
                known[block.tag.tokens[0].value] = _Bound(of_segments(inner), inner if plain else None)
            return []
        if word == "macro":
            self._macro(block, known)
            return []
        if word == "with":
            inner_names = dict(known)
            self._assign(block.tag.tokens, inner_names, known)
            return self.read(block.body, inner_names)
        if word == "block":
            return self._named_block(block, known)
        if word in ("filter", "call"):
            inner = self._inner(block.body, dict(known))
            facts = combine([of_segments(inner), self._filter_facts(block.tag, known)])
            if word == "call":
                facts = combine([facts, UNKNOWN])
            return [
                facts.value(f"{word} {self._source(block.tag.tokens)}".strip(), self._span(block.tag.start, block.end))
            ]
        if word in ("chat", "message"):
            start = self._span(block.tag.start, block.tag.end)
            role = RoleMark(self._role(block.tag.tokens), start)
            return [role, *self.read(block.body, known), RoleMark("", self._span(block.end, block.end))]
        out: list[Part] = []
        for _, body in block.parts[:1]:
            out += self.read(body, known)
        return out

    @staticmethod
    def _role(tokens: Sequence[Token]) -> str:
        for at, token in enumerate(tokens):
            if token.kind == "name" and token.value == "role" and at + 2 < len(tokens):
                value = tokens[at + 2]
                return value.value.strip("\"'") if value.kind == "string" else "user"
        return tokens[0].value.strip("\"'") if tokens and tokens[0].kind == "string" else "user"

    # --- conditions and loops ---------------------------------------------------------------------------------------

    def _if(self, block: Block, at: int, known: _Names) -> tuple[Segment, ...]:
        if at >= len(block.parts):
            return ()
        tag, body = block.parts[at]
        if tag.keyword == "else":
            return self._inner(body, known)
        facts = self._condition(tag.tokens, known)
        span = self._span(tag.start, block.end)
        expression = self._source(tag.tokens)
        then_names, else_names = dict(known), dict(known)
        then = self._inner(body, then_names)
        otherwise = self._if(block, at + 1, else_names)
        self._join(known, then_names, else_names, facts, expression, span)
        if not then and not otherwise:
            return ()
        return (choice((then, otherwise), expression, span, facts),)

    def _condition(self, tokens: Sequence[Token], known: _Names) -> Facts:
        node = self._expression(tokens)
        facts = self._judge(node, known)
        if facts.confidence is Confidence.HIGH and asks_presence(node):
            return replace(facts, confidence=Confidence.LOW)
        return facts

    def _join(
        self, known: _Names, then: _Names, otherwise: _Names, condition: Facts, expression: str, span: Span
    ) -> None:
        """What names stand for behind a condition: one of what they stand for behind its arms."""
        for name in {*then, *otherwise}:
            left, right = then.get(name), otherwise.get(name)
            if left is right and left is not None:
                known[name] = left
                continue
            before = _Bound(self.names(name), (self.names(name).value(name, span),))
            left, right = left or before, right or before
            if isinstance(left, _Macro) or isinstance(right, _Macro):
                known[name] = left if isinstance(left, _Macro) else right
                continue
            facts = combine([left.facts, right.facts, condition])
            segments: tuple[Segment, ...] | None = None
            if left.segments is not None and right.segments is not None:
                segments = (choice((left.segments, right.segments), expression, span, condition),)
            known[name] = _Bound(facts, segments)

    def _for(self, block: Block, known: _Names) -> tuple[Segment, ...]:
        tokens = block.tag.tokens
        place = next((at for at, token in enumerate(tokens) if token.kind == "name" and token.value == "in"), None)
        if place is None:
            raise JinjaError(block.tag.start, "a for without 'in'")
        targets = [token.value for token in tokens[:place] if token.kind == "name"]
        over, condition = self._split_over(tokens[place + 1 :])
        facts = self._judge(self._expression(over), known)
        item = replace(facts, sealed=facts.lifetime.known)
        inner_names = dict(known)
        inner_names["loop"] = _Bound(
            replace(item, shape="integer", grows=False) if item.lifetime is not Lifetime.CONSTANT else CONSTANT
        )
        for target in targets:
            inner_names[target] = _Bound(item)
        if condition:
            wanted = self._judge(self._expression(condition), inner_names)
            facts = replace(combine([facts, wanted]), grows=facts.grows and wanted.lifetime.rank >= facts.lifetime.rank)
        body = self._inner(block.body, inner_names)
        for name, bound in inner_names.items():
            # Assignments stay inside the loop, but for attributes of a namespace.
            held = known.get(name)
            if isinstance(bound, _Bound) and isinstance(held, _Bound) and name not in targets and held is not bound:
                known[name] = _Bound(combine([held.facts, bound.facts, facts]))
        span = self._span(block.tag.start, block.end)
        expression = self._source(over)
        repeat: tuple[Segment, ...] = (
            (Repeat(body, expression, span, facts.lifetime, facts.origin, facts.confidence, facts.grows),)
            if body
            else ()
        )
        if len(block.parts) > 1:
            otherwise = self._inner(block.parts[1][1], dict(known))
            presence = replace(facts, confidence=facts.confidence.at_most(Confidence.LOW), grows=False)
            return (choice((repeat, otherwise), expression, span, presence),)
        return repeat

    @staticmethod
    def _split_over(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
        """The iterable and the filter condition of a for; ``a if b else c`` stays one expression."""
        tokens = tokens[:-1] if tokens and tokens[-1].value == "recursive" else tokens
        at = _top_level(tokens, "name", "if")
        if at is None or _top_level(tokens[at:], "name", "else") is not None:
            return tokens, ()
        return tokens[:at], tokens[at + 1 :]

    # --- names ------------------------------------------------------------------------------------------------------

    def _set(self, tag: Tag, known: _Names) -> None:
        tokens = tag.tokens
        at = _top_level(tokens, "operator", "=")
        if at is None:
            return
        targets = tokens[:at]
        names = [token.value for token in targets if token.kind == "name"]
        if len(names) > 1 and any(token.value == "." for token in targets):
            held = known.get(names[0])
            facts = self._judge(self._expression(tokens[at + 1 :]), known)
            if isinstance(held, _Bound):
                facts = combine([held.facts, facts])
            known[names[0]] = _Bound(facts)
            return
        bound = self._value_of(tokens[at + 1 :], known)
        for name in names:
            known[name] = bound if len(names) == 1 else _Bound(bound.facts)

    def _assign(self, tokens: Sequence[Token], into: _Names, known: _Names) -> None:
        """``a=1, b=x`` of a with."""
        for part in _split(tokens, ","):
            if len(part) > 2 and part[1].value == "=":
                into[part[0].value] = self._value_of(part[2:], known)

    def _value_of(self, tokens: Sequence[Token], known: _Names) -> _Bound:
        if not tokens:
            return _Bound(UNKNOWN)
        node = self._expression(tokens)
        segments = self._segments(node, tokens, tokens[0].start, tokens[-1].end, known)
        return _Bound(self._judge(node, known), segments)

    def _macro(self, block: Block, known: _Names) -> None:
        tokens = block.tag.tokens
        if not tokens:
            raise JinjaError(block.tag.start, "a macro without a name")
        parameters: list[tuple[str, tuple[Token, ...]]] = []
        for part in _split(tokens[2:-1], ","):
            if part and part[0].kind == "name":
                parameters.append((part[0].value, tuple(part[2:]) if len(part) > 2 else ()))
        known[tokens[0].value] = _Macro(tuple(parameters), tuple(block.body), self)

    def _import(self, tag: Tag, known: _Names) -> None:
        """Names of another template: its macros when it is found, else unknown."""
        words = [token.value for token in tag.tokens if token.kind == "name"]
        source = self._load(tag)
        found: _Names = {}
        if source is not None:
            reader, tree = source
            reader.read(tree, found)
        if tag.keyword == "import":
            if words and "as" in words:
                known[words[words.index("as") + 1]] = _Bound(replace(UNKNOWN, name=""))
            return
        names = [word for word in words if word not in ("import", "with", "without", "context")]
        renamed = iter(range(len(names)))
        for at in renamed:
            name = alias = names[at]
            if at + 2 < len(names) and names[at + 1] == "as":
                alias = names[at + 2]
                next(renamed, None)
                next(renamed, None)
            known[alias] = found.get(name, _Bound(UNKNOWN))

    # --- other templates --------------------------------------------------------------------------------------------

    def _load(self, tag: Tag) -> tuple[_Reader, list[Node]] | None:
        token = next((token for token in tag.tokens if token.kind == "string"), None)
        if token is None or self.loader is None:
            return None
        text = self.loader(token.value[1:-1])
        if text is None:
            return None
        if self.depth >= _MAX_DEPTH:
            raise JinjaError(tag.start, "templates that include each other without end")
        text = unix_newlines(text)
        reader = _Reader(text, self.syntax, self.names, self.loader, self.depth + 1, self.overrides)
        try:
            return reader, parse(text.text, self.syntax)
        except JinjaError as error:
            at = min(error.offset, len(text.text))
            raise PromptFileError.at(span_of(text, at, at), f"Jinja: {error.message}") from None

    def _include(self, tag: Tag, known: _Names) -> list[Part]:
        source = self._load(tag)
        if source is None:
            return [self._unknown(tag.start, tag.end, f"include {self._source(tag.tokens)}")]
        reader, tree = source
        return reader.read(tree, dict(known))

    def _extended(self, tag: Tag, nodes: Sequence[Node], known: _Names) -> list[Part]:
        blocks = {
            node.tag.tokens[0].value: (self, node)
            for node in nodes
            if isinstance(node, Block) and node.tag.keyword == "block" and node.tag.tokens
        }
        for node in nodes:
            if isinstance(node, Tag) and node.keyword != "extends":
                self._tag(node, known)
            elif isinstance(node, Block) and node.tag.keyword in ("set", "macro"):
                self._block(node, known)
        source = self._load(tag)
        if source is None:
            out: list[Part] = [self._unknown(tag.start, tag.end, f"extends {self._source(tag.tokens)}")]
            for _, block in blocks.values():
                out += self.read(block.body, dict(known))
            return out
        reader, tree = source
        reader.overrides = {**blocks, **self.overrides}
        return reader.read(tree, known)

    def _named_block(self, block: Block, known: _Names) -> list[Part]:
        name = block.tag.tokens[0].value if block.tag.tokens else ""
        held = self.overrides.get(name)
        inner_names = dict(known)
        if held is None or held[1] is block:
            return self.read(block.body, inner_names)
        own = self._inner(block.body, dict(known))
        inner_names["super"] = _Bound(of_segments(own), own)
        return held[0].read(held[1].body, inner_names)

    # --- expressions ------------------------------------------------------------------------------------------------

    def output(self, node: Output, known: _Names) -> list[Part]:
        words = [token.value for token in node.tokens]
        if words[:4] == ["_", ".", "role", "("] and len(words) > 4 and node.tokens[4].kind == "string":
            # BAML begins a message with this call.
            return [RoleMark(words[4].strip("\"'"), self._span(node.start, node.end))]
        return list(self._segments(self._expression(node.tokens), node.tokens, node.start, node.end, known))

    def _segments(self, node: Any, tokens: Sequence[Token], start: int, end: int, known: _Names) -> tuple[Segment, ...]:
        """The string that an expression gives; ``start`` and ``end`` are its place, braces included."""
        from jinja2 import nodes

        if isinstance(node, nodes.Const) and isinstance(node.value, str | int | bool | None):
            return (unit(self.text, start, end, str(node.value)),) if str(node.value) else ()
        if isinstance(node, nodes.Name):
            bound = known.get(node.name)
            if isinstance(bound, _Bound) and bound.segments is not None:
                return bound.segments
        if isinstance(node, nodes.Concat):
            parts = _split(tokens, "~")
            if len(parts) == len(node.nodes):
                out: list[Segment] = []
                for part, child in zip(parts, node.nodes, strict=True):
                    out += self._segments(child, part, part[0].start, part[-1].end, known)
                return tuple(out)
        if isinstance(node, nodes.CondExpr):
            found = self._conditional(node, tokens, start, end, known)
            if found is not None:
                return found
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and not node.dyn_args:
            callee = known.get(node.node.name)
            if isinstance(callee, _Macro):
                return self._macro_call(callee, node, tokens, known)
            if isinstance(callee, _Bound) and node.node.name == "super" and callee.segments is not None:
                return callee.segments
        return (self._judge(node, known).value(self._source(tokens), self._span(start, end)),)

    def _conditional(
        self, node: Any, tokens: Sequence[Token], start: int, end: int, known: _Names
    ) -> tuple[Segment, ...] | None:
        at = _top_level(tokens, "name", "if")
        if at is None:
            return None
        otherwise = _top_level(tokens[at:], "name", "else")
        stop = len(tokens) if otherwise is None else at + otherwise
        condition = tokens[at + 1 : stop]
        rest = tokens[stop + 1 :]
        if not tokens[:at] or not condition or _top_level(condition, "name", "if") is not None:
            return None
        then = self._segments(node.expr1, tokens[:at], tokens[0].start, tokens[at - 1].end, known)
        last: tuple[Segment, ...] = ()
        if node.expr2 is not None and rest:
            last = self._segments(node.expr2, rest, rest[0].start, rest[-1].end, known)
        facts = self._condition(condition, known)
        return (choice((then, last), self._source(condition), self._span(start, end), facts),)

    def _macro_call(self, macro: _Macro, node: Any, tokens: Sequence[Token], known: _Names) -> tuple[Segment, ...]:
        if self.depth >= _MAX_DEPTH:
            raise JinjaError(tokens[0].start, "macros that call each other without end")
        opening = next((at for at, token in enumerate(tokens) if token.value == "("), None)
        parts = _split(tokens[opening + 1 : -1], ",") if opening is not None else []
        given: dict[str, _Bound] = {}
        for place, part in enumerate(parts):
            if len(part) > 2 and part[0].kind == "name" and part[1].value == "=":
                given[part[0].value] = self._value_of(part[2:], known)
            elif part and place < len(macro.parameters):
                given[macro.parameters[place][0]] = self._value_of(part, known)
        inner_names: _Names = dict(known)
        for name, default in macro.parameters:
            bound = given.get(name)
            if bound is None:
                bound = macro.reader._value_of(default, known) if default else _Bound(CONSTANT, ())
            inner_names[name] = bound
        reader = _Reader(macro.reader.text, self.syntax, self.names, self.loader, self.depth + 1)
        return reader._inner(macro.body, inner_names)

    def _filter_facts(self, tag: Tag, known: _Names) -> Facts:
        names = [token for token in tag.tokens if token.kind == "name"]
        if tag.keyword == "filter":
            return CONSTANT
        return self._judge(self._expression(tag.tokens), known) if names else UNKNOWN

    def _expression(self, tokens: Sequence[Token]) -> Any:
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
        output = template.body[0] if template.body else None
        if not isinstance(output, nodes.Output) or len(output.nodes) != 1:
            raise JinjaError(tokens[0].start, f"no expression: {source!r}")
        return output.nodes[0]

    def _judge(self, node: Any, known: _Names) -> Facts:
        bound = {name: held.facts if isinstance(held, _Bound) else CONSTANT for name, held in known.items()}
        return judge(node, Scope(bound, self.names))

    def _source(self, tokens: Sequence[Token]) -> str:
        return self.text.text[tokens[0].start : tokens[-1].end] if tokens else ""

    def _span(self, start: int, end: int) -> Span:
        return span_of(self.text, start, end)

    def _unknown(self, start: int, end: int, expression: str) -> Value:
        return UNKNOWN.value(expression, self._span(start, end))


def _depths(tokens: Sequence[Token]) -> list[int]:
    depth = 0
    out: list[int] = []
    for token in tokens:
        if token.kind == "operator" and token.value in (")", "]", "}"):
            depth -= 1
        out.append(depth)
        if token.kind == "operator" and token.value in ("(", "[", "{"):
            depth += 1
    return out


def _top_level(tokens: Sequence[Token], kind: str, value: str) -> int | None:
    """Index of the first token like this outside of brackets."""
    for at, (token, depth) in enumerate(zip(tokens, _depths(tokens), strict=True)):
        if depth == 0 and token.kind == kind and token.value == value:
            return at
    return None


def _split(tokens: Sequence[Token], operator: str) -> list[Sequence[Token]]:
    """Parts between the ``operator`` tokens outside of brackets."""
    out: list[Sequence[Token]] = []
    start = 0
    for at, (token, depth) in enumerate(zip(tokens, _depths(tokens), strict=True)):
        if depth == 0 and token.kind == "operator" and token.value == operator:
            out.append(tokens[start:at])
            start = at + 1
    out.append(tokens[start:])
    return [part for part in out if part]


__all__ = ["Choice", "JinjaSyntax", "Lifetime", "Loader", "RoleMark", "jinja_parts", "jinja_segments", "without_marks"]
