"""Ways of sending only the end of a conversation, other than a slice of the list.

What is expected follows from running each program by hand for two turns, with more messages than it keeps.
"""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Drift, Repeat, Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

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


@pytest.mark.parametrize(
    ("past", "size"),
    [
        ("history[:8][::-1]", 8),
        ("history[: self.most][::-1]", None),
        ("list(reversed(history[:8]))", 8),
        ("reversed(first)", 8),
        ("first[::-1]", 8),
        ("[entry.message for entry in reversed(history[:n])]", None),
    ],
)
def test_the_first_entries_the_other_way_round_were_the_newest(past: str, size: int | None) -> None:
    body = f"class Tower:\n  def turn(self, history, n):\n    first = history[:8]\n    past = {past}\n"
    (drift,) = windows(body, "[SYSTEM, *past]")
    assert drift.size == size


@pytest.mark.parametrize("past", ["history[:8]", "history[::-1][:8][1:]", "examples[:8][::-1]"])
def test_entries_from_the_start_are_no_window(past: str) -> None:
    body = f"def turn(history, examples):\n    past = {past}\n"
    assert not [s for s in conversations(body, "[SYSTEM, *past]") if s.drift is not None]


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


def test_a_system_message_that_is_taken_out_of_the_front_is_no_window() -> None:
    body = """
def ask(messages):
    while len(messages) > 12:
        if messages[0]["role"] {} "system":
            messages = messages[1:]
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""
    assert windows(body.format("==")) == []
    assert [drift.expression for drift in windows(body.format("!="))] == ["messages[1:]"]


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


ROWS = """
import json
def turn(db, room, question, since):
    {rows}
    messages = [SYSTEM]
    for row in reversed(list(rows)):
        messages.append({{"role": row["role"], "content": row["content"]}})
    messages.append({{"role": "user", "content": question}})
"""


@pytest.mark.parametrize(
    "rows",
    [
        'rows = db.execute("SELECT role, text FROM talk WHERE room = ? ORDER BY id DESC LIMIT 9", (room,)).fetchall()',
        'rows = db.fetch_all("select * from talk where room = $1 order by sent desc, id desc limit $2", room, 10)',
        'rows = Message.objects.filter(room=room).order_by("-sent")[:10]',
        "rows = db.query(Message).filter_by(room=room).order_by(Message.sent.desc()).limit(10).all()",
        'rows = db.table("talk").select("*").order("sent", desc=True).limit(10).execute().data',
        'rows = db.talk.find({"room": room}).sort("sent", -1).limit(10)',
        'rows = db.message.find_many(where={"room": room}, order={"sent": "desc"}, take=10)',
        "rows = [json.loads(row) for row in db.lrange(room, -10, -1)]",
        "rows = db.zrevrange(room, 0, 9)",
        "rows = db.get_recent_messages(room)",
        "rows = db.get_messages(room, limit=10)",
        "rows = db.history(limit=10)",
        "rows = db.get_chat_history(room, 10)",
        "asked = select(Message).order_by(Message.sent.desc()).limit(10)\n    rows = list(db.exec(asked).all())",
    ],
)
def test_the_newest_rows_of_a_store(rows: str) -> None:
    assert len(windows(ROWS.format(rows=rows), "messages")) == 1


@pytest.mark.parametrize(
    "rows",
    [
        'rows = db.execute("SELECT role, content FROM talk WHERE room = ? ORDER BY id", (room,)).fetchall()',
        'rows = db.execute("SELECT role, content FROM talk ORDER BY id LIMIT 10").fetchall()',
        'rows = Message.objects.filter(room=room).order_by("sent")',
        'rows = db.table("talk").select("*").order("sent").execute().data',
        "rows = [json.loads(row) for row in db.lrange(room, 0, -1)]",
        "rows = db.get_messages(room)",
        "rows = db.get_messages(room, limit=10_000)",
        "rows = db.get_messages(room, 10_000)",
        "asked = select(Message).order_by(Message.sent).limit(10)\n    rows = list(db.exec(asked).all())",
    ],
)
def test_all_rows_of_a_store(rows: str) -> None:
    assert windows(ROWS.format(rows=rows), "messages") == []


def test_a_cursor_gives_what_it_was_asked_for() -> None:
    body = """
