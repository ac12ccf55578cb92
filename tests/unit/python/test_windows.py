"""Ways of sending only the end of a conversation, other than a slice of the list.

What is expected follows from running each program by hand for two turns, with more messages than it keeps.
"""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Drift, Repeat, Value, walk
from prefixlint.model.sources import SourceFile

HEAD = """
import functools
import itertools
from collections import deque
from openai import OpenAI
client = OpenAI()
SYSTEM = {"role": "system", "content": "You are the lamplighter of a harbour and tell ships the way in."}
"""
SEND = "    return client.chat.completions.create(model='gpt-4o', messages={messages})\n"


def conversations(body: str, messages: str = "") -> list[Value | Repeat]:
    source = HEAD + body + (SEND.format(messages=messages) if messages else "")
    found = analyse([SourceFile("harbour.py", source)], lambda path: None)
    blocks = [block for extraction in found.values() for one in extraction.templates for block in one.blocks]
    segments = [segment for block in blocks for segment in walk(block.segments)]
    return [s for s in segments if isinstance(s, Value | Repeat) and (s.grows or s.drift is not None)]


def windows(body: str, messages: str = "") -> list[Drift]:
    """The windows of the conversation in the one template; a conversation there must be."""
    found = conversations(body, messages)
    assert found
    return [s.drift for s in found if s.drift is not None and s.drift.kind == "window"]


@pytest.mark.parametrize(
    "start",
    ["max(0, len(history) - n)", "max(len(history) - 6, 0)", "first if first > 0 else 0", "first"],
)
@pytest.mark.parametrize(
    "built",
    [
        "    past = [history[i] for i in range({start}, len(history))]\n",
        "    past = []\n    for i in range({start}, len(history)):\n        past.append(history[i])\n",
    ],
)
def test_a_loop_over_the_last_places_keeps_the_end(start: str, built: str) -> None:
    body = "def turn(history, n):\n    first = len(history) - n\n" + built.format(start=start)
    (drift,) = windows(body, "[SYSTEM, *past]")
    assert drift.expression == f"range({start}, len(history))"


@pytest.mark.parametrize("places", ["range(len(history))", "range(0, len(history))", "range(1, len(history))"])
def test_a_loop_over_all_places_keeps_the_whole(places: str) -> None:
    body = f"def turn(history):\n    past = [history[i] for i in {places}]\n"
    found = conversations(body, "[SYSTEM, *past]")
    assert [(one.grows, one.drift) for one in found] == [(True, None)]


PAIRS = """
def turn(history, n):
    first = max(0, len(history) - n)
    pairs = [
        [{"role": "user", "content": history[i].asked}, {"role": "assistant", "content": history[i].told}]
        for i in range(first, len(history))
    ]
"""
FLAT = """
def flat(lists):
    out = []
    for one in lists:
        out += one
    return out
"""


@pytest.mark.parametrize(
    "flattened",
    [
        "[one for pair in pairs for one in pair]",
        "sum(pairs, [])",
        "list(itertools.chain.from_iterable(pairs))",
        "functools.reduce(lambda x, y: [*x, *y], pairs, [])",
        "functools.reduce(lambda x, y: x + y, pairs)",
        "flat(pairs)",
    ],
)
def test_messages_made_in_pairs_are_the_same_conversation(flattened: str) -> None:
    (drift,) = windows(FLAT + PAIRS, f"[SYSTEM, *{flattened}]")
    assert drift.expression == "range(first, len(history))"
    whole = PAIRS.replace("range(first, ", "range(")
    assert windows(FLAT + whole, f"[SYSTEM, *{flattened}]") == []


