"""Keeps what the stub clients are asked, as the text that an engine would see: tools, system, messages.

Each part is introduced by ``\\x1e``, its role and ``\\x1f``; a plain prompt has the role "".
"""

from __future__ import annotations

import json

REQUESTS: list[str] = []
_ROLES = {"human": "user", "ai": "assistant", "developer": "developer"}


def part(role, text):
    return f"\x1e{_ROLES.get(role, role)}\x1f{text}"


def content(role, value):
    """A message's content: a string, or a list of blocks each of which is a part of its own."""
    if isinstance(value, str):
        return part(role, value)
    if not isinstance(value, list | tuple):
        raise TypeError(f"content has to be a string or a list, not {type(value).__name__}")
    return "".join(part(role, block if isinstance(block, str) else block["text"]) for block in value)


def message(value):
    if not isinstance(value, dict):
        raise TypeError(f"a message has to be a dict, not {type(value).__name__}")
    return content(value["role"], value["content"])


def record(*, tools=None, system=None, messages=(), prompt=None):
    out = ""
    if tools:
        out += part("tools", json.dumps(tools))
    if system:
        out += content("system", system)
    if isinstance(messages, str):
        out += part("user", messages)
    else:
        out += "".join(message(m) for m in messages)
    if prompt is not None:
        if not isinstance(prompt, str):
            raise TypeError(f"a prompt has to be a string, not {type(prompt).__name__}")
        out += part("", prompt)
    REQUESTS.append(out)
