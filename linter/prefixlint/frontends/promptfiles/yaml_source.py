"""YAML as nodes with places: built from ruamel.yaml's events, so that nothing is constructed and nothing recurses.

Aliases share their node (a million laughs cost nothing), and depth, size and number of nodes are bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.mapping import from_pieces
from prefixlint.frontends.promptfiles.yaml_scalars import decode
from prefixlint.model.segments import Text
from prefixlint.model.sources import Position, SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_CHARS = 2_000_000
"""Longest YAML file that is read, in characters."""
MAX_DEPTH = 64
"""Deepest nesting of collections."""
MAX_NODES = 200_000
"""Most nodes in one file."""

_PROPERTY = re.compile(r"[&!][^\s]*")
_GAP = re.compile(r"(?:\s+|#[^\r\n]*)*")


@dataclass(eq=False, slots=True)
class Scalar:
    """A scalar; ``value`` is decoded, ``start`` and ``end`` are its offsets in the file (tag and anchor included)."""

    file: SourceFile
    value: str
    start: int
    end: int
    style: str
    tag: str = ""

    @property
    def span(self) -> Span:
        return self.file.span(self.start, self.end)

    @property
    def is_text(self) -> bool:
        """False for what YAML reads as a number, a truth value or null."""
        return bool(self.style) or self.tag == "!!str" or not _NOT_TEXT.fullmatch(self.value)

    def text(self) -> Text:
        """The decoded value, each character mapped to its place; one span where the places cannot be told."""
        at = self._content()
        pieces = decode(self.file.text, at, self.end, self.style, self.value)
        if pieces is None:
            return Text(self.value, self.file.span(self.start, self.end))
        return from_pieces(self.file, pieces)

    def _content(self) -> int:
        source, at = self.file.text, self.start
        while at < self.end and source[at] in "&!":
            found = _PROPERTY.match(source, at)
            gap = _GAP.match(source, found.end() if found else at + 1)
            at = gap.end() if gap else at + 1
        return at


@dataclass(eq=False, slots=True)
class Sequence_:
    file: SourceFile
    start: int
    end: int = 0
    tag: str = ""
    items: list[Node] = field(default_factory=list)

    @property
    def span(self) -> Span:
        return self.file.span(self.start, self.end)


@dataclass(eq=False, slots=True)
class Mapping_:
    file: SourceFile
    start: int
    end: int = 0
    tag: str = ""
    pairs: list[tuple[Node, Node]] = field(default_factory=list)

    @property
    def span(self) -> Span:
        return self.file.span(self.start, self.end)

    def items(self) -> Iterator[tuple[str, Node]]:
        """Pairs with a scalar key, in order; merged ones (``<<``) behind the own ones that they do not override."""
        seen: set[str] = set()
        yield from self._items(seen, 0)

    def _items(self, seen: set[str], depth: int) -> Iterator[tuple[str, Node]]:
        merged: list[Node] = []
        for key, value in self.pairs:
            if not isinstance(key, Scalar):
                continue
            if key.value == "<<" and not key.style:
                merged += value.items if isinstance(value, Sequence_) else [value]
            elif key.value not in seen:
                seen.add(key.value)
                yield key.value, value
        if depth < 8:
            for node in merged:
                if isinstance(node, Mapping_):
                    yield from node._items(seen, depth + 1)

    def get(self, *names: str) -> Node | None:
        """Value of the first of ``names`` that is a key."""
        held = dict(self.items())
        for name in names:
            if name in held:
                return held[name]
        return None

    def string(self, *names: str) -> str:
        """Like ``get``, for a scalar's decoded value; "" when there is none."""
        node = self.get(*names)
        return node.value if isinstance(node, Scalar) else ""

    def key(self, name: str) -> Scalar | None:
        """The key node itself."""
        for key, _ in self.pairs:
            if isinstance(key, Scalar) and key.value == name:
                return key
        return None


Node = Scalar | Sequence_ | Mapping_

_NOT_TEXT = re.compile(
    r"|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|0[xo][0-9a-fA-F]+"
)