def turn(connection, room, question):
    with connection.cursor() as cursor:
        cursor.execute("SELECT role, content FROM talk WHERE room = %s ORDER BY id {order} LIMIT 10", (room,))
        rows = cursor.fetchall()
    past = [{{"role": r[0], "content": r[1]}} for r in rows[::-1]]
    messages = [SYSTEM, *past, {{"role": "user", "content": question}}]
"""
    (drift,) = windows(body.format(order="DESC"), "messages")
    assert drift.expression.startswith("cursor.execute(")
    assert windows(body.format(order="ASC"), "messages") == []


def test_examples_from_a_store_are_no_conversation() -> None:
    body = """
def turn(db, question):
    rows = db.execute("SELECT text FROM notices ORDER BY id DESC LIMIT 3").fetchall()
    messages = [SYSTEM]
    for row in rows:
        messages.append({"role": "user", "content": row["text"]})
    messages.append({"role": "user", "content": question})
"""
    source = HEAD + body + SEND.format(messages="messages")
    (found,) = analyse([SourceFile("harbour.py", source)], lambda path: None).values()
    segments = [s for one in found.templates for block in one.blocks for s in walk(block.segments)]
    assert not any(isinstance(s, Value | Repeat) and s.drift is not None for s in segments)


@pytest.mark.parametrize(
    ("cut", "expression"),
    [
        (
            "list(itertools.islice(history, len(history) - 8, None))",
            "itertools.islice(history, len(history) - 8, None)",
        ),
        (
            "[m for m in history if m.at > datetime.now() - timedelta(hours=1)]",
            "m.at > datetime.now() - timedelta(hours=1)",
        ),
        ("[m for i, m in enumerate(history) if i >= len(history) - 10]", "i >= len(history) - 10"),
    ],
)
def test_other_ways_of_taking_the_end(cut: str, expression: str) -> None:
    body = f"from datetime import datetime, timedelta\ndef turn(history):\n    past = {cut}\n"
    (drift,) = windows(body, "[SYSTEM, *past]")
    assert drift.expression == expression


@pytest.mark.parametrize(
    "whole", ["list(itertools.islice(history, 100))", "[m for m in history if m['sent'] > history[0]['sent']]"]
)
def test_other_ways_of_taking_the_whole(whole: str) -> None:
    assert windows(f"def turn(history):\n    past = {whole}\n", "[SYSTEM, *past]") == []


STORE = """
class Talk:
    def __init__(self):
        self.entries = []
        self.turn = 0

    def add(self, role, content):
        self.entries.append({"role": role, "content": content, "turn": self.turn})

    def size(self):
        return sum(len(entry["content"]) for entry in self.entries)

    def forget(self, turn):
        self.entries = [entry for entry in self.entries if entry["turn"] != turn]

    def drop(self):
        self.entries.remove(self.entries[0])


class Harbour:
    def __init__(self, talk=None):
        self.talk = talk or Talk()

    def ask(self, question, turns):
        self.talk.add("user", question)
        CUT
        messages = [SYSTEM, *({"role": e["role"], "content": e["content"]} for e in self.talk.entries)]
        reply = client.room.completions.create(model="gpt-4o", messages=messages)
        self.talk.add("assistant", reply.choices[0].message.content)
