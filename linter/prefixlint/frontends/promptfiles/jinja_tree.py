"""Jinja source as a tree of blocks with exact offsets, from jinja2's own lexer.

jinja2's AST keeps line numbers only, and its lexer drops what whitespace control strips; the offsets here are regained
by following the raw token stream through the source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from prefixlint.frontends.promptfiles.errors import MAX_PLACEHOLDERS, TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_NESTING = 60
"""Deepest nesting of blocks."""
MAX_CHARS = 1_000_000
"""Longest template, in characters."""


@dataclass(frozen=True, slots=True)
class JinjaSyntax:
    """How the loader sets Jinja up. The defaults are jinja2's own."""

    block_start: str = "{%"
    block_end: str = "%}"
    variable_start: str = "{{"
    variable_end: str = "}}"
    comment_start: str = "{#"
    comment_end: str = "#}"
    line_statement_prefix: str | None = None
    line_comment_prefix: str | None = None
    trim_blocks: bool = False
    lstrip_blocks: bool = False
    keep_trailing_newline: bool = False


DEFAULT = JinjaSyntax()


class JinjaError(ValueError):
    """Source that is not Jinja; ``offset`` counts characters of the source given."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Data:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Output:
    """``{{ … }}``: ``start`` and ``end`` include the braces; ``tokens`` are those inside, without whitespace."""

    start: int
    end: int
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Tag:
    """``{% … %}``: ``tokens`` follow the keyword."""

    keyword: str
    start: int
    end: int
    tokens: tuple[Token, ...]


@dataclass(slots=True)
class Block:
    """A tag with the parts it encloses: its own body first, then one for each ``elif``, ``else``, ``pluralize``."""

    tag: Tag
    parts: list[tuple[Tag, list[Node]]] = field(default_factory=list)
    end: int = 0

    @property
    def body(self) -> list[Node]:
        return self.parts[0][1]


Node = Data | Output | Tag | Block

_CONTINUES = {
    "elif": ("if",),
    "else": ("if", "for", "trans"),
    "pluralize": ("trans",),
    "case": ("switch",),
    "default": ("switch",),
}
_BEGINS = {"block_begin": "block_end", "variable_begin": "variable_end", "linestatement_begin": "linestatement_end"}


@lru_cache(maxsize=16)
def environment(syntax: JinjaSyntax = DEFAULT) -> Any:
    """A jinja2 environment that only lexes and parses."""
    from jinja2 import Environment

    return Environment(
        block_start_string=syntax.block_start,
        block_end_string=syntax.block_end,
        variable_start_string=syntax.variable_start,
        variable_end_string=syntax.variable_end,
        comment_start_string=syntax.comment_start,
        comment_end_string=syntax.comment_end,
        line_statement_prefix=syntax.line_statement_prefix,
        line_comment_prefix=syntax.line_comment_prefix,
        trim_blocks=syntax.trim_blocks,
        lstrip_blocks=syntax.lstrip_blocks,
        keep_trailing_newline=syntax.keep_trailing_newline,
    )


def parse(source: str, syntax: JinjaSyntax = DEFAULT) -> list[Node]:
    r"""Tree of ``source``, whose newlines are all ``\n``. Raises ``JinjaError``."""
    if len(source) > MAX_CHARS:
        raise JinjaError(0, f"template of {len(source):,} characters is over the bound of {MAX_CHARS:,}; not read")
    return _nest(_flat(_tokens(source, syntax)))


def _tokens(source: str, syntax: JinjaSyntax) -> list[Token]:
    from jinja2 import TemplateSyntaxError

    out: list[Token] = []
    at = 0
    try:
        for _, kind, value in environment(syntax).lex(source):
            if not value:
                continue
            if not source.startswith(value, at):
                # Whitespace control stripped text in front of this token, or line statements ate a newline.
                moved = at
                while moved < len(source) and source[moved].isspace() and not source.startswith(value, moved):
                    moved += 1
                at = moved if source.startswith(value, moved) else max(source.find(value, at), at)
            out.append(Token(kind, value, at, at + len(value)))
            at += len(value)
    except TemplateSyntaxError as error:
        lines = source.split("\n")[: max(0, error.lineno - 1)]
        offset = max(at, min(sum(len(line) + 1 for line in lines), len(source)))
        raise JinjaError(offset, error.message or "template syntax") from None
    except RecursionError:
        raise JinjaError(at, "template nested too deep") from None
    return out


def _flat(tokens: Sequence[Token]) -> list[Data | Output | Tag]:
    out: list[Data | Output | Tag] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "data":
            out.append(Data(token.start, token.end))
        elif token.kind in _BEGINS:
            closing = _BEGINS[token.kind]
            stop = at + 1
            while stop < len(tokens) and tokens[stop].kind != closing:
                stop += 1
            if stop == len(tokens) and closing != "linestatement_end":
                raise JinjaError(token.start, f"{token.value.strip()} is never closed")
            start = token.start + len(token.value) - len(token.value.lstrip())
            if stop < len(tokens):
                end = tokens[stop].start + len(tokens[stop].value.rstrip())
            else:
                end = tokens[-1].end
            inner = tuple(t for t in tokens[at + 1 : stop] if t.kind != "whitespace")
            if len(out) > 2 * MAX_PLACEHOLDERS:
                raise JinjaError(start, TOO_MANY)
            if token.kind == "variable_begin":
                if not inner:
                    raise JinjaError(start, "an empty expression")
                out.append(Output(start, end, inner))
            elif inner and inner[0].kind == "name":
                out.append(Tag(inner[0].value, start, end, inner[1:]))
            else:
                raise JinjaError(start, "a tag without a name")
            at = stop
        at += 1
    return out


def _is_paired(tag: Tag, closers: dict[str, int]) -> bool:
    if tag.keyword == "set":
        depth = 0
        for token in tag.tokens:
            depth += (token.value in "([{") - (token.value in ")]}") if token.kind == "operator" else 0
            if depth == 0 and token.kind == "operator" and token.value == "=":
                return False
        return True
    if tag.keyword == "block" and "required" in {t.value for t in tag.tokens}:
        return True
    return closers.get(f"end{tag.keyword}", -1) >= tag.start


def _nest(flat: Sequence[Data | Output | Tag]) -> list[Node]:
    closers: dict[str, int] = {}
    for node in flat:
        if isinstance(node, Tag) and node.keyword.startswith("end"):
            closers[node.keyword] = node.start
    root: list[Node] = []
    open_blocks: list[Block] = []
    into = root
    for node in flat:
        if not isinstance(node, Tag):
            into.append(node)
            continue
        word = node.keyword
        if word.startswith("end") and (
            open_blocks or word[3:] in ("if", "for", "set", "macro", "block", "call", "filter")
        ):
            if not open_blocks or open_blocks[-1].tag.keyword != word[3:]:
                raise JinjaError(node.start, f"{{% {word} %}} closes nothing that is open here")
            block = open_blocks.pop()
            block.end = node.end
            into = open_blocks[-1].parts[-1][1] if open_blocks else root
        elif word in _CONTINUES:
            if not open_blocks or open_blocks[-1].tag.keyword not in _CONTINUES[word]:
                raise JinjaError(node.start, f"{{% {word} %}} outside of a block it can belong to")
            body: list[Node] = []
            open_blocks[-1].parts.append((node, body))
            into = body
        elif word in ("if", "for", "macro", "call", "filter") or _is_paired(node, closers):
            block = Block(node)
            body = []
            block.parts.append((node, body))
            into.append(block)
            open_blocks.append(block)
            into = body
            if len(open_blocks) > MAX_NESTING:
                raise JinjaError(node.start, f"blocks nested deeper than {MAX_NESTING} levels; not read")
        else:
            into.append(node)
    if open_blocks:
        tag = open_blocks[-1].tag
        raise JinjaError(tag.start, f"{{% {tag.keyword} %}} is never closed")
    return root


def depths(tokens: Sequence[Token]) -> list[int]:
    depth = 0
    out: list[int] = []
    for token in tokens:
        if token.kind == "operator" and token.value in (")", "]", "}"):
            depth -= 1
        out.append(depth)
        if token.kind == "operator" and token.value in ("(", "[", "{"):
            depth += 1
    return out


def top_level(tokens: Sequence[Token], kind: str, value: str) -> int | None:
    """Index of the first token like this outside of brackets."""
    for at, (token, depth) in enumerate(zip(tokens, depths(tokens), strict=True)):
        if depth == 0 and token.kind == kind and token.value == value:
            return at
    return None


def split(tokens: Sequence[Token], operator: str) -> list[Sequence[Token]]:
    """Parts between the ``operator`` tokens outside of brackets."""
    out: list[Sequence[Token]] = []
    start = 0
    for at, (token, depth) in enumerate(zip(tokens, depths(tokens), strict=True)):
        if depth == 0 and token.kind == "operator" and token.value == operator:
            out.append(tokens[start:at])
            start = at + 1
    out.append(tokens[start:])
    return [part for part in out if part]
