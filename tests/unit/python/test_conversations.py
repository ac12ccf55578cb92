"""How a conversation goes on from turn to turn, as the source says: it grows, its front slides, or it is rewritten.

What is expected follows from running the program by hand for two turns and comparing the lists that are sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.thresholds import slides
from prefixlint.model.segments import Choice, Drift, Repeat, Value, walk
from prefixlint.model.sources import Position, SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.model.segments import Segment
    from prefixlint.model.templates import Template

HEAD = """
import uuid
from collections import deque
from datetime import datetime
from openai import OpenAI
client = OpenAI()
SYSTEM = {"role": "system", "content": "You are the night porter of a hotel by the sea and answer by telephone."}
"""
SEND = "    return client.chat.completions.create(model='gpt-4o', messages={messages})\n"


def template(body: str, messages: str = "") -> Template:
    source = HEAD + body + (SEND.format(messages=messages) if messages else "")
    found = analyse([SourceFile("desk.py", source)], lambda path: None)
    (only,) = [one for extraction in found.values() for one in extraction.templates]
    return only


def conversations(one: Template) -> list[Value | Repeat]:
    segments = [segment for block in one.blocks for segment in walk(block.segments)]
    return [s for s in segments if isinstance(s, Value | Repeat) and (s.grows or s.drift is not None)]


def drifts(body: str, messages: str = "") -> list[Drift]:
    return [s.drift for s in conversations(template(body, messages)) if s.drift is not None]


@pytest.mark.parametrize(
    "messages",
    [
        "[SYSTEM, *messages]",
        "[SYSTEM] + messages",
        "[SYSTEM, *messages[1:]]",
        "[messages[0], *messages[1:]]",
        "messages",
    ],
)
def test_a_conversation_that_is_sent_whole_grows(messages: str) -> None:
    body = "def turn(messages):\n"
    found = conversations(template(body, messages))
    assert found
    assert any(one.grows for one in found)
    assert all(one.drift is None for one in found)


@pytest.mark.parametrize(
    ("slice_", "size"),
    [
        ("[-12:]", 12),
        ("[-n:]", None),
        ("[-2 * n:]", None),
        ("[len(messages) - n:]", None),
        ("[max(0, len(messages) - 6):]", None),
        ("[-6:-1]", 6),
    ],
)
def test_the_end_of_a_conversation_slides(slice_: str, size: int | None) -> None:
    (drift,) = drifts("def turn(messages, n):\n", f"[SYSTEM, *messages{slice_}]")
    assert (drift.kind, drift.size, drift.expression) == ("window", size, f"messages{slice_}")


@pytest.mark.parametrize("slice_", ["", "[1:]", "[n:]", "[:n]", "[:-1]", "[start:]"])
def test_a_fixed_or_an_unknown_start_is_no_window(slice_: str) -> None:
    assert drifts("def turn(messages, n, start):\n", f"[SYSTEM, *messages{slice_}]") == []


def test_the_last_message_alone_is_the_message_of_this_turn() -> None:
    assert drifts("def turn(messages):\n", "[SYSTEM, *messages[-1:]]") == []


def test_a_window_over_a_list_that_the_function_has_built() -> None:
    body = "def turn(history, question):\n    sent = [SYSTEM, *history, {'role': 'user', 'content': question}]\n"
    (drift,) = drifts(body, "sent[:1] + sent[-4:]")
    assert (drift.kind, drift.size) == ("window", 4)
    assert drifts(body, "[SYSTEM] + sent[1:]") == []
    assert drifts(body, "[SYSTEM] + sent[-1:]") == []


KEPT = """
class Porter:
    def __init__(self):
        self.history = {made}
    def ask(self, question):
        self.history.append({{"role": "user", "content": question}})
{cut}
        return client.chat.completions.create(model="gpt-4o", messages=[SYSTEM, *self.history])
