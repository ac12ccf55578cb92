"""Functions that shorten a conversation for callers that the source does not show.

What is expected follows from calling each function on the conversation of two turns, the second with more messages than
it keeps: whether the second result begins with the first one.
"""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind
from prefixlint.model.segments import Drift, Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

MODEL = "# What the language model is sent.\n"

RETURNED = """
def trim(messages, keep):
    if len(messages) <= keep:
        return messages
    return messages[-keep:]
"""
OF_A_CLASS = """
class TurnLimiter:
    def __init__(self, turns):
        self.turns = turns

    def apply(self, history):
        rest = [m for m in history if m.role != "system"]
        return [m for m in history if m.role == "system"] + rest[-self.turns:]
"""
HEAD_KEPT = """
def truncate(messages, limit):
    first = messages[0] if messages[0].role == "system" else None
    newest = messages[-limit:]
    return [first, *newest] if first else newest
"""
STORED = """
from framework import Conversation

class Short(Conversation):
    keep: int = 12

    def reduce(self):
        history = self.messages
        if len(history) <= self.keep:
            return None
        self.messages = history[-self.keep:]
        return self
"""
MARGIN_OF_NONE = """
from framework import Conversation

class Short(Conversation):
    def reduce(self):
        if len(self.messages) <= self.keep + (self.margin or 0):
            return
        self.messages = self.messages[-self.keep:]
"""
PLACE_FOUND = """
from framework import Conversation

def place(history, number):
    total = len(history)
    at = total - number
    while at > 0 and history[at].is_result:
        at -= 1
    return at

class Short(Conversation):
    def reduce(self):
        if len(self.messages) <= self.keep:
            return None
        start = place(self.messages, self.keep)
        shorter = self.messages[start:]
        if self.head is not None and all(m is not self.head for m in shorter):
            shorter = [self.head, *shorter]
        self.messages = shorter
"""
IN_A_HELPER = """
from framework import Conversation

class Short(Conversation):
    def reduce(self):
        if len(self.messages) > self.most:
            self.messages = self.newest(self.messages, self.most)

    def newest(self, messages, number):
        return messages[-number:]
"""

CALLED_AT_THE_LIMIT = (
    RETURNED
    + """
def prepare(store, most):
    messages = store.load()
    if len(messages) > most:
        messages = trim(messages, most)
    store.save(messages)
"""
)

ROOM = RETURNED  # of people alone: nothing in its module speaks of a model
HALVES = """
from framework import Conversation

class Short(Conversation):
    def reduce(self):
        if len(self.messages) <= 2 * self.keep:
            return None
        self.messages = self.messages[-self.keep:]
"""
HALVES_IN_A_HELPER = IN_A_HELPER.replace("len(self.messages) > self.most", "len(self.messages) > 3 * self.most")
CALLED_SELDOM = CALLED_AT_THE_LIMIT.replace("> most", "> 3 * most")
MARGIN = MARGIN_OF_NONE.replace("(self.margin or 0)", "self.margin")
FIXED_PLACE = """
def trim(messages, start):
    return messages[start:]
"""
NEWEST_ALONE = """
def trim(messages):
    return messages[-1:]
"""
FOR_A_TITLE = """
def title_source(messages):
    return messages[-4:]
"""
LOOKED_AT = """
from watching import Told

class Watch:
    def look(self, messages):
        newest = messages[-3:]
        if newest[0] == newest[2]:
            self.told = Told("repeated", newest)
            return True
        return False
"""
OF_FAILURES = """
class Runner:
    def record(self, failure):
        self.failure_history.append(failure)
        if len(self.failure_history) > 50:
            self.failure_history = self.failure_history[-50:]
"""
BOUNDED_QUEUE = """
from collections import deque

class Task:
    def __init__(self, agent, config):
        self.agent = agent
        self.history = deque(maxlen=config.most)

    def saw(self, answer):
        self.history.append(hash(answer))

    def finish(self, start, end):
        dropped = self.agent.message_history[start + 2 : end - 1]
        return len(dropped)
"""
SHOWN = """
from dataclasses import dataclass

@dataclass
class Overview:
    recent_messages: list

class Page:
    async def show(self, history):
        self.history_overview = overview(history)

def overview(messages):
    return Overview(recent_messages=[m.text for m in messages[-5:]])
"""
ONE_LEFT = """
def truncate(messages, most):
    rest = []
    for message in messages:
        if message.role != "system":
            rest.append(message)
    while total > most and (len(rest) > 1 or len(rest[0].content) > 1):
        if len(rest[0].content) > 1 and rest[0].kind != "tool":
            pass
        else:
            rest.pop(0)
    if total > most:
        rest = [ChatMessage(content=[{"type": "text", "text": shortened}], role=role)]
    return instructions + rest if instructions else rest
"""
WHOLE = """
def trim(messages, keep):
    return list(messages)
"""


