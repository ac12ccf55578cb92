"""Kubernetes ConfigMaps: each entry of ``data`` is a file as a container sees it, and may be YAML or JSON itself.

Source: Kubernetes documentation, "ConfigMaps", read 2026-11.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.formats import yaml_generic
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar, Sequence_, parsed
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.yaml_source import Node

_NESTED = frozenset({".yaml", ".yml", ".json"})
_PROSE = frozenset({"", ".txt", ".md", ".markdown", ".prompt", ".j2", ".jinja", ".jinja2", ".tmpl", ".tpl"})


def read(found: Found, root: Mapping_, formats: Callable[[Found, Sequence[Node]], list[Node]]) -> bool:
    """``formats`` reads documents that are of a format, and gives back the others."""
    data = root.get("data")
    if root.string("kind") != "ConfigMap" or not isinstance(data, Mapping_):
        return False
    texts: list[tuple[Node, Node]] = []
    for key, value in data.pairs:
        suffix = PurePosixPath(key.value).suffix.lower() if isinstance(key, Scalar) else ""
        if suffix in _NESTED and isinstance(value, Scalar):
            rest = formats(found, _nested(value))
            yaml_generic.read(found, rest)
        elif suffix in _PROSE:
            texts.append((key, value))
    yaml_generic.read(found, [replace(root, pairs=[(_key(root, "data"), replace(data, pairs=texts))])])
    return True


def _key(root: Mapping_, name: str) -> Node:
    return next(key for key, _ in root.pairs if isinstance(key, Scalar) and key.value == name)


def _nested(value: Scalar) -> list[Node]:
    """The documents in a literal block: it keeps its lines, so that their places lie as far apart as in the file."""
    if value.style != "|":
        return []
    source = value.file.text
    start = source.find("\n", value.start) + 1
    try:
        roots = parsed(SourceFile(value.file.path, source[start : value.end]))
    except PromptFileError:
        return []  # what is broken in there is for who reads it; the ConfigMap itself is sound
    _move(roots, value.file, start)
    return list(roots)


def _move(roots: Sequence[Node], file: SourceFile, by: int) -> None:
    """Gives the nodes their places in ``file``, where the text that they were read from stands at ``by``."""
    left = list(roots)
    while left:
        node = left.pop()
        if node.file is file:
            continue  # an alias, which shares its node
        node.file, node.start, node.end = file, node.start + by, node.end + by
        if isinstance(node, Mapping_):
            left += [each for pair in node.pairs for each in pair]
        elif isinstance(node, Sequence_):
            left += node.items
