"""What loops do to the older messages of a conversation, and functions that an agent calls before each request."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.own_nodes import OwnNodes
from prefixlint.model.segments import Repeat, Text, Value, walk
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = (
    "from openai import OpenAI\nclient = OpenAI()\nRULES = 'Cite the shelf mark of each book, and never guess one.'\n"
)
_ASK = """
def ask(messages):
    messages = [{"role": "system", "content": RULES}] + shrink(messages)
    return client.chat.completions.create(model="m", messages=messages)
"""


def drifts(source: str) -> Iterator[tuple[str, str]]:
    """Kind and source of what changes the conversations in the templates of a program."""
    found = [t for e in analyse([SourceFile("a.py", source)], lambda path: None).values() for t in e.templates]
    for template in found:
        for block in template.blocks:
            for segment in walk(block.segments):
                if isinstance(segment, Value | Repeat) and segment.drift is not None:
                    yield segment.drift.kind, segment.drift.expression


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("    for m in messages[1:-6]:\n        m['content'] = '[removed]'\n    return messages\n", "messages[1:-6]"),
        (
            "    for m in messages[:-keep]:\n        if m['role'] == 'tool':\n            m['content'] = '[removed]'\n"
            "    return messages\n",
            "messages[:-keep]",
        ),
        (
            "    for i, m in enumerate(messages[: len(messages) - keep]):\n        m['content'] = m['content'][:80]\n"
            "    return messages\n",
            "enumerate(messages[: len(messages) - keep])",
        ),
        (
            "    for i in range(1, len(messages) - 4):\n        messages[i]['content'][0]['text'] = ''\n"
            "    return messages\n",
            "range(1, len(messages) - 4)",
        ),
        (
            "    tools = [i for i, m in enumerate(messages) if m['role'] == 'tool']\n    for i in tools[:-keep]:\n"
            "        messages[i]['content'] = '[removed]'\n    return messages\n",
            "tools[:-keep]",
        ),
        (
            "    kept = []\n    seen = 0\n    for m in reversed(messages):\n        if m['role'] == 'tool':\n"
            "            seen += 1\n            if seen > keep:\n                m = {**m, 'content': '[removed]'}\n"
            "        kept.append(m)\n    return kept[::-1]\n",
            "seen > keep",
        ),
        (
            "    images = 0\n    for m in reversed(messages):\n        for part in list(m['content']):\n"
            "            images += 1\n            if images > keep:\n                m['content'].remove(part)\n"
            "    return messages\n",
            "images > keep",
        ),
        # By their places, counted from the end.
        (
            "    kept = []\n    seen = 0\n    for i in range(len(messages)):\n"
            "        m = messages[len(messages) - 1 - i]\n"
            "        if m['role'] == 'tool':\n            seen += 1\n            if seen > keep:\n"
            "                m = {**m, 'content': '[removed]'}\n        kept.insert(0, m)\n    return kept\n",
            "seen > keep",
        ),
        (
            "    seen = 0\n    for i in range(len(messages)):\n        m = messages[-(i + 1)]\n"
            "        if m['role'] == 'tool':\n            seen += 1\n            if seen > keep:\n"
            "                m['content'] = '[removed]'\n    return messages\n",
            "seen > keep",
        ),
    ],
)
def test_messages_that_change_when_they_are_no_longer_among_the_last(body: str, place: str) -> None:
    assert set(drifts(f"{_HEAD}def shrink(messages, keep=6):\n{body}{_ASK}")) == {("rewritten", place)}


@pytest.mark.parametrize(
    "body",
    [
        # All of them, each by what it says itself.
        "    for m in messages[1:]:\n        m['content'] = m['content'][:500]\n    return messages\n",
        # Those that are last: what is said of them later is another matter.
        "    for m in messages[-3:]:\n        m['content'] = m['content'].strip()\n    return messages\n",
        # All but the last, which is the question of this turn.
        "    for m in messages[:-1]:\n        m['content'] = m['content'].strip()\n    return messages\n",
        # Those at the beginning.
        "    kept = []\n    seen = 0\n    for i in range(len(messages)):\n        m = messages[i]\n"
        "        if m['role'] == 'tool':\n            seen += 1\n            if seen > keep:\n"
        "                m = {**m, 'content': m['content'][:80]}\n        kept.append(m)\n    return kept\n",
        # Once in many turns.
        "    if len(messages) > 60:\n        for m in messages[1:-6]:\n            m['content'] = '[removed]'\n"
        "    return messages\n",
        # Markers of caches are no text.
        "    for m in messages[:-2]:\n        m['content'][-1]['cache_control'] = None\n    return messages\n",
        "    n = 0\n    for m in reversed(messages):\n        if n < 2:\n            n += 1\n"
        "            m['content'][-1]['cache_control'] = {'type': 'ephemeral'}\n    return messages\n",
        # Something of each is kept elsewhere.
        "    known = {}\n    for m in messages[:-4]:\n        known[m['id']] = m['content']\n    return messages\n",
    ],
)
def test_loops_that_leave_older_messages_as_they_were(body: str) -> None:
    assert list(drifts(f"{_HEAD}def shrink(messages, keep=6):\n{body}{_ASK}")) == []


_TOOLS = "    tools = [i for i, m in enumerate(messages) if m['role'] == 'tool']\n"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (
            "    for i, m in enumerate(messages):\n        if i < len(messages) - keep and m['role'] == 'tool':\n"
            "            m['content'] = 'gone'\n    return messages\n",
            "i < len(messages) - keep and m['role'] == 'tool'",
        ),
        (
            "    cutoff = max(0, len(messages) - keep)\n    for i, m in enumerate(messages):\n"
            "        if i >= cutoff:\n            continue\n        m['content'] = 'gone'\n    return messages\n",
            "i >= cutoff",
        ),
        (
            "    cutoff = len(messages) - keep\n    for m in messages[:cutoff]:\n        m['content'] = 'gone'\n"
            "    return messages\n",
            "messages[:cutoff]",
        ),
        (
            f"{_TOOLS}    n = min(keep, len(tools))\n    late = tools[-n:] if n > 0 else []\n    kept = [0] + late\n"
            "    for i, m in enumerate(messages):\n        if m['role'] == 'tool' and i not in kept:\n"
            "            m['content'] = 'gone'\n    return messages\n",
            "m['role'] == 'tool' and i not in kept",
        ),
        (
            "    ids = []\n    for m in messages:\n        ids.append(m['id'])\n    kept = ids[-keep:]\n"
            "    return [m if m['id'] in kept else {**m, 'content': 'gone'} for m in messages]\n",
            "m['id'] in kept",
        ),
        (
            "    for m in messages:\n        if messages.index(m) < len(messages) - keep:\n"
            "            m['content'] = 'gone'\n    return messages\n",
            "messages.index(m) < len(messages) - keep",
        ),
        (
            "    for i, m in enumerate(messages):\n        if i >= len(messages) - keep:\n"
            "            m['content'][-1]['cache_control'] = 'on'\n        else:\n            m['content'] = 'gone'\n"
            "    return messages\n",
            "i >= len(messages) - keep",
        ),
        (
            "    whole = list(messages)\n    for i, m in enumerate(messages):\n"
            "        if i < len(whole) - keep:\n            m['content'] = 'gone'\n    return messages\n",
            "i < len(whole) - keep",
        ),
        (
            f"{_TOOLS}    old = tools[:-keep]\n    for i in old:\n"
            "        messages[i] = {'role': 'tool', 'content': 'gone'}\n    return messages\n",
            "old",
        ),
        (
            f"{_TOOLS}    old = set(tools[:-keep])\n    out = []\n    for i, m in enumerate(messages):\n"
            "        if i in old:\n            m = {**m, 'content': 'gone'}\n        out.append(m)\n    return out\n",
            "i in old",
        ),
        (
            f"{_TOOLS}    old = set(tools[:-keep])\n    out = []\n    for i, m in enumerate(messages):\n"
            "        if i in old:\n            continue\n        out.append(m)\n    return out\n",
            "i in old",
        ),
        (
            "    late = [m for m in messages if m['role'] == 'tool'][-keep:]\n"
            "    kept = {m['tool_call_id'] for m in late}\n    return [m if m['role'] != 'tool' or "
            "m['tool_call_id'] in kept else {**m, 'content': 'gone'} for m in messages]\n",
            "m['role'] != 'tool' or m['tool_call_id'] in kept",
        ),
        (
            "    drop = [m for m in messages if m['role'] == 'tool'][:-keep]\n"
            "    return [m for m in messages if m not in drop]\n",
            "m not in drop",
        ),
    ],
)
def test_messages_whose_place_is_asked_for(body: str, place: str) -> None:
    assert set(drifts(f"{_HEAD}def shrink(messages, keep=6):\n{body}{_ASK}")) == {("rewritten", place)}


@pytest.mark.parametrize(
    "body",
    [
        # Parts of messages and of texts are no places.
        "    out = []\n    for m in messages:\n        most = len(m['content']) - 40\n"
        "        if len(m['content']) > most:\n            m = {**m, 'content': m['content'].strip()}\n"
        "        out.append(m)\n    return out\n",
        "    ends = [m['content'][-4:] for m in messages]\n"
        "    return [m for m in messages if m['content'] not in ends]\n",
        "    for m in messages:\n        if m['name'] in (str(keep)[:-4], 'x'):\n            m['content'] = 'gone'\n"
        "    return messages\n",
        "    return [m for () in messages if m not in keep]\n",
        # How many there are of something else.
        "    size = len(batch) - 2\n    for i, m in enumerate(messages):\n        if i < size:\n"
        "            m['content'] = m['content'].strip()\n    return messages\n",
        # Markers of caches move on with the last messages, and are no part of any.
        "    for i, m in enumerate(messages):\n        if i < len(messages) - 3:\n"
        "            m['content'][-1].pop('cache_control', None)\n    return messages\n",
        "    for i, m in enumerate(messages):\n        if i >= len(messages) - 3:\n            continue\n"
        "        m['content'][-1].pop('cache_control', None)\n    return messages\n",
        # By what they are, not where.
        "    gone = ('debug', 'note')\n    return [m for m in messages if m['role'] not in gone]\n",
        f"{_TOOLS}    first = set(tools[:3])\n    for i, m in enumerate(messages):\n        if i in first:\n"
        "            m['content'] = m['content'].strip()\n    return messages\n",
        # The last one alone, which is the question of this turn.
        "    for i, m in enumerate(messages):\n        if i < len(messages) - 1:\n"
        "            m['content'] = m['content'].strip()\n    return messages\n",
        # What is put elsewhere.
        f"{_TOOLS}    old = set(tools[:-keep])\n    for i, m in enumerate(messages):\n        if i in old:\n"
        "            print(m['content'])\n    return messages\n",
        # Markers of caches move on, and the texts stay.
        "    out = []\n    for i, m in enumerate(messages):\n        if i >= len(messages) - 2:\n"
        "            m = {**m, 'cache_control': {'type': 'ephemeral'}}\n        out.append(m)\n    return out\n",
        "    return [{**m, 'cache_control': {'type': 'ephemeral'}} if i >= len(messages) - 2 else m "
        "for i, m in enumerate(messages)]\n",
        # Once in many turns.
        f"    if len(messages) > 60:\n    {_TOOLS}        old = set(tools[:-keep])\n"
        "        for i, m in enumerate(messages):\n            if i in old:\n                m['content'] = 'gone'\n"
        "    return messages\n",
    ],
)
def test_messages_whose_place_decides_nothing(body: str) -> None:
    assert list(drifts(f"{_HEAD}def shrink(messages, keep=6):\n{body}{_ASK}")) == []


def test_an_object_that_changes_what_it_keeps() -> None:
    source = (
        f"{_HEAD}class Agent:\n    def __init__(self):\n        self.said = [{{'role': 'system', 'content': RULES}}]\n"
        "    def hide(self):\n        for m in self.said[1:-3]:\n            m['content'] = 'hidden'\n"
        "    def step(self, seen):\n        self.said.append({'role': 'user', 'content': seen})\n        self.hide()\n"
        "        reply = client.chat.completions.create(model='m', messages=self.said)\n"
        "        self.said.append({'role': 'assistant', 'content': reply.choices[0].message.content})\n"
    )
    assert set(drifts(source)) == {("rewritten", "self.said[1:-3]")}


PICTURES = """
class Watcher:
    def __init__(self, most):
        self.said = [{{'role': 'system', 'content': RULES}}]
        self.most = most
    def clear(self):
        pictures = 0
        for at in range(len(self.said) - 1, -1, -1):
            for part in range(len(self.said[at]["content"])):
                if self.said[at]["content"][part]["type"] == "image_url":
                    pictures += 1
                    {taken}
    def step(self, url):
        self.said.append({{'role': 'user', 'content': [{{'type': 'image_url', 'image_url': {{'url': url}}}}]}})
        reply = client.chat.completions.create(model='m', messages=self.said)
        self.said.append({{'role': 'assistant', 'content': reply.choices[0].message.content}})
        self.clear()
