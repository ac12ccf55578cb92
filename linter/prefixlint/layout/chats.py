"""A request as its model's chat template writes it, with each piece of the prompt at its place in that text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import count, groupby
from typing import TYPE_CHECKING, Any

from prefixlint.layout.messages import Message, Part
from prefixlint.layout.samples import turns
from prefixlint.tokens.chat_arguments import chat_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from prefixlint.tokens.chat_render import ChatTemplate

HISTORY = "history"
"""Role of a block that stands for a whole conversation."""

# Two characters for private use around a number: no template looks for them, none is white space.
_MARK = re.compile("\ue0f0([0-9]+)\ue0f1")


class NotPlaced(Exception):
    """The chat template does something to the contents that cannot be followed; the message says what."""


@dataclass(frozen=True, slots=True)
class ThroughTemplate:
    """A chat template as ``engine`` calls it at the time ``now``."""

    template: ChatTemplate
    now: datetime
    engine: str

    def lay(self, messages: Sequence[Message]) -> Message:
        """The whole request as one message: framing as parts without a piece, the pieces between them.

        Raises ``NotPlaced`` where contents cannot be found again, ``ChatTemplateError`` where the template refuses.
        """
        slots = tuple(_slots(messages))
        text = self._render(slots, lambda slot: slot.text)
        frames, order = _frames(self._render(slots, lambda slot: f"\ue0f0{slot.number}\ue0f1"))
        if sorted(order) != list(range(len(slots))):
            odd = next(slot for slot in slots if order.count(slot.number) != 1)
            times = "leaves out" if odd.number not in order else "repeats"
            raise NotPlaced(f"it {times} the {odd.role} message")
        return _assembled(messages, [slots[number] for number in order], frames, text)

    def _render(self, slots: Sequence[Slot], content: Callable[[Slot], str]) -> str:
        arguments = chat_arguments(self.engine, self.now)
        sent = _chat(slots, content)
        return self.template.render(sent["messages"], tools=sent["tools"], now=self.now, arguments=arguments)


def as_chat(messages: Sequence[Message]) -> dict[str, list[dict[str, Any]]]:
    """The request as a program sends it: the ``messages`` and ``tools`` of chat completions."""
    sent = _chat(tuple(_slots(messages)), lambda slot: slot.text)
    return {key: value for key, value in sent.items() if value}


def _chat(slots: Sequence[Slot], content: Callable[[Slot], str]) -> dict[str, list[dict[str, Any]]]:
    return {
        "messages": [{"role": slot.role, "content": content(slot)} for slot in slots if not slot.tools],
        "tools": [_tool(content(slot)) for slot in slots if slot.tools],
    }


@dataclass(frozen=True, slots=True)
class Slot:
    """One content that the template places: that of message ``message``, or one turn of it if it is a conversation."""

    number: int
    message: int
    role: str
    text: str
    tools: bool = False


def _tool(description: str) -> dict[str, Any]:
    """A tool as chat completions take it: what a prompt says of its tools stands in the description of one."""
    parameters = {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": "tool", "description": description, "parameters": parameters}}


def _slots(messages: Sequence[Message]) -> Iterator[Slot]:
    numbers = count()
    for at, message in enumerate(messages):
        if message.blocks[0][1].component == "tools":
            yield Slot(next(numbers), at, "tool", message.text, tools=True)
        elif message.role == HISTORY:
            whole = sum(bool(part.text) for part in message.parts) == 1
            for role, said in (turns(message.text) if whole else None) or [("user", message.text)]:
                yield Slot(next(numbers), at, role, said)
        else:
            yield Slot(next(numbers), at, message.role or "user", message.text)


def _frames(skeleton: str) -> tuple[list[str], list[int]]:
    """The text around the marks (one more than these), and the numbers of the marks in order."""
    pieces = _MARK.split(skeleton)
    return pieces[::2], [int(number) for number in pieces[1::2]]


@dataclass(frozen=True, slots=True)
class _Found:
    """A content in the rendered text: it starts at ``start``; ``place`` takes an offset in the content there."""

    start: int
    text: str
    place: Callable[[int], int]


def _forms(content: str) -> Iterator[tuple[str, Callable[[int], int]]]:
    """What templates make of a content: as it is, trimmed, or inside JSON; each with the way of its offsets."""
    yield content, lambda at: at
    left = len(content) - len(content.lstrip())
    for trimmed, lead in ((content.strip(), left), (content.rstrip(), 0), (content.lstrip(), left)):
        length = len(trimmed)
        yield trimmed, lambda at, lead=lead, length=length: max(0, min(at - lead, length))  # type: ignore[misc]
    for ascii_only in (False, True):
        yield _escaped(content, ascii_only), lambda at, only=ascii_only: len(_escaped(content[:at], only))  # type: ignore[misc]


def _escaped(content: str, ascii_only: bool) -> str:
    return json.dumps(content, ensure_ascii=ascii_only)[1:-1]


def _find(contents: Sequence[str], frames: Sequence[str], text: str) -> list[_Found]:
    """Each content's place in ``text``, which must be the frames with some form of the contents between them."""
    if not text.startswith(frames[0]):
        raise NotPlaced("its framing depends on what the messages say")
    ways: list[list[_Found]] = [[]]
    for number, content in enumerate(contents):
        behind, last = frames[number + 1], number + 1 == len(contents)
        reached: dict[int, list[_Found]] = {}
        for way in ways:
            at = way[-1].start + len(way[-1].text) if way else 0
            at += len(frames[number])
            for form, place in _forms(content):
                end = at + len(form)
                fits = text.startswith(form, at) and text.startswith(behind, end)
                if fits and not (last and end + len(behind) != len(text)):
                    reached.setdefault(end, [*way, _Found(at, form, place)])
        if not reached:
            raise NotPlaced("it rewrites what the messages say")
        ways = list(reached.values())
    return ways[0]


def _assembled(messages: Sequence[Message], slots: Sequence[Slot], frames: Sequence[str], text: str) -> Message:
    found = dict(zip((slot.number for slot in slots), _find([s.text for s in slots], frames, text), strict=True))
    parts: list[Part] = []
    at = 0
    for number, run in groupby(slots, key=lambda slot: slot.message):
        own, message = list(run), messages[number]
        if len(own) != sum(slot.message == number for slot in slots):
            raise NotPlaced("it takes a conversation apart")
        first, last = found[own[0].number], found[own[-1].number]
        _frame(parts, message.parts[0].block if message.parts else message.blocks[0][0], at, first.start, text)
        at, end = first.start, last.start + len(last.text)
        for part in message.parts:
            # Of a conversation one piece is all of it, from its first turn to its last.
            behind = first.start + first.place(part.end) if len(own) == 1 else end if part.text else at
            parts.append(Part(part.piece, part.block, at, behind, text[at:behind]))
            at = behind
        at = end
    _frame(parts, parts[-1].block if parts else 0, at, len(text), text)
    return Message("", tuple(block for message in messages for block in message.blocks), tuple(parts))


def _frame(parts: list[Part], block: int, start: int, end: int, text: str) -> None:
    if end > start:
        parts.append(Part(None, block, start, end, text[start:end]))
