"""JSON as the same nodes as YAML, with places. Depth and size are bounded; nothing recurses."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.yaml_scalars import JSON, sound
from prefixlint.frontends.promptfiles.yaml_source import (
    MAX_CHARS,
    MAX_DEPTH,
    MAX_NODES,
    Mapping_,
    Node,
    Scalar,
    Sequence_,
)
from prefixlint.model.sources import Position

if TYPE_CHECKING:
    from prefixlint.model.sources import SourceFile

_TOKEN = re.compile(r'[ \t\r\n]*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([\[\]{},:])|([^\s\[\]{},:"]+))', re.DOTALL)


@lru_cache(maxsize=32)
def documents(file: SourceFile) -> tuple[Node, ...]:
    """``parsed``, kept for who asks again."""
    return parsed(file)


def parsed(file: SourceFile, most_chars: int = MAX_CHARS) -> tuple[Node, ...]:
    """Root node of the JSON text in ``file``, of at most so many characters. Raises ``PromptFileError``."""
    source = file.text
    if len(source) > most_chars:
        message = f"JSON file of {len(source):,} characters is over the bound of {most_chars:,}; not read"
        raise PromptFileError(file.path, Position(1, 1), message)
    stack: list[tuple[Sequence_ | Mapping_, list[Node]]] = []
    root: Node | None = None
    at = count = 0
    while found := _TOKEN.match(source, at):
        at = found.end()
        string, mark, word = found.groups()
        start = found.start(found.lastindex or 0)
        node: Node
        if mark in ("{", "["):
            stack.append(((Mapping_ if mark == "{" else Sequence_)(file, start, start), []))
            if len(stack) > MAX_DEPTH:
                raise PromptFileError(
                    file.path, file.position(start), f"JSON nested deeper than {MAX_DEPTH} levels; not read"
                )
            continue
        if mark in (",", ":"):
            continue
        if mark:
            if not stack:
                raise PromptFileError(file.path, file.position(start), f"JSON: {mark!r} closes nothing")
            collection, held = stack.pop()
            collection.end = at
            if isinstance(collection, Mapping_) != (mark == "}"):
                raise PromptFileError(file.path, file.position(start), f"JSON: {mark!r} closes another bracket")
            if isinstance(collection, Mapping_):
                collection.pairs = list(zip(held[::2], held[1::2], strict=False))
            else:
                collection.items = held
            node = collection
        elif string:
            try:
                value = sound(json.loads(string, strict=False))
            except ValueError:
                raise PromptFileError(file.path, file.position(start), "JSON: a broken escape") from None
            node = Scalar(file, value, start, at, JSON)
        else:
            node = Scalar(file, word, start, at, "")
        count += 1
        if count > MAX_NODES:
            raise PromptFileError(file.path, file.position(start), f"JSON with more than {MAX_NODES:,} nodes; not read")
        if stack:
            stack[-1][1].append(node)
        elif root is None:
            root = node
        else:
            raise PromptFileError(file.path, file.position(start), "JSON: text behind the end")
    rest = len(source) - len(source[at:].lstrip())
    if stack or rest < len(source):
        raise PromptFileError(file.path, file.position(min(rest, len(source))), "JSON: not complete or not JSON")
    return (root,) if root is not None else ()