"""


@pytest.mark.parametrize(
    ("taken", "found"),
    [
        (
            "if pictures > self.most: del self.said[at]['content'][part]",
            {("rewritten", "pictures > self.most")},
        ),
        ("if pictures > self.most: print(part)", set()),
    ],
)
def test_parts_that_are_taken_out_of_all_but_the_newest_messages(taken: str, found: set[tuple[str, str]]) -> None:
    assert set(drifts(_HEAD + PICTURES.format(taken=taken))) == found


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (
            "    kept, total = [], 0\n    for m in reversed(messages):\n        total += len(m['content']) // 4\n"
            "        if total > limit:\n            break\n        kept.insert(0, m)\n    return kept\n",
            "reversed(messages)",
        ),
        (
            "    kept, total = [], 0\n    for i in range(len(messages) - 1, -1, -1):\n"
            "        total += len(messages[i]['content']) // 4\n        if total > limit:\n            break\n"
            "        kept.append(messages[i])\n    kept.reverse()\n    return kept\n",
            "range(len(messages) - 1, -1, -1)",
        ),
        (
            "    kept, total = [], 0\n    for m in messages[::-1]:\n        total += len(m['content']) // 4\n"
            "        if total > limit:\n            break\n        kept.append(m)\n    return kept[::-1]\n",
            "messages[::-1]",
        ),
        (
            "    kept, total = [], 0\n    for i in range(len(messages)):\n        m = messages[-1 - i]\n"
            "        total += len(m['content']) // 4\n        if total > limit:\n            break\n"
            "        kept.insert(0, m)\n    return kept\n",
            "range(len(messages))",
        ),
    ],
)
def test_a_function_that_takes_the_newest_messages_is_entered(body: str, kept: str) -> None:
    assert ("window", kept) in set(drifts(f"{_HEAD}def shrink(messages, limit=3000):\n{body}{_ASK}"))


_PYDANTIC = "from pydantic_ai import Agent\nRULES = 'Cite the shelf mark of each book, and never guess one.'\n"
_GRAPH = (
    "from langgraph.prebuilt import create_react_agent\nfrom langchain_core.messages import trim_messages\n"
    "RULES = 'You are the assistant of a library. Cite the shelf mark of each book, and never guess. Say until '\\\n"
    "    'when it is lent out, if it is. When nobody has asked for anything, ask what they would like to know.'\n"
)


@pytest.mark.parametrize(
    ("source", "cuts"),
    [
        (
            f"{_PYDANTIC}async def recent(messages):\n    return messages[-5:] if len(messages) > 5 else messages\n"
            "agent = Agent('openai:gpt-4o', instructions=RULES, history_processors=[recent])\n",
            {("window", "messages[-5:]")},
        ),
        (
            f"{_PYDANTIC}def recent(ctx, history):\n    return history[-5:]\n"
            "agent = Agent('openai:gpt-4o', instructions=RULES, history_processors=[recent])\n",
            {("window", "history[-5:]")},
        ),
        (
            f"{_PYDANTIC}def plain(messages):\n    return [m for m in messages if m.kind == 'request']\n"
            "agent = Agent('openai:gpt-4o', instructions=RULES, history_processors=[plain])\n",
            set(),
        ),
        (
            f"{_GRAPH}def hook(state):\n"
            "    return {'llm_input_messages': trim_messages(state['messages'], max_tokens=384, strategy='last')}\n"
            "agent = create_react_agent('openai:gpt-4o', tools=[], prompt=RULES, pre_model_hook=hook)\n",
            {("window", "trim_messages(state['messages'], max_tokens=384, strategy='last')")},
        ),
        (
            f"{_GRAPH}def hook(state):\n    return {{'llm_input_messages': state['messages']}}\n"
            "agent = create_react_agent('openai:gpt-4o', tools=[], prompt=RULES, pre_model_hook=hook)\n",
            set(),
        ),
    ],
)
def test_functions_that_an_agent_calls_with_its_conversation(source: str, cuts: set[tuple[str, str]]) -> None:
    assert set(drifts(source)) == cuts


@pytest.mark.parametrize(
    ("loop", "cuts"),
    [
        (
            "    for m in reversed(messages[1:]):\n        tokens = count(m)\n        if tokens <= left:\n"
            "            kept.insert(1, m)\n            left -= tokens\n",
            {("window", "reversed(messages[1:])")},
        ),
        (
            "    for m in reversed(messages):\n        if count_tokens(m) > left:\n            break\n"
            "        kept.append(m)\n        left -= count_tokens(m)\n",
            {("window", "reversed(messages)")},
        ),
        # Each is asked for itself, whatever was taken before.
        ("    for m in reversed(messages):\n        if count_tokens(m) <= left:\n            kept.append(m)\n", set()),
        # What is gathered are lengths.
        (
            "    for m in reversed(messages):\n        tokens = count(m)\n        if tokens <= left:\n"
            "            kept.append(tokens)\n            left -= tokens\n",
            set(),
        ),
    ],
)
def test_a_window_by_tokens_is_told_wherever_it_is_sent(loop: str, cuts: set[tuple[str, str]]) -> None:
    source = f"{_HEAD}def trim(messages, left):\n    kept = []\n{loop}    return kept\n"
    assert set(drifts(source)) == cuts


_KEEPER = """
class Agent:
    def __init__(self):
        self.said = [{{"role": "system", "content": RULES}}]
    def step(self, seen):
        self.said.append({{"role": "user", "content": seen}})
        shown = 0
        for i in range(len(self.said)):
            m = self.said[{place}]
            if m["role"] == "user":
                shown += 1
                if shown > 3:
                    m["content"] = "[removed]"
        reply = client.chat.completions.create(model="m", messages=self.said)
        self.said.append({{"role": "assistant", "content": reply.choices[0].message.content}})
