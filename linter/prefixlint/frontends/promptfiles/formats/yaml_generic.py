"""YAML and JSON without a format of its own: role lists, and texts under prompt-like keys."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.file_kinds import is_prompt_key, named_prompt
from prefixlint.frontends.promptfiles.formats.chats import chat_blocks, chat_texts, is_chat
from prefixlint.frontends.promptfiles.placeholders import live_syntax
from prefixlint.frontends.promptfiles.wording import addresses_model, is_page, prose
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, Sequence_
from prefixlint.knowledge.names import split_words
from prefixlint.model.lifetimes import Confidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.frontends.promptfiles.formats.common import Found

_SYSTEM = re.compile(r"(?:(.*?)_)?sys(?:tem)?(?:_?(?:prompt|message|template|instructions?))?", re.IGNORECASE)
_USER = re.compile(r"(?:(.*?)_)?(?:user(?:_?(?:prompt|message|template))?|human)|prompt|template", re.IGNORECASE)
"""Keys of the two texts of one prompt; the first group is a name that both bear."""
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

    @property
    def is_system(self) -> bool:
        return _SYSTEM.fullmatch(self.key) is not None


@dataclass(frozen=True, slots=True)
class Judge:
    """Tells which texts are prompts. ``place``: the file calls itself one. ``keys``: only texts under these keys count,
    at low confidence."""

    place: bool
    keys: re.Pattern[str] | None = None

    def confidence(self, text: Candidate) -> Confidence | None:
        """How sure it is that a text is a prompt; None when it is none."""
        if self.keys is not None:
            value = text.node.value
            known = self.keys.fullmatch(text.key) is not None and (addresses_model(value) or prose(value) >= 4)
            return Confidence.LOW if known else None
        return self._by_words(text)

    def is_pair(self, group: Sequence[Candidate]) -> bool:
        """Whether texts under "system" and "user", side by side, are the two of a prompt by what they say; one of them
        may be empty."""
        whole = "\n".join(text.node.value for text in group)
        marks = prose(whole)
        return self.keys is None and not is_page(whole) and (marks >= 4 or (marks > 1 and addresses_model(whole)))

    def _by_words(self, text: Candidate) -> Confidence | None:
        value = text.node.value
        if any(is_prompt_key(part) for part in text.path):
            return Confidence.HIGH
        if len(value) < 20 or is_page(value):
            return None
        key = text.key
        if key.lower() in _SKIPPED_KEYS:
            return None
        marks = prose(value)
        words = {word for part in text.path for word in split_words(part)}
        if ("prompt" in words or "prompts" in words) and marks >= 2:
            return Confidence.HIGH
        if self.place and (marks >= 2 or addresses_model(value)):
            return Confidence.HIGH
        if _PROMPT_WORDS & set(split_words(key)) and (marks >= 4 or addresses_model(value)):
            return Confidence.HIGH
        if marks >= 7 and addresses_model(value):
            return Confidence.LOW
        return None


def read(found: Found, roots: Sequence[Node], keys: re.Pattern[str] | None = None) -> None:
    """Templates of documents that no other format claims; with ``keys``, of texts under such keys alone."""
    judge = Judge(named_prompt(found.file.path), keys)
    chats = [chat for root in roots for chat in _chats(root, (), set())]
    chat_items = {id(item) for _, chat in chats for item in chat.items}
    texts = [text for root in roots for text in _texts(root, (), set(), chat_items)]
    prompts = {id(text.node): judge.confidence(text) for text in texts}
    contents = [node.value for _, chat in chats for node in chat_texts(chat)]
    groups = list(_grouped(texts))
    for group in groups:
        if len(group) > 1 and judge.is_pair(group):
            prompts.update((id(text.node), Confidence.HIGH) for text in group if text.node.value.strip())
    syntax = live_syntax([*contents, *(text.node.value for text in texts if prompts[id(text.node)] is not None)])
    if not syntax:
        # A short question below a long system text says little by itself, but may hold all that is filled in.
        held = [text.node.value for group in groups if prompts[id(group[0].node)] is not None for text in group]
        syntax = live_syntax(held)
    used = {id(node) for path, chat in chats for node in _add_chat(found, path, chat, syntax, judge, texts)}
    if not syntax:
        return
    for group in groups:
        if id(group[0].node) not in used:
            _add_group(found, group, prompts, syntax)


def _add_group(found: Found, group: Sequence[Candidate], prompts: dict[int, Confidence | None], syntax: str) -> None:
    system = [text for text in group if text.is_system]
    if len(group) > 1 and prompts[id(system[0].node)] is not None:
        held = list(group)
    else:
        held = [text for text in group if prompts[id(text.node)] is not None]
    if not held:
        return
    sure = any(prompts[id(text.node)] is Confidence.HIGH for text in held)
    if len(held) > 1:
        blocks = [found.block(text.node, "system" if text.is_system else "user", syntax) for text in held]
        name = ".".join(held[0].path[:-1])
    else:
        blocks = [found.block(held[0].node, "system" if held[0].is_system else "", syntax)]
        name = held[0].name
    found.add(
        "yaml-prompt" if syntax != "jinja" else "yaml-jinja",
        name or held[0].name,
        blocks,
        found.file.span(min(text.node.start for text in held), max(text.node.end for text in held)),
        confidence=Confidence.HIGH if sure else Confidence.LOW,
    )


def _grouped(texts: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """System and user texts that stand side by side make one prompt, the system text first; all others stand alone."""
    by_parent: dict[tuple[str, ...], list[Candidate]] = {}
    for text in texts:
        by_parent.setdefault(text.path[:-1], []).append(text)
    for siblings in by_parent.values():
        users: dict[str, Candidate] = {}
        for text in siblings:
            match = _USER.fullmatch(text.key)
            if match is not None:
                users.setdefault((match.group(1) or "").lower(), text)
        taken: set[int] = set()
        for text in siblings:
            match = _SYSTEM.fullmatch(text.key)
            user = users.pop((match.group(1) or "").lower(), None) if match is not None else None
            if user is not None:
                taken |= {id(text), id(user)}
                yield [text, user]
        yield from ([text] for text in siblings if id(text) not in taken)


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


def _add_chat(
    found: Found,
    path: tuple[str, ...],
    chat: Sequence_,
    syntax: str,
    judge: Judge,
    texts: Sequence[Candidate],
) -> list[Scalar]:
    """Adds a list of messages, and the system text beside it, which is given back."""
    contents = list(chat_texts(chat))
    beside = [text for text in texts if text.path[:-1] == path[:-1] and text.is_system][:1]
    system = [text for text in beside if judge.confidence(text) is not None]
    marks = prose("\n".join([*(text.node.value for text in system), *(node.value for node in contents)]))
    if (not judge.place and marks < 3) or (judge.keys is not None and not system):
        return []
    blocks = [*(found.block(text.node, "system", syntax) for text in system), *chat_blocks(found, chat, syntax)]
    sure = judge.keys is None and (judge.place or "messages" in path or "prompt" in path)
    found.add(
        "yaml-chat",
        ".".join(path) or "messages",
        blocks,
        chat.span,
        confidence=Confidence.HIGH if sure else Confidence.LOW,
    )
    return [text.node for text in system]