@pytest.mark.parametrize(
    "rest", ["[messages[0]] + messages[2:]", "[messages[0], *messages[2:]]", "messages[:1] + messages[3:]"]
)
def test_messages_put_back_without_the_oldest_ones_while_there_are_too_many(rest: str) -> None:
    body = (
        "def turn(history, question, count):\n"
        "    messages = [SYSTEM, *history, {'role': 'user', 'content': question}]\n"
        "    while count(messages) > 4000:\n"
        f"        messages = {rest}\n"
    )
    (drift,) = windows(body, "messages")
    assert drift.expression in ("messages[2:]", "messages[3:]")
    assert windows(body.replace("while count(messages) > 4000", "if question"), "messages") == []


FILTERED = """
def turn(messages, question):
    messages.append({"role": "user", "content": question})
    rules = [m for m in messages if m["role"] == "system"]
    others = [m for m in messages if m["role"] != "system"]
"""


def test_the_end_of_what_is_no_system_message() -> None:
    (drift,) = windows(FILTERED, "rules + others[-8:]")
    assert (drift.expression, drift.size) == ("others[-8:]", 8)
    assert windows(FILTERED, "rules + others") == []


BUFFER = """
class Harbour:
    def __init__(self, size):
        self.log = deque({bound})

    def ask(self, question):
        self.log.append(("user", question))
        messages = [SYSTEM]
        messages.extend({{"role": role, "content": text}} for role, text in self.log)
        reply = client.chat.completions.create(model="gpt-4o", messages=messages)
        self.log.append(("assistant", reply.choices[0].message.content))
"""


def test_messages_made_of_what_a_bounded_queue_holds() -> None:
    (drift,) = windows(BUFFER.format(bound="maxlen=size"))
    assert drift.expression == "deque(maxlen=size)"
    assert windows(BUFFER.format(bound="[]")) == []


FILLED = """
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_openai import ChatOpenAI

llm = ChatOpenAI()
prompt = ChatPromptTemplate.from_messages(
    [("system", "You ask again what was meant."), MessagesPlaceholder("past"), ("human", "New: {question}")]
)


def turn(question, history):
    said = []
    for pair in history:
        said += [HumanMessage(content=pair[0]), AIMessage(content=pair[1])]
    text = prompt.format(past=said, question=question)
    while llm.get_num_tokens(text) >= 4000:
        TAKEN
        text = prompt.format(past=said, question=question)
    return (prompt | llm).invoke({"past": said, "question": question})
"""


def test_a_list_that_fills_a_place_for_messages() -> None:
    cut = "said = said[2:]"
    assert {drift.expression for drift in windows(FILLED.replace("TAKEN", cut))} == {"said[2:]"}
    assert windows(FILLED.replace("TAKEN", "break")) == []


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("len(file_ids) > 20", True),
        ("top_k > 100", True),
        ("len(history) > 0", True),
        ("history", True),
        ("len(history) > 60", False),
        ("used_tokens > 9000", False),
    ],
)
def test_only_what_asks_for_the_length_of_a_conversation_makes_a_cut_rare(condition: str, found: bool) -> None:
    body = (
        "class Harbour:\n"
        "    def __init__(self):\n"
        "        self.history = []\n"
        "    def ask(self, question, file_ids, top_k, used_tokens):\n"
        "        history = self.history\n"
        f"        if {condition}:\n"
        "            self.cut()\n"
        "        self.history.append({'role': 'user', 'content': question})\n"
        "        return client.chat.completions.create(model='gpt-4o', messages=[SYSTEM, *self.history])\n"
        "    def cut(self):\n"
        "        self.history = self.history[-20:]\n"
    )
    assert bool(windows(body)) is found


def test_messages_that_a_function_returns_show_the_end_that_it_keeps() -> None:
    body = (
        "def build(system, history, question, n):\n"
        "    if system:\n"
        "        return [{'role': 'system', 'content': system}, *history[-n:], {'role': 'user', 'content': question}]\n"
        "    return [*history[-n:], {'role': 'user', 'content': question}]\n"
    )
    assert {drift.expression for drift in windows(body)} == {"history[-n:]"}
    shown = "def shown(history):\n    return [{'role': m.role, 'content': m.text} for m in history[-20:]]\n"
    assert conversations(shown) == []
