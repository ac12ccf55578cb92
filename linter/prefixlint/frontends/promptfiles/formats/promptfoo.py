"""promptfoo configurations: ``prompts:`` beside ``providers:`` (promptfoo documentation, read 2026-11).

A text file that is named holds several prompts where lines that are ``---``, with white space or without, part them
(``src/prompts/processors/text.ts`` of promptfoo, read 2026-11).
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats import json_source
from prefixlint.frontends.promptfiles.formats.chats import chat_blocks, is_chat
from prefixlint.frontends.promptfiles.formats.known import known
from prefixlint.frontends.promptfiles.mapping import cut, span_of, verbatim
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, Sequence_, documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.segments import Text

_SYNTAX = "nunjucks"
_PARTS = re.compile(r"^[^\S\n]*---[^\S\n]*$", re.MULTILINE)


def read(found: Found, root: Mapping_) -> bool:
    prompts = root.get("prompts")
    named = "promptfoo" in PurePosixPath(found.file.path).name.lower()
    if prompts is None or not (named or root.get("providers", "tests", "targets", "scenarios")):
        return False
    if isinstance(prompts, Mapping_) or not (named or root.get("providers", "targets")):
        return False
    items = prompts.items if isinstance(prompts, Sequence_) else [prompts]
    for at, item in enumerate(items):
        _prompt(found, item, f"prompts.{at}")
    return True


def _prompt(found: Found, item: Node, name: str) -> None:
    if isinstance(item, Mapping_):
        name = item.string("label", "id") or name
        if is_chat(item.get("raw")):
            found.add("promptfoo", name, chat_blocks(found, item.get("raw"), _SYNTAX, known("promptfoo")), item.span)
            return
        inner = item.get("raw", "prompt", "content") or item.get("id")
        if isinstance(inner, Scalar):
            _prompt(found, inner, name)
        return
    if is_chat(item):
        found.add("promptfoo", name, chat_blocks(found, item, _SYNTAX, known("promptfoo")), item.span)
        return
    if not isinstance(item, Scalar):
        return
    value = item.value.strip()
    if value.startswith("file://"):
        _other_file(found, value.removeprefix("file://"), name)
    elif "{{" in value or "{%" in value:
        _text(found, item.text(), name, item)


def _text(found: Found, text: Text, name: str, item: Scalar) -> None:
    found.add("promptfoo", name, [block("", found.segments(text, _SYNTAX, known("promptfoo")))], item.span)


def _other_file(found: Found, path: str, name: str) -> None:
    """A prompt in a file of its own; kinds that are read by themselves (Jinja, chat YAML) are left to that."""
    pure = PurePosixPath(found.file.path).parent / path.partition(":")[0]
    source = found.read(str(pure)) if found.read and "*" not in path else None
    if source is None or pure.suffix.lower() not in (".txt", ".md", ".json", ".yaml", ".yml"):
        return
    span = source.span(0, len(source.text))
    if pure.suffix.lower() in (".txt", ".md"):
        for text in _prompts(verbatim(source), pure.suffix.lower()):
            place = span_of(text, 0, len(text.text))
            found.add("promptfoo", name, [block("", found.segments(text, _SYNTAX, known("promptfoo")))], place)
        return
    roots = json_source.documents(source) if pure.suffix.lower() == ".json" else documents(source)
    if roots and is_chat(roots[0]):
        found.add("promptfoo", name, chat_blocks(found, roots[0], _SYNTAX, known("promptfoo")), span)


def _prompts(whole: Text, suffix: str) -> Iterator[Text]:
    """The prompts of a text file, without white space around them; Markdown holds one."""
    ends = [match.span() for match in _PARTS.finditer(whole.text)] if suffix == ".txt" else []
    for start, end in zip(
        [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(whole.text)], strict=True
    ):
        text = cut(whole, start, end)
        lead = len(text.text) - len(text.text.lstrip())
        text = cut(text, lead, len(text.text.rstrip()))
        if text.text:
            yield text
