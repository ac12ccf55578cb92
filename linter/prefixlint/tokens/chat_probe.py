"""Whether a chat template rewrites a conversation that goes on: found by rendering one with reasoning twice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from prefixlint.tokens.chat_arguments import chat_arguments, keep_reasoning
from prefixlint.tokens.chat_render import ChatTemplateError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from prefixlint.tokens.chat_render import ChatTemplate


_THOUGHT = "First the depot, then the road."
_ASKED = {"role": "user", "content": "Where is my parcel?"}
_NEXT = {"role": "user", "content": "When will it come?"}
_CALL = {"type": "function", "id": "a1b2c3d4e", "function": {"name": "find", "arguments": {"number": "17"}}}
_TOOL = {"type": "function", "function": {"name": "find", "description": "Finds.", "parameters": {"type": "object"}}}


@dataclass(frozen=True, slots=True)
class Reasoning:
    """``removed``: the reasoning of an answer is gone from the prompt once the user has said something more.
    ``kept_by`` are the arguments of the template that keep it, as ``name=value``."""

    removed: bool
    kept_by: tuple[str, ...] = ()


@cache
def reasoning(template: ChatTemplate, engine: str, now: datetime) -> Reasoning:
    """What ``template`` does to the reasoning of earlier answers as ``engine`` calls it.

    Three conversations are tried: reasoning in a field of its own, in the text, and in front of a tool call. One that
    the template refuses says nothing.
    """
    arguments = chat_arguments(engine, now)
    if not _removed(template, now, arguments):
        return Reasoning(False)
    kept = [
        f"{name}={str(value).lower()}"
        for name, value in keep_reasoning()
        if not _removed(template, now, {**arguments, name: value})
    ]
    return Reasoning(True, tuple(kept))


def _removed(template: ChatTemplate, now: datetime, arguments: Mapping[str, Any]) -> bool:
    thought = {"reasoning_content": _THOUGHT, "reasoning": _THOUGHT}
    answered = {"role": "assistant", "content": "In Lyon.", **thought}
    inline = {"role": "assistant", "content": f"<think>\n{_THOUGHT}\n</think>\n\nIn Lyon."}
    called = {"role": "assistant", "content": "", **thought, "tool_calls": [_CALL]}
    found = {"role": "tool", "name": "find", "tool_call_id": "a1b2c3d4e", "content": "Lyon"}
    said = {"role": "assistant", "content": "In Lyon."}

    def holds(*chat: dict[str, Any], generation: bool = True) -> bool | None:
        return _holds(template, chat, now, arguments, generation)

    return (
        # A template without a field for reasoning never shows it: its model writes none there.
        (holds(_ASKED, answered, generation=False) is True and holds(_ASKED, answered, _NEXT) is False)
        or holds(_ASKED, inline, _NEXT) is False
        or (holds(_ASKED, called, found) is True and holds(_ASKED, called, found, said, _NEXT) is False)
    )


def _holds(
    template: ChatTemplate,
    chat: Sequence[dict[str, Any]],
    now: datetime,
    arguments: Mapping[str, Any],
    generation: bool,
) -> bool | None:
    """Whether the reasoning stands in the rendered chat; None where the template refuses it."""
    tools = [_TOOL] if any("tool_calls" in message for message in chat) else None
    try:
        return _THOUGHT in template.render(chat, tools=tools, now=now, generation=generation, arguments=arguments)
    except ChatTemplateError:
        return None