"""


@pytest.mark.parametrize(
    ("cut", "expression"),
    [
        ("self.history = self.history[-20:]", "self.history[-20:]"),
        ("if len(self.history) > 20: self.history = self.history[-20:]", "self.history[-20:]"),
        ("while len(self.history) > 20: self.history.pop(0)", "self.history.pop(0)"),
        ("if len(self.history) > 20: self.history.pop(0)", "self.history.pop(0)"),
        ("if len(self.history) > 20: del self.history[0]", "self.history[0]"),
        ("del self.history[:-20]", "self.history[:-20]"),
    ],
)
def test_a_conversation_that_is_kept_and_cut_on_each_turn(cut: str, expression: str) -> None:
    (drift,) = drifts(KEPT.format(made="[]", cut=f"        {cut}"))
    assert (drift.kind, drift.expression) == ("window", expression)


@pytest.mark.parametrize(
    "cut",
    [
        "pass",
        "if len(self.history) > 40: self.history = self.history[-20:]",
        "if len(self.history) > 40: del self.history[:20]",
        "if len(self.history) > 40: del self.history[:-20]",
    ],
)
def test_a_conversation_that_is_cut_seldom_grows_between(cut: str) -> None:
    assert drifts(KEPT.format(made="[]", cut=f"        {cut}")) == []


OWN = """
class Porter:
    def __init__(self):
        self.messages = [SYSTEM]
        self.turns = 0
    def ask(self, question):
        self.messages.append({{"role": "user", "content": question}})
        reply = client.chat.completions.create(model="gpt-4o", messages=self.messages)
        self.messages.append({{"role": "assistant", "content": reply.choices[0].message.content}})
        self.tidy()
    def tidy(self):
        {cut}
"""


@pytest.mark.parametrize(
    ("cut", "expression"),
    [
        ("if len(self.messages) > 20: self.messages.pop(1)", "self.messages.pop(1)"),
        ("while len(self.messages) > 20: del self.messages[1]", "self.messages[1]"),
        ("if len(self.messages) > 20: del self.messages[1:3]", "self.messages[1:3]"),
        ("if len(self.messages) > 20: self.messages = [self.messages[0]] + self.messages[-19:]", "self.messages[-19:]"),
        ("if len(self.messages) > 20: self.messages = [SYSTEM, *self.messages[-18:]]", "self.messages[-18:]"),
        ("if len(self.messages) > 20: self.messages[1:] = self.messages[-19:]", "self.messages[-19:]"),
        ("if len(self.messages) <= 20: return\n        self.messages.pop(1)", "self.messages.pop(1)"),
        # Cut to half, cut to nothing, cut at the end: no front that moves on each turn.
        ("if len(self.messages) > 40: self.messages = [SYSTEM, *self.messages[-20:]]", None),
        ("if len(self.messages) > 20: del self.messages[1:11]", None),
        ("if len(self.messages) > 20: del self.messages[1:]", None),
        ("if len(self.messages) > 20: self.messages.pop()", None),
        ("if len(self.messages) > 20: self.messages = [SYSTEM]", None),
        ("if len(self.messages) <= 40: return\n        self.messages = [SYSTEM, *self.messages[-20:]]", None),
    ],
)
def test_a_conversation_that_a_helper_cuts_behind_the_send(cut: str, expression: str | None) -> None:
    assert [d.expression for d in drifts(OWN.format(cut=cut))] == ([] if expression is None else [expression])


def test_what_nothing_calls_cuts_nothing() -> None:
    source = OWN.format(cut="if len(self.messages) > 20: self.messages.pop(1)").replace("        self.tidy()\n", "")
    assert drifts(source) == []


LIMITED = """
class Porter:
    def __init__(self):
        self.items = []
    def tokens(self):
        return sum(len(item["content"]) for item in self.items)
    def ask(self, question):
        self.items.append({{"role": "user", "content": question}})
{cut}
        return client.chat.completions.create(model="gpt-4o", messages=[SYSTEM, *self.items])
