"""YAML and JSON whose root holds ``messages``: GitHub Models prompts (``*.prompt.yml``) and chat files of others."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats.chats import chat_blocks, chat_texts, is_chat
from prefixlint.frontends.promptfiles.formats.front_matter import model_in
from prefixlint.frontends.promptfiles.placeholders import live_syntax

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.yaml_source import Mapping_

_GITHUB = ("testData", "modelParameters", "evaluators")
"""Keys that only files of GitHub Models have."""


def read(found: Found, root: Mapping_) -> bool:
    messages = root.get("messages")
    pure = PurePosixPath(found.file.path)
    github = pure.name.endswith((".prompt.yml", ".prompt.yaml")) or root.get(*_GITHUB) is not None
    if messages is None or not is_chat(messages) or not (github or root.string("format") == "chat"):
        return False
    syntax = "double-brace" if github else live_syntax(text.value for text in chat_texts(messages))
    found.add(
        "github-models" if github else "yaml-chat",
        root.string("name") or pure.name.partition(".")[0],
        chat_blocks(found, messages, syntax),
        messages.span,
        model=model_in(root),
        constant_too=True,
    )
    return True