@lru_cache(maxsize=32)
def documents(file: SourceFile) -> tuple[Node, ...]:
    """``parsed``, kept for who asks again."""
    return parsed(file)


def parsed(file: SourceFile) -> tuple[Node, ...]:
    """Root nodes of the documents in ``file``. Raises ``PromptFileError`` for broken YAML and what exceeds a bound."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    if len(file.text) > MAX_CHARS:
        raise PromptFileError(
            file.path,
            Position(1, 1),
            f"YAML file of {len(file.text):,} characters is over the bound of {MAX_CHARS:,}; not read",
        )
    if not file.text.strip():
        return ()
    try:
        return tuple(_compose(file, YAML(typ="safe", pure=True).parse(file.text)))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)
        raise PromptFileError(file.path, place, f"YAML: {error.problem or error.context or error}") from None
    except ReaderError as error:
        place = file.position(min(int(error.position), len(file.text)))
        raise PromptFileError(file.path, place, "YAML: a character that YAML does not allow") from None
    except (YAMLError, RecursionError, ValueError, IndexError, AttributeError, AssertionError) as error:
        if isinstance(error, PromptFileError):
            raise
        raise PromptFileError(file.path, Position(1, 1), f"YAML: {error or type(error).__name__}") from None


def _compose(file: SourceFile, events: Iterator[Any]) -> Iterator[Node]:
    stack: list[tuple[Sequence_ | Mapping_, list[Node]]] = []
    anchors: dict[str, Node] = {}
    count = 0
    for event in events:
        kind = type(event).__name__
        node: Node
        if kind == "DocumentStartEvent":
            anchors = {}
            continue
        if kind == "ScalarEvent":
            node = Scalar(
                file, event.value, event.start_mark.index, event.end_mark.index, event.style or "", _tag(event)
            )
        elif kind == "AliasEvent":
            known = anchors.get(str(event.anchor))
            if known is None:
                place = file.position(event.start_mark.index)
                raise PromptFileError(file.path, place, f"YAML: alias *{event.anchor} stands for nothing")
            node = known
        elif kind in ("SequenceStartEvent", "MappingStartEvent"):
            start = event.start_mark.index
            node = (Sequence_ if kind[0] == "S" else Mapping_)(file, start, start, _tag(event))
            if event.anchor:
                anchors[str(event.anchor)] = node
            stack.append((node, []))
            if len(stack) > MAX_DEPTH:
                raise PromptFileError(
                    file.path, file.position(start), f"YAML nested deeper than {MAX_DEPTH} levels; not read"
                )
            continue
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            collection, held = stack.pop()
            collection.end = event.end_mark.index
            if isinstance(collection, Sequence_):
                collection.items = held
            else:
                collection.pairs = list(zip(held[::2], held[1::2], strict=False))
            node = collection
        else:
            continue
        count += 1
        if count > MAX_NODES:
            raise PromptFileError(
                file.path, file.position(node.start), f"YAML with more than {MAX_NODES:,} nodes; not read"
            )
        if kind == "ScalarEvent" and event.anchor:
            anchors[str(event.anchor)] = node
        if stack:
            stack[-1][1].append(node)
        else:
            yield node


def _tag(event: Any) -> str:
    tag = event.tag
    text = str(tag) if tag else ""
    return text.replace("tag:yaml.org,2002:", "!!")


def at_path(root: Node, path: Sequence[str | int]) -> Node | None:
    """The node under ``root`` at these keys and indices, or None."""
    node: Node | None = root
    for step in path:
        if isinstance(node, Mapping_):
            node = node.get(str(step))
        elif isinstance(node, Sequence_) and isinstance(step, int) and -len(node.items) <= step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node


def load_yaml_value(file: SourceFile, key_path: tuple[str | int, ...]) -> Text | None:
    """Text of the scalar at ``key_path`` in the first document of ``file``, or None when there is none.

    Raises ``PromptFileError`` for a file that is not YAML.
    """
    roots = documents(file)
    node = at_path(roots[0], key_path) if roots else None
    return node.text() if isinstance(node, Scalar) else None