"""


@pytest.mark.parametrize(
    ("place", "found"),
    [("len(self.said) - 1 - i", {("rewritten", "shown > 3")}), ("~i", {("rewritten", "shown > 3")}), ("i", set())],
)
def test_an_object_whose_messages_are_counted_from_the_end(place: str, found: set[tuple[str, str]]) -> None:
    assert set(drifts(_HEAD + _KEEPER.format(place=place))) == found


_CLIPPER = """
SHORTER = "Name the book alone."

def clip(msg, most):
    kept, shown = [], 0
    for i in range(len(msg)):
        m = msg[len(msg) - 1 - i]
{clip}
    return kept

def ask(messages):
    return client.chat.completions.create(model="m", messages=messages).choices[0].message.content

def run(desk, brief):
    talk = [{{"role": "system", "content": RULES}}]
    if brief:
        talk = [{{"role": "system", "content": SHORTER}}]
    while desk.is_open():
        talk.append({{"role": "user", "content": "Seen: " + desk.look()}})
        talk = clip(talk, 2)
        said = ask(talk)
        talk.append({{"role": "assistant", "content": said}})
"""


@pytest.mark.parametrize(
    ("clip", "found"),
    [
        (
            "        if m['role'] != 'user':\n            kept = [m] + kept\n"
            "        elif shown < most:\n            shown += 1\n            kept = [m] + kept\n"
            "        else:\n            kept = [{'role': 'user', 'content': 'Seen: left out'}] + kept\n",
            {("rewritten", "shown < most")},
        ),
        # All of them alike, whichever place they have.
        (
            "        kept = [{'role': m['role'], 'content': m['content'].strip()}] + kept\n        shown += 1\n",
            set(),
        ),
    ],
)
def test_a_conversation_that_is_made_anew_before_each_request(clip: str, found: set[tuple[str, str]]) -> None:
    source = _HEAD + _CLIPPER.format(clip=clip)
    assert set(drifts(source)) == found
    sent = [
        t
        for e in analyse([SourceFile("a.py", source)], lambda path: None).values()
        for t in e.templates
        if t.form == "openai-chat"
    ]
    # What stood in front of the conversation still does, in either arm.
    assert all(t.blocks[0].role == "system" for t in sent)
    fronts = {s.text for t in sent for s in walk(t.blocks[0].segments) if isinstance(s, Text)}
    assert fronts == {"Cite the shelf mark of each book, and never guess one.", "Name the book alone."}


def test_variables_that_are_set_very_often() -> None:
    again = "b = messages[:-4]\n    " + "a = b\n    b = a\n    " * 30
    found = OwnNodes(ast.parse(again.replace("    ", ""))).definitions()
    assert {name: len(values) for name, values in found.items()} == {"a": 10, "b": 10}
    body = f"    {again}for m in a:\n        m['content'] = 'gone'\n    return messages\n"
    assert set(drifts(f"{_HEAD}def shrink(messages):\n{body}{_ASK}")) == {("rewritten", "a")}


def test_a_script_looks_up_its_names_too() -> None:
    source = (
        f"{_HEAD}messages = load_messages()\ntools = [i for i, m in enumerate(messages) if m['role'] == 'tool']\n"
        "kept = tools[-4:]\nfor i, m in enumerate(messages):\n    if m['role'] == 'tool' and i not in kept:\n"
        "        m['content'] = 'gone'\n"
        "client.chat.completions.create(model='m', messages=[{'role': 'system', 'content': RULES}, *messages])\n"
    )
    assert set(drifts(source)) == {("rewritten", "m['role'] == 'tool' and i not in kept")}
