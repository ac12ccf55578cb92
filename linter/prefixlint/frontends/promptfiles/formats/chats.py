"""Lists of messages with a role and a text, as many formats hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.facts import Names, named
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, Sequence_
from prefixlint.knowledge.roles import role_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.templates import Block

_CONTENT = ("content", "text", "template", "prompt", "_content")


def role_of(item: Mapping_) -> str:
    return item.string("role", "type", "_role").lower()


def is_chat(node: Node | None) -> bool:
    """True for a list of messages, each with a known role and a text."""
    if not isinstance(node, Sequence_) or not node.items:
        return False
    return all(
        isinstance(item, Mapping_) and role_of(item) in role_words() and item.get(*_CONTENT) is not None
        for item in node.items
    )


def message_texts(item: Node) -> Iterator[Scalar]:
    """Texts of one message: its content, or the text parts of its content."""
    content = item.get(*_CONTENT) if isinstance(item, Mapping_) else None
    if isinstance(content, Scalar):
        yield content
    elif isinstance(content, Sequence_):
        for part in content.items:
            inner = part.get("text") if isinstance(part, Mapping_) else part
            if isinstance(inner, Scalar):
                yield inner


def chat_texts(chat: Node) -> Iterator[Scalar]:
    if isinstance(chat, Sequence_):
        for item in chat.items:
            yield from message_texts(item)


def chat_blocks(found: Found, chat: Node | None, syntax: str, names: Names = named) -> list[Block | None]:
    """Blocks of a list that ``is_chat``."""
    blocks: list[Block | None] = []
    if isinstance(chat, Sequence_):
        for item in chat.items:
            if isinstance(item, Mapping_):
                blocks += [found.block(text, role_of(item), syntax, names) for text in message_texts(item)]
    return blocks
