"""TOML as the same nodes as YAML, with places, which ``tomllib`` does not tell. Depth and size are bounded.

The grammar is that of TOML 1.0.0 (https://toml.io/en/v1.0.0); ``tomllib`` says first whether a file is TOML at all.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.yaml_scalars import TOML, toml_pieces
from prefixlint.frontends.promptfiles.yaml_source import (
    MAX_CHARS,
    MAX_DEPTH,
    MAX_NODES,
    Mapping_,
    Node,
    Scalar,
    Sequence_,
    at_path,
)
from prefixlint.model.sources import Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.segments import Text
    from prefixlint.model.sources import SourceFile

_NodeT = TypeVar("_NodeT", Scalar, Sequence_, Mapping_)
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_\-]+")
_BARE = re.compile(r"[^\[\]{},=\"'#\n]+")


@lru_cache(maxsize=32)
def documents(file: SourceFile) -> tuple[Node, ...]:
    """``parsed``, kept for who asks again."""
    return parsed(file)


def parsed(file: SourceFile) -> tuple[Node, ...]:
    """Root table of the TOML text in ``file``. Raises ``PromptFileError``."""
    source = file.text
    if len(source) > MAX_CHARS:
        message = f"TOML file of {len(source):,} characters is over the bound of {MAX_CHARS:,}; not read"
        raise PromptFileError(file.path, Position(1, 1), message)
    try:
        tomllib.loads(source.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise PromptFileError(file.path, Position(1, 1), f"not valid TOML: {error}") from error
    return (_Reader(file, 1 if source.startswith("\ufeff") else 0).read(),)


@dataclass(slots=True)
class _Reader:
    """Reads text that is known to be TOML: only places and nesting are left to find."""

    file: SourceFile
    at: int
    count: int = 0
    tables: dict[int, dict[str, Node]] = field(default_factory=dict)
    """What each table holds, by the table's identity."""

    def read(self) -> Mapping_:
        source = self.file.text
        root = table = Mapping_(self.file, self.at, len(source))
        while True:
            self._gap()
            if self.at >= len(source):
                return root
            if source.startswith("[[", self.at):
                table = self._header(root, 2)
            elif source[self.at] == "[":
                table = self._header(root, 1)
            else:
                self._pair(table, 1)

    def _gap(self) -> None:
        found = _GAP.match(self.file.text, self.at)
        self.at = found.end() if found else self.at

    def _header(self, root: Mapping_, brackets: int) -> Mapping_:
        start = self.at
        self.at += brackets
        keys = self._keys()
        self.at += brackets
        parent = self._table(root, keys[:-1], start)
        if brackets == 1:
            return self._table(parent, keys[-1:], start)
        held = self._held(parent).get(keys[-1].value)
        if not isinstance(held, Sequence_):
            held = Sequence_(self.file, start, self.at)
            self._set(parent, keys[-1], held)
        table = self._node(Mapping_(self.file, start, self.at))
        held.items.append(table)
        return table

    def _keys(self) -> list[Scalar]:
        """The dotted key at this place, and what is behind it up to the next mark."""
        out: list[Scalar] = []
        while True:
            self._gap()
            found = _STRING.match(self.file.text, self.at) or _BARE_KEY.match(self.file.text, self.at)
            if found is None:
                raise self._broken()
            self.at = found.end()
            quoted = found.group()[0] in "\"'"
            value = _decoded(self.file.text, found.start(), found.end()) if quoted else found.group()
            out.append(Scalar(self.file, value, found.start(), found.end(), TOML if quoted else ""))
            self._gap()
            if not self.file.text.startswith(".", self.at):
                return out
            self.at += 1

    def _pair(self, table: Mapping_, depth: int) -> None:
        start = self.at
        keys = self._keys()
        self.at += 1
        holder = self._table(table, keys[:-1], start)
        self._set(holder, keys[-1], self._value(depth))
        table.end = holder.end = self.at

    def _value(self, depth: int) -> Node:
        self._gap()
        source, start = self.file.text, self.at
        if depth > MAX_DEPTH:
            message = f"TOML nested deeper than {MAX_DEPTH} levels; not read"
            raise PromptFileError(self.file.path, self.file.position(start), message)
        if source.startswith("[", start):
            return self._array(depth)
        if source.startswith("{", start):
            return self._inline_table(depth)
        string = _STRING.match(source, start)
        found = string or _BARE.match(source, start)
        if found is None:
            raise self._broken()
        self.at = found.end()
        value = _decoded(source, start, self.at) if string else found.group().strip()
        return self._node(Scalar(self.file, value, start, self.at, TOML if string else ""))

    def _array(self, depth: int) -> Sequence_:
        array = self._node(Sequence_(self.file, self.at, self.at))
        self.at += 1
        while not self._closed("]"):
            array.items.append(self._value(depth + 1))
        array.end = self.at
        return array

    def _inline_table(self, depth: int) -> Mapping_:
        table = self._node(Mapping_(self.file, self.at, self.at))
        self.at += 1
        while not self._closed("}"):
            self._pair(table, depth + 1)
        table.end = self.at
        return table

    def _closed(self, mark: str) -> bool:
        """True behind the closing ``mark``, which it passes over, as it does a comma."""
        self._gap()
        if self.file.text.startswith(",", self.at):
            self.at += 1
            self._gap()
        if not self.file.text.startswith(mark, self.at):
            return False
        self.at += 1
        return True

    def _table(self, table: Mapping_, keys: Sequence[Scalar], start: int) -> Mapping_:
        """The table under ``keys``, made where there is none; of an array of tables the last one."""
        for key in keys:
            held = self._held(table).get(key.value)
            if isinstance(held, Sequence_) and held.items:
                held = held.items[-1]
            if not isinstance(held, Mapping_):
                held = self._node(Mapping_(self.file, start, self.at))
                self._set(table, key, held)
            table = held
        return table

    def _held(self, table: Mapping_) -> dict[str, Node]:
        return self.tables.setdefault(id(table), {})

    def _set(self, table: Mapping_, key: Scalar, value: Node) -> None:
        table.pairs.append((key, value))
        self._held(table)[key.value] = value

    def _node(self, node: _NodeT) -> _NodeT:
        self.count += 1
        if self.count > MAX_NODES:
            message = f"TOML with more than {MAX_NODES:,} nodes; not read"
            raise PromptFileError(self.file.path, self.file.position(node.start), message)
        return node

    def _broken(self) -> PromptFileError:
        return PromptFileError(self.file.path, self.file.position(self.at), "TOML that cannot be read")


def _decoded(source: str, start: int, end: int) -> str:
    return "".join(piece[0] for piece in toml_pieces(source, start, end))


def load_toml_value(file: SourceFile, keys: Sequence[str | int]) -> Text | None:
    """The string at ``keys``, each character with its place; None for anything else.

    Raises PromptFileError for a file that is no TOML.
    """
    node = at_path(documents(file)[0], keys)
    return node.text() if isinstance(node, Scalar) and node.style == TOML else None
