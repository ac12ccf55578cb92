"""POML source as a tree of elements with offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError

if TYPE_CHECKING:
    from prefixlint.model.sources import SourceFile

MAX_DEPTH = 64
"""Deepest nesting of elements."""

_MARK = re.compile(
    r"<!--.*?-->|<(?P<close>/)?(?P<name>[A-Za-z][\w.:\-]*)(?P<attributes>(?:\s+[\w.:\-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'))?)*)\s*"
    r"(?P<empty>/)?>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([\w.:\-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


@dataclass(frozen=True, slots=True)
class Chars:
    """Text between tags, by its offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Attribute:
    value: str
    start: int


@dataclass(slots=True)
class Element:
    """An element; ``name`` and the names of attributes are in lower case, without hyphens."""

    name: str
    start: int
    attributes: dict[str, Attribute] = field(default_factory=dict)
    children: list[Element | Chars] = field(default_factory=list)
    end: int = 0

    def get(self, name: str) -> str:
        """Value of an attribute; "" when it is not there."""
        held = self.attributes.get(name)
        return held.value if held is not None else ""


def parse(file: SourceFile) -> Element:
    """The root, an element without a name. Raises ``PromptFileError`` for tags that do not match."""
    root = Element("", 0)
    stack = [root]
    at = 0
    for mark in _MARK.finditer(file.text):
        if mark.start() > at:
            stack[-1].children.append(Chars(at, mark.start()))
        at = mark.end()
        name = _plain(mark.group("name") or "")
        if not name:
            continue
        if mark.group("close"):
            if len(stack) > 1 and stack[-1].name == name:
                stack.pop().end = at
            elif any(element.name == name for element in stack):
                raise _unclosed(file, stack[-1])
            continue
        offset = mark.start("attributes")
        attributes = {
            _plain(found.group(1)): Attribute(
                found.group(2) or found.group(3) or "", offset + found.start(2 if found.group(2) is not None else 3)
            )
            for found in _ATTRIBUTE.finditer(mark.group("attributes"))
        }
        element = Element(name, mark.start(), attributes, end=at)
        stack[-1].children.append(element)
        if not mark.group("empty"):
            stack.append(element)
        if len(stack) > MAX_DEPTH:
            message = f"POML nested deeper than {MAX_DEPTH} levels; not read"
            raise PromptFileError(file.path, file.position(mark.start()), message)
    if len(file.text) > at:
        stack[-1].children.append(Chars(at, len(file.text)))
    if len(stack) > 1:
        raise _unclosed(file, stack[-1])
    return root


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _unclosed(file: SourceFile, element: Element) -> PromptFileError:
    return PromptFileError(file.path, file.position(element.start), f"POML: <{element.name}> is never closed")