"""


@pytest.mark.parametrize(
    ("cut", "expression"),
    [
        ("while self.talk.size() > 9000: self.talk.forget(self.talk.entries[0]['turn'])", "self.talk.forget("),
        ("while self.talk.size() > 9000: self.talk.drop()", "self.talk.drop()"),
        (
            "for turn in turns:\n            if self.talk.size() <= 9000: break\n            self.talk.forget(turn)",
            "self.talk.forget(turn)",
        ),
        ("if question == 'forget it': self.talk.forget(turns)", None),
        ("", None),
    ],
)
def test_methods_of_a_store_that_take_out_the_oldest_turn(cut: str, expression: str | None) -> None:
    found = windows(STORE.replace("CUT", cut or "pass"))
    assert [drift.expression.startswith(expression or "none") for drift in found] == [True] * bool(expression)


def test_a_message_put_behind_the_first_one_of_a_talk_that_came_from_elsewhere() -> None:
    body = (
        "def turn(messages, question, notes):\n"
        "    messages.append({'role': 'user', 'content': question})\n"
        "    messages.insert({place}, {{'role': 'system', 'content': notes}})\n"
    )
    source = (
        HEAD + body.replace("{place}", "1").replace("{{", "{").replace("}}", "}") + SEND.format(messages="messages")
    )
    (found,) = analyse([SourceFile("harbour.py", source)], lambda path: None).values()
    (template,) = found.templates
    assert [block.role for block in template.blocks] == ["system", "history", "user"]


@pytest.mark.parametrize(
    "cut",
    [
        "messages[1:-10] = []",
        "del messages[1:-10]",
        "messages[:] = messages[:1] + messages[-10:]",
        "messages = messages[:1] + messages[1:][-10:]",
        "messages: list = messages[:1] + messages[1:][-10:]",
    ],
)
def test_messages_taken_out_of_a_list_in_place(cut: str) -> None:
    body = f"def turn(messages, question):\n    messages.append({{'role': 'user', 'content': question}})\n    {cut}\n"
    assert len(windows(body, "messages")) == 1
    assert windows(body.replace("-10", "1"), "messages") == []


def test_a_slice_that_is_replaced_leaves_what_stands_behind_it() -> None:
    body = (
        "def turn(history):\n    messages = [SYSTEM, *history]\n"
        "    messages[0:1] = [{'role': 'system', 'content': 'Hush.'}]\n"
    )
    source = HEAD + body + SEND.format(messages="messages")
    (found,) = analyse([SourceFile("harbour.py", source)], lambda path: None).values()
    (template,) = found.templates
    assert [block.role for block in template.blocks] == ["system", "history"]
    assert [getattr(segment, "text", "") for segment in template.blocks[0].segments] == ["Hush."]


SHOWN = """
def shown(messages):
    return [{"role": m["role"], "content": m["content"]} for m in messages[-50:]]

def turn(messages, question):
    messages.append({"role": "user", "content": question})
    reply = client.chat.completions.create(model="gpt-4o", messages=messages)
    return reply, shown(messages)

def page(messages, question):
    messages.append({"role": "user", "content": question})
    client.chat.completions.create(model="gpt-4o", messages=messages)
    return shown(messages)
"""


def test_the_end_of_a_conversation_that_is_shown_to_people_is_none_that_is_sent() -> None:
    assert windows(SHOWN) == []


@pytest.mark.parametrize(
    ("call", "expression"),
    [
        ("agent.run_sync(question, message_history=history[-10:])", "history[-10:]"),
        ("engine.chat(question, chat_history=history[-n:] if n else history)", "history[-n:]"),
        ("agent.run(question, message_history=history)", None),
        ("render_template(question, history=history[-10:])", None),
        ("log.info(question, chat_history=history[-10:])", None),
    ],
)
def test_a_conversation_that_is_handed_to_an_agent_without_its_front(call: str, expression: str | None) -> None:
    source = HEAD + f"def turn(agent, engine, log, question, history, n):\n    return {call}\n"
    (found,) = analyse([SourceFile("harbour.py", source)], lambda path: None).values()
    segments = [s for one in found.templates for block in one.blocks for s in walk(block.segments)]
    drifts = [s.drift for s in segments if isinstance(s, Value) and s.drift is not None]
    assert [drift.expression for drift in drifts] == ([] if expression is None else [expression])


@pytest.mark.parametrize(
    ("place", "read"),
    [
        ("box.user_data['history']", "box.user_data['history']"),
        ("state['messages']", "state['messages']"),
        ("page.state.messages", "page.state.messages"),
    ],
)
def test_what_a_function_has_put_into_something_unknown_is_what_it_finds_there(place: str, read: str) -> None:
    body = (
        f"def turn(box, state, page, question):\n    history = {place}\n"
        "    history.append({'role': 'user', 'content': question})\n"
        f"    {place} = history[-10:]\n"
    )
    (drift,) = windows(body, f"[SYSTEM, *{read}]")
    assert drift.expression == "history[-10:]"
    assert windows(body.replace("[-10:]", ""), f"[SYSTEM, *{read}]") == []
    rare = body.replace(f"    {place} =", f"    if len({place}) > 60: {place} =")
    assert windows(rare, f"[SYSTEM, *{read}]") == []


BACK = """
def reply(message, most):
    found, current = [], message
    while {test}:
        found.append({{"role": "user" if current.author else "assistant", "content": current.text}})
        current = current.parent
    return client.chat.completions.create(model="gpt-4o", messages=[{{"role": "system", "content": "Hi."}}, *{order}])
