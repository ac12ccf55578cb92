"""Jinja source as segments: text with exact places, values, choices and repeats. Nothing is rendered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import (
    CONSTANT,
    UNKNOWN,
    Facts,
    Names,
    choice,
    combine,
    item_of,
    named,
    of_segments,
)
from prefixlint.frontends.promptfiles.jinja_expressions import (
    MAX_DEPTH,
    Bindings,
    Bound,
    Budget,
    Expressions,
    Macro,
)
from prefixlint.frontends.promptfiles.jinja_facts import window_by_count
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
    parse,
    split,
    top_level,
)
from prefixlint.frontends.promptfiles.mapping import cut, span_of, unix_newlines
from prefixlint.frontends.promptfiles.marks import CacheMark, Part, RoleMark, merged, without_marks
from prefixlint.model.lifetimes import Confidence, Lifetime
from prefixlint.model.segments import Repeat, Segment, Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.model.sources import Span

Loader = Callable[[str], "Text | None"]
"""Finds the source of an included template by the name it is called, or None."""


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
    given: Mapping[str, Bound | Macro] | None = None,
) -> tuple[Part, ...]:
    """Like ``jinja_segments``, with the marks of role tags left in, at the top level only.

    ``given`` is what open variables stand for.
    """
    text = unix_newlines(text)
    try:
        tree = parse(text.text, syntax)
        return merged(_Reader(text, syntax, names, loader).read(tree, dict(given or {})))
    except JinjaError as error:
        at = min(error.offset, len(text.text))
        raise PromptFileError.at(span_of(text, at, at), f"Jinja: {error.message}") from None
    except RecursionError:
        raise PromptFileError.at(span_of(text, 0, 0), "Jinja: expression nested too deep") from None


def macro(text: Text, parameters: Sequence[str], names: Names = named, syntax: JinjaSyntax = DEFAULT) -> Macro:
    """A template that others call by name with these parameters. Raises ``PromptFileError``."""
    text = unix_newlines(text)
    try:
        tree = parse(text.text, syntax)
    except JinjaError as error:
        at = min(error.offset, len(text.text))
        raise PromptFileError.at(span_of(text, at, at), f"Jinja: {error.message}") from None
    return Macro(tuple((name, ()) for name in parameters), tuple(tree), _Reader(text, syntax, names, None))


class _Reader(Expressions):
    """Reads the blocks of one source."""

    def __init__(
        self,
        text: Text,
        syntax: JinjaSyntax,
        names: Names,
        loader: Loader | None,
        depth: int = 0,
        overrides: dict[str, tuple[_Reader, Block]] | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(text, syntax, names, depth, budget)
        self.loader = loader
        self.overrides = overrides or {}

    # --- the tree ---------------------------------------------------------------------------------------------------

    def read(self, nodes: Sequence[Node], known: Bindings) -> list[Part]:
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

    def inner(self, nodes: Sequence[Node], known: Bindings) -> tuple[Segment, ...]:
        return without_marks(self.read(nodes, known))

    def deeper(self, depth: int, budget: Budget) -> _Reader:
        return _Reader(self.text, self.syntax, self.names, self.loader, depth, budget=budget)

    def _tag(self, tag: Tag, known: Bindings) -> list[Part]:
        if tag.keyword == "set":
            self._set(tag, known)
        elif tag.keyword == "include":
            return self._include(tag, known)
        elif tag.keyword in ("import", "from"):
            self._import(tag, known)
        elif tag.keyword not in ("do", "break", "continue", "extends"):
            return [self.unknown(tag.start, tag.end, self.source(tag.tokens) or tag.keyword)]
        return []

    def _block(self, block: Block, known: Bindings) -> list[Part]:
        word = block.tag.keyword
        if word == "if":
            return list(self._if(block, 0, known))
        if word == "for":
            return list(self._for(block, known))
        if word == "switch":
            return list(self._switch(block, known))
        if word == "set":
            inner = self.inner(block.body, dict(known))
            if block.tag.tokens:
                plain = len(block.tag.tokens) == 1
                known[block.tag.tokens[0].value] = Bound(of_segments(inner), inner if plain else None)
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
        if word == "filter" and block.tag.tokens and block.tag.tokens[0].value == "cache_control":
            span = self.span(block.tag.start, block.end)
            return [CacheMark(False, span), *self.read(block.body, dict(known)), CacheMark(True, span)]
        if word in ("filter", "call", "completion"):
            inner = self.inner(block.body, dict(known))
            facts = combine([of_segments(inner), self.filter_facts(block.tag, known)])
            if word in ("call", "completion"):
                facts = combine([facts, UNKNOWN])
            return [
                facts.value(f"{word} {self.source(block.tag.tokens)}".strip(), self.span(block.tag.start, block.end))
            ]
        if word in ("chat", "message"):
            start = self.span(block.tag.start, block.tag.end)
            role = RoleMark(self._role(block.tag.tokens), start, raw=word == "chat")
            return [role, *self.read(block.body, known), RoleMark("", self.span(block.end, block.end))]
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

    def _if(self, block: Block, at: int, known: Bindings) -> tuple[Segment, ...]:
        if at >= len(block.parts):
            return ()
        tag, body = block.parts[at]
        if tag.keyword == "else":
            return self.inner(body, known)
        facts = self.condition(tag.tokens, known)
        span = self.span(tag.start, block.end)
        expression = self.source(tag.tokens)
        then_names, else_names = dict(known), dict(known)
        then = self.inner(body, then_names)
        otherwise = self._if(block, at + 1, else_names)
        self._join(known, then_names, else_names, facts, expression, span)
        if not then and not otherwise:
            return ()
        return (choice((then, otherwise), expression, span, facts),)

    def _switch(self, block: Block, known: Bindings) -> tuple[Segment, ...]:
        """Nunjucks' ``switch``: a choice of its cases; what stands in front of the first is not written."""
        facts = self.condition(block.tag.tokens, known)
        otherwise: tuple[Segment, ...] = ()
        subject = self.source(block.tag.tokens)
        for tag, body in reversed(block.parts[1:]):
            arm = self.inner(body, dict(known))
            if tag.keyword == "default":
                otherwise = arm
            else:
                expression = f"{subject} == {self.source(tag.tokens)}"
                otherwise = (choice((arm, otherwise), expression, self.span(tag.start, block.end), facts),)
        return otherwise

    def _join(
        self, known: Bindings, then: Bindings, otherwise: Bindings, condition: Facts, expression: str, span: Span
    ) -> None:
        """What names stand for behind a condition: one of what they stand for behind its arms."""
        for name in {*then, *otherwise}:
            left, right = then.get(name), otherwise.get(name)
            if left is right and left is not None:
                known[name] = left
                continue
            before = Bound(self.names(name), (self.names(name).value(name, span),))
            left, right = left or before, right or before
            if isinstance(left, Macro) or isinstance(right, Macro):
                known[name] = left if isinstance(left, Macro) else right
                continue
            facts = combine([left.facts, right.facts, condition])
            segments: tuple[Segment, ...] | None = None
            if left.segments is not None and right.segments is not None:
                segments = (choice((left.segments, right.segments), expression, span, condition),)
            known[name] = Bound(facts, segments)

    def _for(self, block: Block, known: Bindings) -> tuple[Segment, ...]:
        tokens = block.tag.tokens
        place = next((at for at, token in enumerate(tokens) if token.kind == "name" and token.value == "in"), None)
        if place is None:
            raise JinjaError(block.tag.start, "a for without 'in'")
        targets = [token.value for token in tokens[:place] if token.kind == "name"]
        over, condition = self._split_over(tokens[place + 1 :])
        facts = self.judge(self.expression(over), known)
        item = item_of(facts)
        inner_names = dict(known)
        inner_names["loop"] = Bound(
            replace(item, shape="integer", grows=False) if item.lifetime is not Lifetime.CONSTANT else CONSTANT
        )
        for target in targets:
            inner_names[target] = Bound(item)
        if condition:
            wanted = self.judge(self.expression(condition), inner_names)
            facts = replace(combine([facts, wanted]), grows=facts.grows and wanted.lifetime.rank >= facts.lifetime.rank)
        inner = [node for node in block.body if not (isinstance(node, Data) and not self._said(node))]
        if len(inner) == 1 and isinstance(inner[0], Block) and inner[0].tag.keyword == "if":
            facts = self._kept(self.expression(inner[0].tag.tokens), facts, inner_names) or facts
        body = self.inner(block.body, inner_names)
        for name, bound in inner_names.items():
            # Assignments stay inside the loop, but for attributes of a namespace.
            held = known.get(name)
            if isinstance(bound, Bound) and isinstance(held, Bound) and name not in targets and held is not bound:
                known[name] = Bound(combine([held.facts, bound.facts, facts]))
        span = self.span(block.tag.start, block.end)
        expression = self.source(over)
        repeat: tuple[Segment, ...] = (
            (
                Repeat(
                    body,
                    expression,
                    span,
                    facts.lifetime,
                    facts.origin,
                    facts.confidence,
                    facts.grows,
                    facts.drift(expression, span),
                ),
            )
            if body
            else ()
        )
        if len(block.parts) > 1:
            otherwise = self.inner(block.parts[1][1], dict(known))
            presence = replace(facts, confidence=facts.confidence.at_most(Confidence.LOW), grows=False)
            return (choice((repeat, otherwise), expression, span, presence),)
        return repeat

    def _kept(self, condition: Any, facts: Facts, known: Bindings) -> Facts | None:
        """The conversation, where a condition for each of its messages keeps the last ones alone."""
        window = window_by_count(condition, self.scope(known)) if facts.grows else None
        return None if window is None else replace(facts, lifetime=Lifetime.TURN, grows=False, window=window)

    def _said(self, data: Data) -> str:
        return self.text.text[data.start : data.end].strip()

    @staticmethod
    def _split_over(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
        """The iterable and the filter condition of a for; ``a if b else c`` stays one expression."""
        tokens = tokens[:-1] if tokens and tokens[-1].value == "recursive" else tokens
        at = top_level(tokens, "name", "if")
        if at is None or top_level(tokens[at:], "name", "else") is not None:
            return tokens, ()
        return tokens[:at], tokens[at + 1 :]

    # --- names ------------------------------------------------------------------------------------------------------

    def _set(self, tag: Tag, known: Bindings) -> None:
        tokens = tag.tokens
        at = top_level(tokens, "operator", "=")
        if at is None:
            return
        targets = tokens[:at]
        names = [token.value for token in targets if token.kind == "name"]
        if len(names) > 1 and any(token.value == "." for token in targets):
            held = known.get(names[0])
            facts = self.judge(self.expression(tokens[at + 1 :]), known)
            if isinstance(held, Bound):
                facts = combine([held.facts, facts])
            known[names[0]] = Bound(facts)
            return
        bound = self.value_of(tokens[at + 1 :], known)
        for name in names:
            known[name] = bound if len(names) == 1 else Bound(bound.facts)

    def _assign(self, tokens: Sequence[Token], into: Bindings, known: Bindings) -> None:
        """``a=1, b=x`` of a with."""
        for part in split(tokens, ","):
            if len(part) > 2 and part[1].value == "=":
                into[part[0].value] = self.value_of(part[2:], known)

    def _macro(self, block: Block, known: Bindings) -> None:
        tokens = block.tag.tokens
        if not tokens:
            raise JinjaError(block.tag.start, "a macro without a name")
        parameters: list[tuple[str, tuple[Token, ...]]] = []
        for part in split(tokens[2:-1], ","):
            if part and part[0].kind == "name":
                parameters.append((part[0].value, tuple(part[2:]) if len(part) > 2 else ()))
        known[tokens[0].value] = Macro(tuple(parameters), tuple(block.body), self)

    def _import(self, tag: Tag, known: Bindings) -> None:
        """Names of another template: its macros when it is found, else unknown."""
        words = [token.value for token in tag.tokens if token.kind == "name"]
        source = self._load(tag)
        found: Bindings = {}
        if source is not None:
            reader, tree = source
            reader.read(tree, found)
        if tag.keyword == "import":
            if words and "as" in words:
                known[words[words.index("as") + 1]] = Bound(replace(UNKNOWN, name=""))
            return
        names = [word for word in words if word not in ("import", "with", "without", "context")]
        renamed = iter(range(len(names)))
        for at in renamed:
            name = alias = names[at]
            if at + 2 < len(names) and names[at + 1] == "as":
                alias = names[at + 2]
                next(renamed, None)
                next(renamed, None)
            known[alias] = found.get(name, Bound(UNKNOWN))

    # --- other templates --------------------------------------------------------------------------------------------

    def _load(self, tag: Tag) -> tuple[_Reader, list[Node]] | None:
        token = next((token for token in tag.tokens if token.kind == "string"), None)
        if token is None or self.loader is None:
            return None
        text = self.loader(token.value[1:-1])
        if text is None:
            return None
        if self.depth >= MAX_DEPTH:
            raise JinjaError(tag.start, "templates that include each other without end")
        text = unix_newlines(text)
        reader = _Reader(text, self.syntax, self.names, self.loader, self.depth + 1, self.overrides, self.budget)
        try:
            return reader, parse(text.text, self.syntax)
        except JinjaError as error:
            at = min(error.offset, len(text.text))
            raise PromptFileError.at(span_of(text, at, at), f"Jinja: {error.message}") from None

    def _include(self, tag: Tag, known: Bindings) -> list[Part]:
        source = self._load(tag)
        if source is None:
            return [self.unknown(tag.start, tag.end, f"include {self.source(tag.tokens)}")]
        reader, tree = source
        return reader.read(tree, dict(known))

    def _extended(self, tag: Tag, nodes: Sequence[Node], known: Bindings) -> list[Part]:
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
            out: list[Part] = [self.unknown(tag.start, tag.end, f"extends {self.source(tag.tokens)}")]
            for _, block in blocks.values():
                out += self.read(block.body, dict(known))
            return out
        reader, tree = source
        reader.overrides = {**blocks, **self.overrides}
        return reader.read(tree, known)

    def _named_block(self, block: Block, known: Bindings) -> list[Part]:
        name = block.tag.tokens[0].value if block.tag.tokens else ""
        held = self.overrides.get(name)
        inner_names = dict(known)
        if held is None or held[1] is block:
            return self.read(block.body, inner_names)
        own = self.inner(block.body, dict(known))
        inner_names["super"] = Bound(of_segments(own), own)
        return held[0].read(held[1].body, inner_names)