"""


@pytest.mark.parametrize(
    ("cut", "expression"),
    [
        ("while self.tokens() > 4000: self.items.pop(0)", "self.items.pop(0)"),
        ("while sum(len(i['content']) for i in self.items) > 9000: self.items.pop(0)", "self.items.pop(0)"),
        ("while self.tokens() > self.budget: dropped = self.items.pop(0)", "self.items.pop(0)"),
        ("if len(self.items) > 20: self.items.pop(0)", "self.items.pop(0)"),
        ("self.items = self.items[-20:]", "self.items[-20:]"),
        # Down to half, when there is too much: most turns find what the last cut has left.
        ("if self.tokens() > max_tokens:\n            while self.tokens() > low_tokens: self.items.pop(0)", None),
        ("while self.tokens() < 4000 and self.more: self.items.pop()", None),
        ("pass", None),
    ],
)
def test_a_list_of_messages_under_any_name_that_is_held_to_a_budget(cut: str, expression: str | None) -> None:
    found = drifts(LIMITED.format(cut=f"        {cut}"))
    assert [drift.expression for drift in found] == ([] if expression is None else [expression])


@pytest.mark.parametrize(
    ("loop", "kept", "expression"),
    [
        ("for m in reversed(messages):\n", "kept.insert(0, m)", "reversed(messages)"),
        ("for m in messages[::-1]:\n", "kept.append(m)", "messages[::-1]"),
        ("for m in messages:\n", "kept.append(m)", None),
    ],
)
def test_what_a_loop_keeps_until_a_budget_is_spent(loop: str, kept: str, expression: str | None) -> None:
    body = f"def turn(messages, budget):\n    kept, used = [], 0\n    {loop}"
    body += "        used += len(m['content'])\n        if used > budget:\n            break\n"
    found = drifts(body + f"        {kept}\n", "[SYSTEM, *kept]")
    assert [drift.expression for drift in found] == ([] if expression is None else [expression])


BY_KEY = """
from collections import defaultdict
chats = {made}
def turn(user, question):
    chat = {found}
    chat.append({{"role": "user", "content": question}})
{cut}
    reply = client.chat.completions.create(model="gpt-4o", messages=[SYSTEM, *chat])
    chat.append({{"role": "assistant", "content": reply.choices[0].message.content}})
"""


@pytest.mark.parametrize(
    ("made", "found", "cut", "expression"),
    [
        ("{}", "chats.setdefault(user, [])", "if len(chat) > 20: chat.pop(0)", "chat.pop(0)"),
        ("defaultdict(list)", "chats[user]", "del chat[:-20]", "chat[:-20]"),
        ("defaultdict(lambda: deque(maxlen=20))", "chats[user]", "pass", "deque(maxlen=20)"),
        ("{}", "chats.setdefault(user, [])", "pass", None),
        ("defaultdict(list)", "chats[user]", "if len(chats) > 99: chats.clear()", None),
    ],
)
def test_conversations_under_the_keys_of_a_dictionary(made: str, found: str, cut: str, expression: str | None) -> None:
    cuts = drifts(BY_KEY.format(made=made, found=found, cut=f"    {cut}"))
    assert [drift.expression for drift in cuts] == ([] if expression is None else [expression])


@pytest.mark.parametrize(
    ("made", "expression"),
    [
        ("{'role': e.role, 'content': e.text}", "entries[-6:]"),
        ("{'role': 'user', 'content': e.text}", None),
    ],
)
def test_the_end_of_anything_is_a_conversation_if_both_sides_speak(made: str, expression: str | None) -> None:
    body = f"def turn(entries):\n    sent = [SYSTEM]\n    for e in entries[-6:]:\n        sent.append({made})\n"
    found = drifts(body, "sent")
    assert [drift.expression for drift in found] == ([] if expression is None else [expression])


def test_what_an_object_cuts_is_told_though_nothing_is_seen_to_send_it() -> None:
    source = """
class Session:
    def __init__(self):
        self.messages = []
    def add(self, role, text):
        self.messages.append({"role": role, "content": text})
    def trim(self, limit):
        while self.count_tokens() > limit:
            self.messages.pop(0)
class Sessions:
    def query(self, session: Session, text):
        session.add("user", text)
        session.trim(1000)
        return session
"""
    assert [drift.expression for drift in drifts(source)] == ["self.messages.pop(0)"]


@pytest.mark.parametrize(
    ("bound", "condition", "holds"),
    [
        ("n", "len(m) > n", True),
        ("n - 1", "len(m) > n", True),
        ("20", "len(m) > 22", True),
        ("20", "len(m) >= 24", False),
        ("n", "len(m) > 2 * n", False),
        ("2 * n", "len(m) > n * 2", True),
        ("n", "n < len(m)", True),
        ("n", "tokens > limit", False),
        ("n", "self.windowed", True),
        ("n", "(", False),
    ],
)
def test_a_cut_slides_where_it_leaves_about_as_many_as_set_it_off(bound: str, condition: str, *, holds: bool) -> None:
    drift = Drift("window", "m[-n:]", Span("a.py", Position(1, 1), Position(1, 2)), None, bound)
    assert slides(drift, [condition]) is holds


FIRST = """
class Porter:
    def __init__(self):
        self.messages = [{"role": "system", "content": "You are a porter."}]
        self.turns = 0
    def ask(self, question):
        if self.turns == 0:
            self.messages[0] = {"role": "system", "content": f"You are the night porter. The guest asked: {question}"}
        self.messages.append({"role": "user", "content": question})
        self.turns += 1
        return client.chat.completions.create(model="gpt-4o", messages=self.messages)