def cuts(program: str) -> list[Drift]:
    segments = [s for one in templates_of(program) for block in one.blocks for s in walk(block.segments)]
    return [s.drift for s in segments if isinstance(s, Value) and s.drift is not None and s.drift.kind == "window"]


@pytest.mark.parametrize(
    ("program", "cut"),
    [
        (RETURNED, "messages[-keep:]"),
        (OF_A_CLASS, "rest[-self.turns:]"),
        (HEAD_KEPT, "messages[-limit:]"),
        (STORED, "history[-self.keep:]"),
        (MARGIN_OF_NONE, "self.messages[-self.keep:]"),
        (PLACE_FOUND, "self.messages[start:]"),
        (IN_A_HELPER, "messages[-number:]"),
        (CALLED_AT_THE_LIMIT, "messages[-keep:]"),
        (ONE_LEFT, "rest.pop(0)"),
    ],
)
def test_a_function_that_gives_the_end_of_a_conversation_back_is_a_window(program: str, cut: str) -> None:
    assert [drift.expression for drift in cuts(MODEL + program)] == [cut]


@pytest.mark.parametrize(
    "program",
    [
        ROOM,
        MODEL + HALVES,
        MODEL + HALVES_IN_A_HELPER,
        MODEL + CALLED_SELDOM,
        MODEL + MARGIN,
        MODEL + FIXED_PLACE,
        MODEL + NEWEST_ALONE,
        MODEL + FOR_A_TITLE,
        MODEL + LOOKED_AT,
        MODEL + OF_FAILURES,
        MODEL + BOUNDED_QUEUE,
        MODEL + SHOWN,
        MODEL + WHOLE,
    ],
)
def test_what_is_cut_seldom_or_for_something_else_is_none(program: str) -> None:
    assert cuts(program) == []


HEAD_LOOKED_FOR = """
def trim(history, keep):
    at = next((i for i, m in enumerate(history) if m.role == "system"), -1)
    return [history[at], *history[-keep:]]
"""


def test_the_message_that_stays_in_front_is_the_same_each_time() -> None:
    (template,) = templates_of(MODEL + HEAD_LOOKED_FOR)
    head, kept = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]
    assert head.lifetime is Lifetime.SESSION
    assert kept.drift is not None


SUMMED_UP = """
{base}
    async def reduce(self):
        history = self.messages
        if len(history) <= {limit}:
            return
        summary = await self._summarize(history[:-self.keep])
        self.messages = [summary, *history[-self.keep:]]

    async def _summarize(self, messages):
        return await self.service.complete(messages)
"""


BASES = {
    "inherited": "from framework import Conversation\n\nclass Short(Conversation):",
    "its own": """
class Short:
    def __init__(self, service, keep):
        self.service, self.keep, self.messages = service, keep, []

    async def add(self, text):
        self.messages.append({"role": "user", "content": text})
        await self.reduce()
""",
}


@pytest.mark.parametrize("base", BASES)
def test_a_summary_is_made_as_often_as_the_conversation_is_cut(base: str) -> None:
    (template,) = templates_of(MODEL + SUMMED_UP.format(base=BASES[base], limit="self.keep"))
    summary, kept = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]
    assert (summary.origin.kind, summary.confidence) == (SourceKind.SUMMARY, Confidence.CERTAIN)
    assert kept.drift is not None
    assert kept.drift.kind == "window"
    assert templates_of(MODEL + SUMMED_UP.format(base=BASES[base], limit="self.keep + 20")) == ()


STORE = """
class Store:
    def clip(self, conversation, most):
        return conversation[-most:]

    def add(self, key, message, most):
        self.talks[key] = self.clip([*self.talks[key], message], most)
        return self.talks[key]
"""
CALLER = "def answer(store, message):\n    return store.add('desk', message, 20)\n"


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("# For the assistant at the desk.\n", ["conversation[-most:]"]),
        ("# For the people at the desk.\n", []),
    ],
)
def test_a_store_that_a_module_calls_which_speaks_of_models(said: str, found: list[str]) -> None:
    files = [SourceFile("store.py", STORE), SourceFile("desk.py", said + CALLER)]
    templates = [t for one in analyse(files, lambda _: None).values() for t in one.templates]
    drifts = [s.drift for t in templates for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert [drift.expression for drift in drifts if drift is not None] == found
