"""Messages at an end of a conversation from elsewhere that are changed, replaced or put there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python.own_nodes import OwnNodes
from prefixlint.frontends.python.rewriting import rewritten
from prefixlint.model.lifetimes import Confidence, Lifetime
from prefixlint.model.segments import Choice, Text, Value, walk
from python_support import templates_of

if TYPE_CHECKING:
    from prefixlint.model.templates import Template


SEND = "    client.chat.completions.create(model='gpt-4o', messages=messages)\n"


def templates(program: str) -> list[Template]:
    source = "from openai import OpenAI\nclient = OpenAI()\n" + program
    return list(templates_of(source))


def values(template: Template) -> list[tuple[str, str, Lifetime, bool]]:
    """Role of the block, expression, lifetime and growth of each value."""
    return [
        (block.role, segment.expression, segment.lifetime, segment.grows)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    ]


@pytest.mark.parametrize(
    "change",
    [
        "    messages[0]['content'] += f'\\n{docs}'\n",
        "    first = messages[0]\n    first['content'] += f'\\n{docs}'\n",
        "    first: dict = messages[0]\n    first['content'] += f'\\n{docs}'\n",
        "    messages[0].content += f'\\n{docs}'\n",
        "    system = next(m for m in messages if m['role'] == 'system')\n    system['content'] += f'\\n{docs}'\n",
        "    system = next((m for m in messages if m.get('role') == 'system'), None)\n"
        "    system['content'] = f'{system[\"content\"]}\\n{docs}'\n",
        "    for m in messages:\n        if m['role'] == 'system':\n            m['content'] += f'\\n{docs}'\n"
        "            break\n",
        "    messages = messages.copy()\n    messages[0]['content'] += f'\\n{docs}'\n",
        "    messages = tidied(messages, docs)\n    messages[0]['content'] += f'\\n{docs}'\n",
    ],
)
def test_a_changed_system_message_stands_in_front_of_the_conversation(change: str) -> None:
    (template,) = templates("def ask(messages, docs):\n" + change + SEND)
    (_, _, kept, _), added, conversation = values(template)
    assert kept is Lifetime.DEPLOYMENT
    assert added == ("system", "docs", Lifetime.REQUEST, False)
    assert conversation[0] == "history"
    assert conversation[3]


def test_a_system_message_changed_in_an_asynchronous_loop() -> None:
    (template,) = templates(
        "async def ask(messages, docs):\n    async for m in messages:\n        if m['role'] == 'system':\n"
        "            m['content'] += f'\\n{docs}'\n            break\n" + SEND
    )
    assert values(template)[1] == ("system", "docs", Lifetime.REQUEST, False)


@pytest.mark.parametrize(
    "reading",
    [
        "    role = messages[0]['role']\n",
        "    first = messages[0]\n    log(first['content'])\n",
        "    for m in messages:\n        if m['role'] == 'system':\n            log(m['content'])\n",
        "    system = next(m for m in messages if m['role'] == 'system')\n    log(system)\n",
        "    other = {}\n    other['content'] = messages[0]['content']\n",
    ],
)
def test_a_message_that_is_only_read_stays_in_its_conversation(reading: str) -> None:
    (template,) = templates("def ask(messages, docs):\n" + reading + SEND)
    assert [(role, grows) for role, _, _, grows in values(template)] == [("history", True)]


def test_a_system_message_in_the_place_of_the_first_one() -> None:
    program = "def ask(messages, docs):\n    messages[0] = {'role': 'system', 'content': f'Answer by {docs}'}\n"
    (template,) = templates(program + SEND)
    assert [(role, expression) for role, expression, _, _ in values(template)] == [
        ("system", "docs"),
        ("history", "messages"),
    ]
    assert all(block.inserted is None for block in template.blocks)


def test_messages_put_in_front_once_and_forgotten() -> None:
    program = (
        "class Reminders:\n    async def on_start(self, input_items):\n"
        "        found = [{'role': 'system', 'content': r.text()} for r in self.reminders]\n"
        "        self.reminders.clear()\n        input_items[0:0] = found\n"
    )
    (template,) = templates(program)
    assert template.confidence is Confidence.HIGH
    assert template.blocks[0].inserted is not None
    over = template.blocks[0].segments[0]
    assert getattr(over, "lifetime", None) is Lifetime.TURN
    assert template.blocks[1].role == "history"
    # What is not thrown away stays the same as long as the object that keeps it.
    kept = templates(program.replace("        self.reminders.clear()\n", ""))
    assert kept == []


def test_a_helper_that_adds_to_the_system_message_is_seen_without_a_call() -> None:
    program = (
        "def prepare(messages, documents):\n    if documents:\n"
        "        system = next((m for m in messages if m['role'] == 'system'), None)\n"
        "        if system not in messages:\n            messages.insert(0, system)\n"
        "        system['content'] += f'\\n{documents}'\n    return messages\n"
    )
    (template,) = templates(program)
    assert ("system", "documents", Lifetime.REQUEST, False) in values(template)
    assert len(template.blocks) == 2


def test_which_places_change_a_first_message() -> None:
    source = (
        "def f(a, b, c, d):\n    a[0]['content'] = 1\n    x = b[0]\n    x['content'] += 1\n    y = c[0]\n"
        "    y['name'] = 1\n    d[1]['content'] = 1\n    make()[0]['content'] = 1\n    z = d['m'][-1]\n"
        "    z.content = 1\n    for i in range(len(e) - 1, -1, -1):\n        if e[i]['role'] == 'user':\n"
        "            e[i]['content'] += 1\n            break\n"
    )
    nodes = OwnNodes(ast.parse(source).body[0])
    ends = {(ast.unparse(end.listed), end.last) for _, end in rewritten(nodes).values()}
    assert ends == {("a", False), ("b", False), ("d['m']", True), ("e", True)}


@pytest.mark.parametrize(
    "program",
    [
        # What a message of the assistant is taken apart into, and items of an answer.
        "def items(message):\n    out = [{'role': 'assistant', 'content': message['content']}]\n"
        "    for call in message['tool_calls']:\n        out.append({'role': 'tool', 'content': call['output']})\n"
        "    return out\n",
        # A system message that is taken out, in a function that changes others.
        "def split(messages):\n    for m in messages:\n        if m.role == 'system':\n            messages.remove(m)\n"
        "    for m in messages:\n        m.content = [m.content]\n    return messages\n",
        # A helper that puts a message in front: its callers say which.
        "def upsert(messages, content):\n    return [{'role': 'system', 'content': content}, *messages]\n",
    ],
)
def test_lists_of_messages_in_which_nothing_is_put_in_front(program: str) -> None:
    assert templates(program) == []


@pytest.mark.parametrize(
    "change",
    [
        "    messages[-1]['content'] += RULES\n",
        "    last = messages[-1]['content']\n    messages[-1]['content'] = last + RULES\n",
        "    messages[-1].content += RULES\n",
        "    messages = messages.copy()\n    messages[-1]['content'] += RULES\n",
        "    messages = [dict(m) for m in messages]\n    messages[-1]['content'] += RULES\n",
        "    last = messages[-1]\n    last['content'] += RULES\n",
        "    messages[-1] = {'role': 'user', 'content': messages[-1]['content'] + RULES}\n",
        "    messages = list(messages)\n"
        "    messages[-1] = {**messages[-1], 'content': messages[-1]['content'] + RULES}\n",
        "    last = next(m for m in reversed(messages) if m['role'] == 'user')\n    last['content'] += RULES\n",
        "    for m in reversed(messages):\n        if m['role'] == 'user':\n            m['content'] += RULES\n"
        "            break\n",
        "    for i in range(len(messages) - 1, -1, -1):\n        if messages[i]['role'] == 'user':\n"
        "            messages[i]['content'] += RULES\n            break\n",
    ],
)
def test_what_is_put_behind_the_last_message_stands_behind_what_was_said_there(change: str) -> None:
    (template,) = templates("RULES = 'Answer in one word.'\ndef ask(messages):\n" + change + SEND)
    history, last = template.blocks
    assert (history.role, last.role) == ("history", "user")
    said, rules = last.segments
    assert isinstance(said, Value)
    assert said.lifetime is Lifetime.REQUEST
    assert isinstance(rules, Text)
    assert rules.text == "Answer in one word."


def test_a_last_message_that_is_known_is_changed_itself() -> None:
    program = (
        "def ask(history, question):\n"
        "    messages = [*history, {'role': 'user', 'content': question}]\n"
        "    messages[-1]['content'] += ' Answer in one word.'\n"
    )
    (template,) = templates(program + SEND)
    assert [block.role for block in template.blocks] == ["history", "user"]
    assert [lifetime for _, _, lifetime, _ in values(template)] == [Lifetime.TURN, Lifetime.REQUEST]


@pytest.mark.parametrize("listed", ["request.messages", "copy.deepcopy(request.messages)", "request['messages']"])
def test_the_last_message_of_a_request(listed: str) -> None:
    program = (
        "import copy\nRULES = 'Answer in one word.'\ndef ask(request):\n"
        f"    messages = {listed}\n    messages[-1]['content'] += RULES\n"
    )
    sent = [template for template in templates(program + SEND) if template.form == "openai-chat"]
    ((history, last),) = [template.blocks for template in sent]
    assert (history.role, last.role) == ("history", "user")
    assert isinstance(last.segments[-1], Text)


@pytest.mark.parametrize(
    "change",
    [
        "    request.messages = [{'role': 'system', 'content': f'Known: {docs}'}] + request.messages\n",
        "    request.messages = [{'role': 'system', 'content': f'Known: {docs}'}, *request.messages]\n",
        "    request.messages.insert(0, {'role': 'system', 'content': f'Known: {docs}'})\n",
        "    request['messages'] = [{'role': 'system', 'content': f'Known: {docs}'}] + request['messages']\n",
        "    request['messages'].insert(0, {'role': 'system', 'content': f'Known: {docs}'})\n",
    ],
)
def test_a_message_in_front_of_those_of_a_request_that_others_send(change: str) -> None:
    (template,) = templates("def prepare(request, docs):\n" + change + "    return request\n")
    assert template.confidence is Confidence.HIGH
    added, conversation = values(template)
    assert added == ("system", "docs", Lifetime.REQUEST, False)
    assert (conversation[0], conversation[3]) == ("history", True)


@pytest.mark.parametrize(
    "change",
    [
        "    request.messages[0].content += f'Known: {docs}'\n",
        "    first = request.messages[0]\n    first.content.append(f'Known: {docs}')\n",
        "    first = chat_ctx.items[0]\n    first.content.append(f'Known: {docs}')\n    request = chat_ctx\n",
    ],
)
def test_the_first_message_of_those_of_a_request_that_others_send(change: str) -> None:
    (template,) = templates("def prepare(request, chat_ctx, docs):\n" + change + "    return later(request)\n")
    said, added, conversation = values(template)
    assert (said[2], added) == (Lifetime.DEPLOYMENT, ("system", "docs", Lifetime.REQUEST, False))
    assert (conversation[0], conversation[3]) == ("history", True)


@pytest.mark.parametrize(
    "change",
    [
        "    request.messages = [{'role': 'system', 'content': self.prompt}] + request.messages\n",
        "    request.messages = request.messages + [{'role': 'user', 'content': f'Known: {docs}'}]\n",
        "    request['messages'].append({'role': 'user', 'content': f'Known: {docs}'})\n",
        "    request.log.insert(0, f'Known: {docs}')\n",
    ],
)
def test_a_request_in_whose_front_nothing_varies(change: str) -> None:
    program = "class Step:\n    def prepare(self, request, docs):\n" + change.replace("    ", "        ", 1)
    found = templates(program + "        return request\n")
    assert all(template.confidence is Confidence.LOW for template in found)
    fronts = [block for template in found for block in template.blocks if block.role == "system"]
    assert not any(s.lifetime.varies for block in fronts for s in block.segments if isinstance(s, Value))


@pytest.mark.parametrize(
    "writing", ["'\\n'.join(f['text'] for f in found)", "self._format_memory_block(found)", "render_memories(found)"]
)
def test_what_a_step_recalls_for_the_last_message_changes_with_it(writing: str) -> None:
    program = (
        "class Query:\n    def __init__(self, messages):\n        self.messages = messages\n"
        "class Step:\n    def inject(self, query: Query) -> Query:\n"
        "        found = self.manager.store.retrieve_memory(query.messages[-1]['content'])\n"
        "        if not found:\n            return query\n"
        f"        known = {writing}\n"
        "        query.messages = [{'role': 'system', 'content': known}] + query.messages\n        return query\n"
    )
    (template,) = templates(program)
    added, conversation = values(template)
    assert (added[0], added[2], conversation[0]) == ("system", Lifetime.REQUEST, "history")


def test_memories_that_are_loaded_for_the_session() -> None:
    program = (
        "class Step:\n    def prepare(self, query):\n        known = render_memories(self.store.load_memories())\n"
        "        query.messages.insert(0, {'role': 'system', 'content': 'Known: ' + known})\n        return query\n"
    )
    (template,) = templates(program)
    assert values(template)[0][2] is Lifetime.SESSION


@pytest.mark.parametrize(
    ("made", "told"), [("Note('user', text)", False), ("{'role': 'user', 'content': text, 'id': str(uuid4())}", True)]
)
def test_the_id_of_an_object_of_the_project_is_not_sent(made: str, told: bool) -> None:
    program = f"""