"""


@pytest.mark.parametrize("order", ["found[::-1]", "reversed(found)"])
@pytest.mark.parametrize(
    ("test", "window"),
    [
        ("current is not None and len(found) < most", True),
        ("len(found) <= 20 and current", True),
        ("current is not None", False),
        ("current is not None and len(found) > most", False),
    ],
)
def test_from_message_to_message_until_there_are_so_many(test: str, window: bool, order: str) -> None:
    program = "from openai import OpenAI\nclient = OpenAI()\n" + BACK.format(test=test, order=order)
    templates = templates_of(program)
    kept = [s.drift for t in templates for b in t.blocks for s in walk(b.segments) if isinstance(s, Value) and s.drift]
    assert any(drift.kind == "window" for drift in kept) is window


CUT = """
def turn(messages, question, most):
    rules = {"role": "system", "content": f"{SYSTEM}\\n{weather(question)}"}
    if messages and messages[0]["role"] == "system":
        whole = [rules, *messages[1:]]
    else:
        whole = [rules, *messages]
    shown = {copied}
    while sum(count_tokens(m["content"]) for m in shown) >= most:
        if len(shown) == 1:
            raise ValueError("too long")
        shown.pop(1)
    shown.append({"role": "user", "content": question})
"""


@pytest.mark.parametrize("copied", ["whole.copy()", "list(whole)", "copy.deepcopy(whole)", "whole[:]", "whole"])
def test_a_copy_of_one_of_two_lists_is_cut(copied: str) -> None:
    drifts = windows(CUT.replace("{copied}", copied), "shown")
    assert {drift.expression for drift in drifts} == {"shown.pop(1)"}


def test_what_is_cut_is_sent_and_not_what_it_was_copied_from() -> None:
    text = "    return engine.submit(prompt=write_out(shown))\n"
    drifts = windows(CUT.replace("{copied}", "whole.copy()") + text)
    assert {drift.expression for drift in drifts} == {"shown.pop(1)"}
    uncut = CUT.replace("{copied}", "whole.copy()").replace("        shown.pop(1)\n", "        break\n")
    assert all(one.grows for one in conversations(uncut + text) if isinstance(one, Value))


POSTED = """
def turn(message, most, history):
    found = []
    while message is not None and len(found) < most:
        found.append({"role": message.side, "content": message.words})
        message = message.parent
    return httpx.post(URL, json={"messages": {sent}})
