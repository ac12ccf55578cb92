"""A conversation that a function cuts for its callers: on each turn, or seldom where what is left is kept."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
client = OpenAI()

def shortened(messages, limit):
    total = sum(measure(m) for m in messages)
    if total <= limit:
        return messages
    used, start = 0, len(messages)
    room = {room}
    for at in range(len(messages) - 1, -1, -1):
        size = measure(messages[at])
        if used + size < room:
            used += size
            start = at
        else:
            break
    return messages[start:]

class Desk:
    def __init__(self):
        self.messages = []

    def run(self, text):
        {kept}
        self.messages.append({{"role": "user", "content": text}})
        sent = [{{"role": "system", "content": "You work at a desk."}}, *{sent}]
        answer = client.chat.completions.create(model="gpt-4o", messages=sent).choices[0].message.content
        self.messages.append({{"role": "assistant", "content": answer}})
"""
KEPT = {"kept": "self.messages = shortened(self.messages, 8000)", "sent": "self.messages"}
ANEW = {"kept": "pass", "sent": "shortened(self.messages, 8000)"}


@pytest.mark.parametrize(
    ("room", "turn", "windows"),
    [
        ("limit // 2", KEPT, []),  # it grows again until the limit is reached
        ("limit // 2", ANEW, ["messages[start:]"]),  # the whole is kept, and cut for each request
    ],
)
def test_who_keeps_what_a_function_leaves_of_a_conversation(
    room: str, turn: dict[str, str], windows: list[str]
) -> None:
    drifts = {
        segment.drift.expression
        for template in templates_of(PROGRAM.format(room=room, **turn), "desk.py")
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value) and segment.drift is not None and segment.drift.kind == "window"
    }
    assert sorted(drifts) == windows


MEMORY = """
from langchain.memory.chat_memory import BaseChatMemory
from counting import count

class {name}(BaseChatMemory):
    def fit(self):
        {taken}
        while count({listed}) > 2000:
            {cut}
        {put}

    def save_context(self, inputs, outputs):
        super().save_context(inputs, outputs)
        self.fit()
"""
TAKEN = "kept = self.chat_memory.messages"
PUT = "self.chat_memory.messages = kept"


@pytest.mark.parametrize(
    ("taken", "listed", "cut", "put", "told"),
    [
        (TAKEN, "kept", "kept.pop(0)", PUT, True),
        (TAKEN, "kept", "kept.pop(0)", "pass", True),
        (TAKEN, "kept", "kept.pop()", PUT, False),
        (TAKEN, "kept", "kept = squeezed(kept)", PUT, False),
        ("kept = self.chat_memory.prices", "kept", "kept.pop(0)", "self.chat_memory.prices = kept", False),
    ],
)
def test_a_conversation_that_a_part_of_an_object_holds(taken: str, listed: str, cut: str, put: str, told: bool) -> None:
    program = MEMORY.format(name="Buffer", taken=taken, listed=listed, cut=cut, put=put)
    drifts = [
        part.drift.kind
        for template in templates_of(program)
        for block in template.blocks
        for part in walk(block.segments)
        if isinstance(part, Value) and part.drift is not None
    ]
    assert drifts == (["window"] if told else [])