from uuid import uuid4
class Note:
    def __init__(self, role, content):
        self.id = str(uuid4())
        self.role = role
        self.content = content
def ask(talk):
    text = "You are the lamplighter of a harbour. Tell the ships which way in is free of ice tonight."
    return client.chat.completions.create(model="gpt-4o", messages=[{made}, *talk])
"""
    (template,) = templates_of(f"from openai import OpenAI\nclient = OpenAI()\n{program}")
    drifts = [s.drift.kind for b in template.blocks for s in walk(b.segments) if isinstance(s, Value) and s.drift]
    assert drifts == (["renewed"] if told else [])


@pytest.mark.parametrize(
    "told",
    [
        "    told = 'Be kind.'\n    if messages[0]['role'] == 'system':\n        told = messages[0]['content']\n",
        "    told = 'Be kind.'\n    if messages and messages[0].get('role') == 'system':\n"
        "        told = messages[0]['content'].strip()\n        messages = messages[1:]\n",
        "    told = ''\n    if len(messages) > 0 and messages[0].role in ('system', 'developer'):\n"
        "        told = messages[0].content\n",
        "    told = messages[0].content if isinstance(messages[0], SystemMessage) else 'Be kind.'\n",
    ],
)
def test_what_a_first_message_says_that_is_found_to_be_the_systems(told: str) -> None:
    # Callers set it for all their talks: it is no turn of one, nor is the choice.
    (template,) = templates(
        "def ask(messages):\n" + told + "    prompt = 'You use tools.\\n' + told + '\\nAnswer in one word.'\n"
        "    client.completions.create(model='gpt-4o', prompt=prompt)\n"
    )
    lifetimes = {s.lifetime for s in walk(template.blocks[0].segments) if isinstance(s, Value | Choice)}
    assert lifetimes == {Lifetime.DEPLOYMENT}


@pytest.mark.parametrize(
    ("asked", "lifetime"),
    [
        # Another message, another role, and the first message where nothing asks for its role.
        ("messages[-1]['role'] == 'user'", Lifetime.REQUEST),
        ("messages[0]['role'] == 'user'", Lifetime.SESSION),
        ("flag", Lifetime.SESSION),
    ],
)
def test_what_a_message_says_that_is_not_the_systems(asked: str, lifetime: Lifetime) -> None:
    message = "messages[-1]" if "-1" in asked else "messages[0]"
    (template,) = templates(
        f"def ask(messages, flag):\n    told = ''\n    if {asked}:\n        told = {message}['content']\n"
        "    prompt = 'You use tools.\\n' + told + '\\nAnswer in one word.'\n"
        "    client.completions.create(model='gpt-4o', prompt=prompt)\n"
    )
    assert [s.lifetime for s in walk(template.blocks[0].segments) if isinstance(s, Value)] == [lifetime]


def test_a_systems_message_that_is_changed_where_it_is_found() -> None:
    program = (
        "def ask(messages, docs):\n    if messages[0]['role'] == 'system':\n        messages[0]['content'] += docs\n"
    )
    assert ("system", "docs", Lifetime.REQUEST, False) in [v for t in templates(program + SEND) for v in values(t)]
