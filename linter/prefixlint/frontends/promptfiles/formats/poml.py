"""POML: XML-like prompts in document order; ``{{x}}``, ``for=`` and ``if=`` are live.

Source: microsoft/poml documentation (language/components, language/template), read 2026-11. Components render as
Markdown or otherwise; that markup is not laid out, only their text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import Facts, choice, dotted, named, repeat
from prefixlint.frontends.promptfiles.mapping import cut, verbatim
from prefixlint.frontends.promptfiles.marks import RoleMark
from prefixlint.frontends.promptfiles.placeholders import PARSERS
from prefixlint.frontends.promptfiles.roles import messages
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Text, merge_text

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.marks import Part
    from prefixlint.model.sources import SourceFile

_MARK = re.compile(
    r"<!--.*?-->|<(?P<close>/)?(?P<name>[A-Za-z][\w.:\-]*)(?P<attributes>(?:\s+[\w.:\-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'))?)*)\s*"
    r"(?P<empty>/)?>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([\w.:\-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_SILENT = frozenset({"let", "stylesheet", "meta", "outputschema", "toolschema", "tooldefinition", "runtime"})
_ROLES = {
    "systemmessage": "system", "systemmsg": "system", "humanmessage": "user", "humanmsg": "user", "usermsg": "user",
    "aimessage": "assistant", "aimsg": "assistant", "assistantmsg": "assistant",
}  # fmt: skip
_FILES = frozenset({"document", "table", "img", "image", "folder", "webpage", "object", "audio", "include"})
_FILE = Facts(Lifetime.DEPLOYMENT, Origin(SourceKind.CONFIGURATION), Confidence.LOW)


@dataclass(slots=True)
class _Element:
    name: str
    start: int
    attributes: dict[str, str]
    parts: list[Part] = field(default_factory=list)


def read(found: Found) -> None:
    file = found.file
    root = _Element("", 0, {})
    stack = [root]
    at = 0
    for mark in _MARK.finditer(file.text):
        _text(stack, file, at, mark.start())
        at = mark.end()
        name = (mark.group("name") or "").replace("-", "").replace("_", "").lower()
        if not name:
            continue
        if mark.group("close"):
            if len(stack) > 1 and stack[-1].name == name:
                _close(stack, file, at)
            elif any(element.name == name for element in stack):
                raise PromptFileError(
                    file.path, file.position(stack[-1].start), f"POML: <{stack[-1].name}> is never closed"
                )
            continue
        attributes = {
            m.group(1).lower(): m.group(2) or m.group(3) or "" for m in _ATTRIBUTE.finditer(mark.group("attributes"))
        }
        stack.append(_Element(name, mark.start(), attributes))
        if len(stack) > 64:
            raise PromptFileError(file.path, file.position(mark.start()), "POML nested deeper than 64 levels; not read")
        caption = attributes.get("caption")
        if caption:
            place = file.text.index(caption, mark.start())
            stack[-1].parts += _inline(file, place, place + len(caption))
        if mark.group("empty"):
            _close(stack, file, at)
    _text(stack, file, at, len(file.text))
    if len(stack) > 1:
        raise PromptFileError(file.path, file.position(stack[-1].start), f"POML: <{stack[-1].name}> is never closed")
    found.add(
        "poml",
        PurePosixPath(file.path).stem,
        messages(root.parts),
        file.span(0, len(file.text)),
        bounds=("markup of POML components is not laid out",),
    )


def _inline(file: SourceFile, start: int, end: int) -> list[Part]:
    """Text with its placeholders, white space at its ends cut to one break."""
    text = verbatim(file, start, end)
    lead = len(text.text) - len(text.text.lstrip())
    body = cut(text, lead, len(text.text.rstrip()))
    if not body.text:
        return []
    breaks = Text("\n", file.span(end, end))
    return [*PARSERS["mustache"](body, named), breaks]


def _text(stack: list[_Element], file: SourceFile, start: int, end: int) -> None:
    if not any(element.name in _SILENT for element in stack):
        stack[-1].parts += _inline(file, start, end)


def _close(stack: list[_Element], file: SourceFile, end: int) -> None:
    element = stack.pop()
    if element.name in _SILENT:
        return
    span = file.span(element.start, end)
    into = stack[-1].parts
    if element.name in _FILES and element.attributes.get("src"):
        into.append(_FILE.value(element.attributes["src"], span))
        return
    if element.name == "conversation":
        expression = element.attributes.get("messages", "").strip("{} ")
        into.append(dotted(expression or "chat_history").value(expression, span))
        return
    parts: list[Part] = element.parts
    inner: tuple[Segment, ...]
    loop, condition = element.attributes.get("for"), element.attributes.get("if")
    if loop or condition:
        inner = merge_text(part for part in parts if not isinstance(part, RoleMark))
        if loop:
            over = loop.partition(" in ")[2].strip("{} ")
            inner = (repeat(inner, over, span, dotted(over)),)
        if condition:
            asked = condition.strip("{} ")
            facts = dotted(asked) if asked.replace(".", "").isidentifier() else Facts()
            inner = (choice((inner, ()), asked, span, facts),)
        parts = list(inner)
    role = _ROLES.get(element.name)
    if role:
        into += [RoleMark(role, span), *parts, RoleMark("", span)]
    else:
        into += parts