"""


@pytest.mark.parametrize(
    ("sent", "expression"),
    [
        ("found[::-1]", "len(found) < most"),
        ("history[-most:]", "history[-most:]"),
        ("history[4:][-9:]", "history[4:][-9:]"),
    ],
)
def test_the_end_of_a_conversation_in_a_body_needs_no_other_message(sent: str, expression: str) -> None:
    (drift,) = windows(POSTED.replace("{sent}", sent))
    assert drift.expression == expression


@pytest.mark.parametrize("sent", ["history", "history[-1:]", "tickets[-9:]"])
def test_a_body_that_holds_no_end_of_a_conversation(sent: str) -> None:
    assert all(one.drift is None for one in conversations(POSTED.replace("{sent}", sent)))


RUN = """
def build(wish, past, most):
    messages = [SYSTEM]
    for at, step in enumerate({places}):
        if at == 0:
            messages.append({{"role": "user", "content": f"{{wish}} {{step['seen']}}"}})
        else:
            messages.append({{"role": "user", "content": step["seen"]}})
        messages.append({{"role": {role}, "content": step["done"]}})
    return messages

def run(wish, most, look):
    steps = []
    while len(steps) < 40:
        seen = look()
        answer = client.chat.completions.create(model="gpt-4o", messages=build(wish, steps, most))
        steps.append({{"seen": seen, "done": answer.choices[0].message.content}})
"""


@pytest.mark.parametrize(
    ("places", "role", "cut"),
    [
        ("past[-most:]", '"assistant"', ["past[-most:]"]),
        ("past[-4:]", '"assistant"', ["past[-4:]"]),
        ("past", '"assistant"', []),
        ("past[2:]", '"assistant"', []),
        # The last step alone is what this turn is about.
        ("past[-1:]", '"assistant"', []),
        # One side of a conversation is none.
        ("past[-4:]", '"user"', []),
    ],
)
def test_the_newest_steps_of_a_run_that_a_loop_collects_are_a_window(places: str, role: str, cut: list[str]) -> None:
    program = RUN.format(places=places, role=role)
    assert [drift.expression for drift in windows(program)] == cut
    assert [
        drift.expression for drift in windows(program.replace("while len(steps) < 40", "for _ in range(most)"))
    ] == cut


FIRST_TURN = """
def build(wish, steps, seen):
    messages = [SYSTEM]
    if steps:
        for step in steps[-4:]:
            messages.append({"role": "user", "content": step["seen"]})
            messages.append({"role": "assistant", "content": step["done"]})
        messages.append({"role": "user", "content": seen})
    else:
        messages.append({"role": "user", "content": f"Tell the ships that come in what they need. {wish} {seen}"})
"""


def test_the_first_turn_does_not_hide_what_later_ones_lose() -> None:
    (drift,) = windows(FIRST_TURN, "messages")
    assert drift.expression == "steps[-4:]"


STARTED = """
class Log:
    def __init__(self):
        self.messages = []

    def note(self, message):
        self.messages.append(message)

    def since(self, start=0):
        return [{{"role": one["role"], "content": one["content"]}} for one in self.messages[start:]]

class Keeper:
    def __init__(self, keep):
        self.log = Log()
        self.keep = keep

    def hail(self, question):
        self.log.note({{"role": "user", "content": question}})
        answer = client.chat.completions.create(model="gpt-4o", messages=[SYSTEM, *self.log.since({start})])
        self.log.note({{"role": "assistant", "content": answer.choices[0].message.content}})
"""


@pytest.mark.parametrize(
    ("start", "bound"),
    [("start=-self.keep", "self.keep"), ("-6", "start"), ("", None), ("0", None), ("self.keep", None)],
)
def test_where_a_slice_begins_is_what_the_caller_says(start: str, bound: str | None) -> None:
    assert [drift.bound for drift in windows(STARTED.format(start=start))] == ([] if bound is None else [bound])


@pytest.mark.parametrize(
    "kept", ["if past:\n        past.insert(0, SYSTEM)\n        messages = past", "messages += past"]
)
def test_a_window_that_takes_the_place_of_another_list_if_there_is_one(kept: str) -> None:
    body = f"""
def turn(db, room, question):
    messages = [SYSTEM]
    past = []
    for row in db.get_messages(room, limit=10):
        past.append({{"role": row.role, "content": row.text}})
    {kept}
    messages.append({{"role": "user", "content": question}})
"""
    assert [drift.expression for drift in windows(body, "messages")] == ["db.get_messages(room, limit=10)"]
