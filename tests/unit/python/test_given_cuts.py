"""Conversations that functions cut which they were given, and that nothing in the program is seen to send.

What is expected follows from running each program by hand on a conversation of more messages than it keeps, with two
more on each turn.
"""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Value, walk
from python_support import templates_of


def windows(program: str) -> list[str]:
    return [
        segment.drift.expression
        for template in templates_of(program)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value) and segment.drift is not None and segment.drift.kind == "window"
    ]


MOVED_ON = """
def reduce(self, agent):
    messages = agent.messages
    start = {start}
    while start < len(messages) and messages[start]["role"] != "user":
        start += 1
    messages[:] = messages[start:]
"""
UNDER = """
def keep(self, messages):
    if len(messages) {compared}:
        {cut}
    return messages
"""


@pytest.mark.parametrize(
    ("program", "cut"),
    [
        (MOVED_ON.format(start="len(messages) - self.size"), ["messages[start:]"]),
        (MOVED_ON.format(start="2 if len(messages) <= 40 else len(messages) - 40"), ["messages[start:]"]),
        (MOVED_ON.format(start="max(0, len(messages) - self.size)"), ["messages[start:]"]),
        # Where it starts at the front, or at a place of which nothing is known, the conversation may be whole.
        (MOVED_ON.format(start="0"), []),
        (MOVED_ON.format(start="len(self.notes) - self.size"), []),
        (UNDER.format(compared="> 20", cut="messages[:] = messages[-20:]"), ["messages[-20:]"]),
        (UNDER.format(compared="> 20", cut="del messages[:-20]"), ["messages[:-20]"]),
        (UNDER.format(compared="> 20", cut="messages[1:] = messages[-19:]"), ["messages[-19:]"]),
        (UNDER.format(compared="> 40", cut="messages[:] = messages[-20:]"), []),
        # Another list, which only the caller of the next line sees.
        (UNDER.format(compared="> 20", cut="messages = messages[-20:]"), []),
        (UNDER.format(compared="> 20", cut="self.seen[:] = self.seen[-20:]"), []),
        ("def keep(self, agent):\n    agent.history = agent.history[-12:]\n", ["agent.history[-12:]"]),
        ("def keep(self, agent):\n    agent.scores = agent.scores[-12:]\n", []),
        ("def keep(self, job):\n    job.state.run_history = job.state.run_history[-12:]\n", []),
        ("def keep(self, agent):\n    agent.shown = agent.history[-12:]\n", []),
        ("def keep(self, agent, size):\n    if len(agent.history) <= 2 * size:\n        return\n"
         "    agent.history = agent.history[-size:]\n", []),
    ],
)  # fmt: skip
def test_a_conversation_cut_where_it_stands(program: str, cut: list[str]) -> None:
    lines = "".join(f"    {line}\n" for line in program.strip().splitlines())
    assert windows(f"class Keeper:\n    prompt = ''\n{lines}") == cut


FITTED = """
def fit(self, messages):
    while True:
        tokens = self.counter.count(messages)
        if tokens <= self.max_tokens:
            return messages
        {taken}
"""


@pytest.mark.parametrize(
    ("taken", "cut"),
    [
        ("messages = self.drop_oldest(messages)", ["self.drop_oldest(messages)"]),
        ("messages = await self.truncate(messages)", ["self.truncate(messages)"]),
        ("messages.pop(0)", ["messages.pop(0)"]),
        # Many messages by one that stands for them; another model's answer.
        ("messages = self.trim_and_summarize(messages)", []),
        ("messages = self.answer(messages)", []),
    ],
)
def test_a_conversation_taken_from_until_its_tokens_fit(taken: str, cut: list[str]) -> None:
    start = "async def" if "await" in taken else "def"
    lines = "".join(f"    {line}\n" for line in FITTED.format(taken=taken).strip().splitlines())
    assert windows(f"class Keeper:\n    prompt = ''\n{lines.replace('def', start, 1)}") == cut


WRITTEN = """
def shorten(chat_history, keep_words=500):
    if chat_history is None or len(chat_history) == 0:
        return chat_history
    {split}
    tokens = len(chat_history.split())
    while tokens >= keep_words:
        tokens -= len(lines[0].split())
        lines = lines[{first}:]
    return "\\n".join(lines)  # a prompt's
"""


@pytest.mark.parametrize(
    ("split", "first", "cut"),
    [
        ("lines = chat_history.split('\\n')", 1, ["lines[1:]"]),
        ("lines = chat_history.splitlines()", 2, ["lines[2:]"]),
        ("lines = chat_history.splitlines()", 40, []),
        ("lines = chat_history.report.split('\\n')", 1, []),
    ],
)
def test_the_first_lines_taken_from_a_conversation_that_is_a_text(split: str, first: int, cut: list[str]) -> None:
    assert windows(WRITTEN.format(split=split, first=first)) == cut