"""


def test_what_the_first_turn_has_set_is_there_on_all() -> None:
    made = template(FIRST)
    assert [block.role for block in made.blocks] == ["system", "history", "user"]
    values = [segment for segment in made.blocks[0].segments if isinstance(segment, Value)]
    assert [(value.expression, value.lifetime.value) for value in values] == [("question", "session")]
    assert not any(isinstance(segment, Choice) for segment in made.blocks[0].segments)


def test_a_store_of_fixed_length() -> None:
    (drift,) = drifts(KEPT.format(made="deque(maxlen=20)", cut=""))
    assert (drift.kind, drift.size, drift.expression) == ("window", 20, "deque(maxlen=20)")
    assert drifts(KEPT.format(made="deque()", cut="")) == []
    assert drifts(KEPT.format(made="deque(maxlen=None)", cut="")) == []


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("entry['content']", None),
        ("f\"[{entry['time']}] {entry['content']}\"", None),
        ("entry['content'].strip()", None),
        ("f\"[{datetime.now()}] {entry['content']}\"", "renewed"),
        ("f\"{uuid.uuid4()} {entry['content']}\"", "renewed"),
        ("entry['content'] if place > len(history) - 5 else 'left out'", "rewritten"),
        ("'left out' if place < len(history) - keep else entry['content']", "rewritten"),
        ("entry['content'] if entry['role'] == 'user' else 'left out'", None),
    ],
)
def test_the_form_that_each_message_is_given(content: str, kind: str | None) -> None:
    body = f"""
def turn(history, keep):
    sent = [SYSTEM]
    for place, entry in enumerate(history):
        sent.append({{"role": entry["role"], "content": {content}}})
"""
    assert [drift.kind for drift in drifts(body, "sent")] == ([] if kind is None else [kind])


def test_ids_of_calls_that_are_made_anew() -> None:
    body = "def turn(history):\n    call = {'id': %s, 'type': 'function'}\n"
    messages = "[SYSTEM, {'role': 'assistant', 'content': None, 'tool_calls': [call]}, *history]"
    (drift,) = drifts(body % "f'call_{uuid.uuid4().hex}'", messages)
    assert drift.kind == "renewed"
    assert drifts(body % "'call_1'", messages) == []
    assert drifts(body % "history[0]['id']", messages) == []


@pytest.mark.parametrize(("call", "count"), [("insert(1, message)", 1), ("append(message)", 0)])
def test_a_message_that_is_inserted_is_marked_as_such(call: str, count: int) -> None:
    body = f"""
def turn(history, found):
    sent = [SYSTEM, *history]
    message = {{"role": "user", "content": found}}
    sent.{call}
"""
    assert sum(block.inserted is not None for block in template(body, "sent").blocks) == count


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("summarize", True),
        ("_condense_history", True),
        ("generate_summary", True),
        ("find_summary", False),
        ("summary_of", False),
        ("load_conversation", False),
    ],
)
def test_who_sums_up_a_conversation_is_known_by_the_name(name: str, made: bool) -> None:
    body = f"""
def turn(messages):
    told = {name}(messages)
    first = {{"role": "system", "content": f"You are the night porter of a hotel. So far: {{told}}"}}
"""
    segments = [s for block in template(body, "[first, *messages]").blocks for s in walk(block.segments)]
    (value,) = [s for s in segments if isinstance(s, Value) and s.expression == "told"]
    # By its name alone it is a summary too, but not one that is known to be written on each turn.
    assert ((value.origin.kind.value, value.confidence.value) == ("summary", "certain")) == made


def test_a_message_that_results_of_tools_stand_behind_is_the_models_own() -> None:
    body = (
        "def turn(question, calls, answer):\n"
        "    told = [{'role': 'tool', 'content': f'{call} was done', 'tool_call_id': call.id} for call in calls]\n"
        "    asked = [SYSTEM, {'role': 'user', 'content': question}]\n"
        "    messages = asked + [answer['messages'][-1]] + told\n"
    )
    roles = [(block.role, grows(block.segments)) for block in template(body, "messages").blocks]
    # They follow what was sent before, and are no talk that goes on by itself.
    assert roles == [("system", False), ("user", False), ("history", False), ("history", False)]
    alone = template(body.replace(" + told", ""), "messages").blocks
    assert [block.role for block in alone] == ["system", "user", "user"]


def grows(segments: Iterable[Segment]) -> bool:
    return any(isinstance(segment, Value) and segment.grows for segment in segments)
