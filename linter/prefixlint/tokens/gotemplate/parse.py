"""Reads a Go template."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from prefixlint.tokens.gotemplate.nodes import (
    Action,
    Argument,
    Branch,
    Field,
    Function,
    GoTemplateError,
    Jump,
    Literal,
    Node,
    Pipeline,
    Text,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = " \t\r\n"
_ACTION = re.compile(
    r"\{\{(- )?\s*(/\*.*?\*/|(?:\"(?:\\.|[^\"\\\n])*\"|`[^`]*`|'(?:\\.|[^'\\\n])+'|(?!\}\}).)*?)\s*( -)?\}\}", re.S
)
_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<raw>`[^`]*`)|(?P<number>[+-]?\d[\w.]*)
    |(?P<variable>\$\w*)|(?P<field>\.[A-Za-z_]\w*)|(?P<name>[A-Za-z_]\w*)|(?P<sign>:=|[=|(),.])""",
    re.X,
)
_CONSTANTS = {"true": True, "false": False, "nil": None}
_DEEPEST = 60


def parse(text: str) -> tuple[Node, ...]:
    """The nodes of the template ``text``. Raises ``GoTemplateError``."""
    reader = _Reader(list(_pieces(text)))
    nodes, closing = reader.block()
    if closing:
        raise GoTemplateError(f"{closing!r} without a beginning")
    return nodes


def _pieces(text: str) -> Iterator[Text | list[tuple[str, str]]]:
    """Text, and the words of each action; comments are gone."""
    at = 0
    trim = False
    for found in _ACTION.finditer(text):
        between = text[at : found.start()]
        between = between.lstrip(_SPACE) if trim else between
        between = between.rstrip(_SPACE) if found[1] else between
        if between:
            yield Text(between)
        at, trim = found.end(), bool(found[3])
        if not found[2].startswith("/*"):
            yield _words(found[2])
    rest = text[at:].lstrip(_SPACE) if trim else text[at:]
    if "{{" in rest:
        raise GoTemplateError(f"an action without its end: {rest[rest.index('{{') :][:40]!r}")
    if rest:
        yield Text(rest)


def _words(action: str) -> list[tuple[str, str]]:
    """The words of an action with their kinds; space is kept, for it decides over ``a .b`` and ``a.b``."""
    words = []
    at = 0
    while at < len(action):
        found = _TOKEN.match(action, at)
        if found is None or found.lastgroup is None:
            raise GoTemplateError(f"{action[at : at + 20]!r} in {{{{{action}}}}} is not covered")
        words.append((found.lastgroup, found[0]))
        at = found.end()
    return words


class _Reader:
    def __init__(self, pieces: list[Text | list[tuple[str, str]]]) -> None:
        self.pieces = pieces
        self.at = 0
        self.depth = 0

    def block(self) -> tuple[tuple[Node, ...], str]:
        """Nodes up to ``end`` or ``else``, and what stands there: "", "end", or the words behind "else"."""
        nodes: list[Node] = []
        while self.at < len(self.pieces):
            piece = self.pieces[self.at]
            self.at += 1
            if isinstance(piece, Text):
                nodes.append(piece)
                continue
            head = piece[0][1] if piece else ""
            if head == "end":
                return tuple(nodes), "end"
            if head == "else":
                self.pieces[self.at - 1] = piece[2:]
                return tuple(nodes), "else"
            if head in ("if", "range", "with"):
                nodes.append(self.branch(head, piece[2:]))
            elif head in ("break", "continue"):
                nodes.append(Jump(head))
            elif head in ("define", "template", "block"):
                raise GoTemplateError(f"{head} is not covered")
            else:
                nodes.append(Action(_Words(piece).whole()))
        return tuple(nodes), ""

    def branch(self, kind: str, words: list[tuple[str, str]]) -> Branch:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise GoTemplateError(f"more than {_DEEPEST} blocks inside one another")
        pipeline = _Words(words).whole()
        body, closing = self.block()
        otherwise: tuple[Node, ...] = ()
        if closing == "else":
            again = self.pieces[self.at - 1]
            if again and isinstance(again, list):  # else if: one end for both
                otherwise = (self.branch(again[0][1], again[2:]),)
                closing = "end"
            else:
                otherwise, closing = self.block()
        if closing != "end":
            raise GoTemplateError(f"{kind} without its end")
        self.depth -= 1
        return Branch(kind, pipeline, body, otherwise)


class _Words:
    def __init__(self, words: list[tuple[str, str]]) -> None:
        self.words = words
        self.at = 0

    def whole(self) -> Pipeline:
        pipeline = self.pipeline()
        if self.at < len(self.words):
            raise GoTemplateError(f"{self.words[self.at][1]!r} where the action should end")
        return pipeline

    def peek(self) -> tuple[str, str]:
        return self.words[self.at] if self.at < len(self.words) else ("end", "")

    def skip_space(self) -> None:
        while self.peek()[0] == "space":
            self.at += 1

    def pipeline(self) -> Pipeline:
        self.skip_space()
        start = self.at
        names, declares = self.sets()
        if not names:
            self.at = start
        commands = [self.command()]
        while self.peek()[1] == "|":
            self.at += 1
            commands.append(self.command())
        return Pipeline(tuple(commands), names, declares)

    def sets(self) -> tuple[tuple[str, ...], bool]:
        names = []
        while self.peek()[0] == "variable":
            names.append(self.peek()[1])
            self.at += 1
            self.skip_space()
            if self.peek()[1] == ",":
                self.at += 1
                self.skip_space()
                continue
            if self.peek()[1] in (":=", "="):
                sign = self.peek()[1]
                self.at += 1
                return tuple(names), sign == ":="
            break
        return (), False

    def command(self) -> tuple[Argument, ...]:
        arguments: list[Argument] = []
        self.skip_space()
        while self.peek()[1] not in ("|", ")") and self.peek()[0] != "end":
            arguments.append(self.argument())
            if self.peek()[0] not in ("space", "end") and self.peek()[1] not in ("|", ")"):
                raise GoTemplateError(f"{self.peek()[1]!r} behind an argument")
            self.skip_space()
        if not arguments:
            raise GoTemplateError("an action without a value")
        return tuple(arguments)

    def argument(self) -> Argument:
        kind, word = self.peek()
        self.at += 1
        if kind == "string":
            try:
                return Literal(json.loads(word))
            except ValueError as error:
                raise GoTemplateError(f"the string {word} is not covered") from error
        if kind == "raw":
            return Literal(word[1:-1].replace("\r", ""))
        if kind == "number":
            try:
                return Literal(int(word))
            except ValueError as error:
                raise GoTemplateError(f"the number {word} is not covered") from error
        if kind == "name":
            return Literal(_CONSTANTS[word]) if word in _CONSTANTS else Function(word)
        if kind == "field":
            return Field((word[1:], *self.chain()))
        if kind == "variable":
            return Field(self.chain(), Variable(word))
        if word == ".":
            return Field(())
        if word == "(":
            inner = self.pipeline()
            if self.peek()[1] != ")":
                raise GoTemplateError("a parenthesis without its end")
            self.at += 1
            return Field(self.chain(), inner)
        raise GoTemplateError(f"{word!r} where a value should be")

    def chain(self) -> tuple[str, ...]:
        names = []
        while self.peek()[0] == "field":
            names.append(self.peek()[1][1:])
            self.at += 1
        return tuple(names)
