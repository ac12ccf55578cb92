"""YAML without a format of its own: role lists, and texts under prompt-like keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats.chats import chat_blocks, chat_texts, is_chat
from prefixlint.frontends.promptfiles.placeholders import live_syntax
from prefixlint.frontends.promptfiles.recognise import MARKUP, addresses_model, is_prompt_key, named_prompt, prose
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, Sequence_
from prefixlint.knowledge.names import split_words
from prefixlint.model.lifetimes import Confidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.frontends.promptfiles.formats.common import Found

_SYSTEM_KEYS = ("system", "system_prompt", "system_message", "system_template", "system_instruction", "systemPrompt")
_USER_KEYS = ("user", "user_prompt", "user_message", "user_template", "human", "userPrompt", "prompt", "template")
_PROMPT_WORDS = frozenset({"prompt", "prompts", "instruction", "instructions", "template", "system"})
_SKIPPED_KEYS = frozenset(
    {"description", "name", "title", "id", "version", "url", "author", "comment", "notes", "model"}
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may be a prompt, with its path of keys: empty where it is all that the document holds."""

    path: tuple[str, ...]
    node: Scalar

    @property
    def key(self) -> str:
        return self.path[-1] if self.path else ""

    @property
    def name(self) -> str:
        return ".".join(self.path)


def read(found: Found, roots: Sequence[Node]) -> None:
    """Templates of YAML documents that no other format claims."""
    place = named_prompt(found.file.path)
    chats = [chat for root in roots for chat in _chats(root, (), set())]
    chat_items = {id(item) for _, chat in chats for item in chat.items}
    texts = [text for root in roots for text in _texts(root, (), set(), chat_items)]
    contents = [node.value for _, chat in chats for node in chat_texts(chat)]
    syntax = live_syntax([*contents, *(text.node.value for text in texts if _is_prompt(text, place) is not None)])
    for path, chat in chats:
        _add_chat(found, path, chat, syntax, place)
    if not syntax:
        return
    for group in _grouped(texts):
        judged = [(text, _is_prompt(text, place)) for text in group]
        held = [text for text, confidence in judged if confidence is not None]
        if not held:
            continue
        sure = any(confidence is Confidence.HIGH for _, confidence in judged)
        system = [text for text in held if text.key in _SYSTEM_KEYS]
        if len(held) > 1 and system:
            others = [text for text in held if text not in system]
            blocks = [found.block(text.node, "system", syntax) for text in system]
            blocks += [found.block(text.node, "user", syntax) for text in others]
            name, start, end = ".".join(held[0].path[:-1]), held[0].node.start, held[-1].node.end
        else:
            role = "system" if system else ""
            blocks = [found.block(held[0].node, role, syntax)]
            name, start, end = held[0].name, held[0].node.start, held[0].node.end
        found.add(
            "yaml-prompt" if syntax != "jinja" else "yaml-jinja",
            name or held[0].name,
            blocks,
            found.file.span(start, end),
            confidence=Confidence.HIGH if sure else Confidence.LOW,
        )


def _grouped(texts: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """System and user texts that stand side by side make one prompt; all others stand alone."""
    by_parent: dict[tuple[str, ...], list[Candidate]] = {}
    for text in texts:
        by_parent.setdefault(text.path[:-1], []).append(text)
    for siblings in by_parent.values():
        pair = [text for text in siblings if text.key in _SYSTEM_KEYS][:1]
        users = [text for text in siblings if text.key in _USER_KEYS][:1]
        if pair and users:
            yield pair + users
            siblings = [text for text in siblings if text not in pair and text not in users]
        for text in siblings:
            yield [text]


def _is_prompt(text: Candidate, place: bool) -> Confidence | None:
    value = text.node.value
    if any(is_prompt_key(part) for part in text.path):
        return Confidence.HIGH
    if len(value) < 20 or MARKUP.search(value):
        return None
    key = text.key
    if key.lower() in _SKIPPED_KEYS:
        return None
    marks = prose(value)
    words = {word for part in text.path for word in split_words(part)}
    if ("prompt" in words or "prompts" in words) and marks >= 2:
        return Confidence.HIGH
    if place and (marks >= 2 or addresses_model(value)):
        return Confidence.HIGH
    if _PROMPT_WORDS & set(split_words(key)) and (marks >= 4 or addresses_model(value)):
        return Confidence.HIGH
    if marks >= 7 and addresses_model(value):
        return Confidence.LOW
    return None


def _chats(node: Node, path: tuple[str, ...], seen: set[int]) -> Iterator[tuple[tuple[str, ...], Sequence_]]:
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, Mapping_):
        for key, value in node.items():
            yield from _chats(value, (*path, key), seen)
    elif isinstance(node, Sequence_):
        if is_chat(node):
            yield path, node
            return
        for at, item in enumerate(node.items):
            yield from _chats(item, (*path, _item_name(item, at)), seen)


def _item_name(item: Node, at: int) -> str:
    if isinstance(item, Mapping_):
        return item.string("name", "id", "task", "key") or str(at)
    return str(at)


def _texts(node: Node, path: tuple[str, ...], seen: set[int], skip: set[int]) -> Iterator[Candidate]:
    if id(node) in seen or id(node) in skip:
        return
    seen.add(id(node))
    if isinstance(node, Scalar):
        if node.is_text:
            yield Candidate(path, node)
    elif isinstance(node, Mapping_):
        for key, value in node.items():
            yield from _texts(value, (*path, key), seen, skip)
    else:
        for at, item in enumerate(node.items):
            yield from _texts(item, (*path, _item_name(item, at)), seen, skip)


def _add_chat(found: Found, path: tuple[str, ...], chat: Sequence_, syntax: str, place: bool) -> None:
    contents = list(chat_texts(chat))
    marks = prose("\n".join(node.value for node in contents))
    if not place and marks < 3:
        return
    blocks = chat_blocks(found, chat, syntax)
    found.add(
        "yaml-chat",
        ".".join(path) or "messages",
        blocks,
        chat.span,
        confidence=Confidence.HIGH if place or "messages" in path or "prompt" in path else Confidence.LOW,
    )
