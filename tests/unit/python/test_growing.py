"""Conversations that only grow: what stands in front of what a loop adds is sent again as it was, however the list is
kept and whatever is made of it on its way to the request. What is made anew in front of them for each request strands
them.

Each program is written twice: as it should be, and with one line more or another one in which something new is put in
front. Which is which follows from comparing two requests of one conversation by hand.
"""

from __future__ import annotations

import pytest
from prefixlint.engines.targets import load_target
from prefixlint.layout import build
from python_support import templates_of

HEAD = """
import copy, json
from dataclasses import dataclass, field
from datetime import datetime
from openai import OpenAI
client = OpenAI()
"""

TRIMMED = (
    """
def shrink(messages, limit):
    messages = copy.deepcopy(messages)
    if count_tokens(messages) < limit:
        return messages
    kept = [m for m in messages if m["role"] == "system"]
    for m in messages:
        if m["role"] != "system":
            kept.append(m)
    return kept

class Gardener:
    def __init__(self, rules):
        self._talk = [{"role": "system", "content": rules}]
    def ask(self, prompt):
        self._talk.append({"role": "user", "content": prompt})
        while True:
            said = self._complete().choices[0].message
            self._talk.append(said.json())
            if not said.tool_calls:
                return said.content
            for call in said.tool_calls:
                self._talk.append({"role": "tool", "tool_call_id": call.id, "content": dig(call)})
    def _complete(self):
        self._talk = shrink(self._talk, 8000)
        return client.chat.completions.create(model="gpt-4o", messages=%s)

def visit(garden):
    gardener = Gardener("You look after the garden of a castle.")
    print(gardener.ask(f"The soil:\\n{garden.soil()}\\nThe leaves:\\n{garden.leaves()}\\n{input('> ')}"))
    while True:
        print(gardener.ask(input("> ")))
""",
    "self._talk",
    '[{"role": "system", "content": f"It is {datetime.now()}."}, *self._talk]',
)
MEMORY = (
    """
class Memory:
    def __init__(self):
        self._items = []
    def add(self, role, content, **more):
        self._items.append({"role": role, "content": content, **more})
    def get_messages(self):
        return %s

class Agent:
    def __init__(self):
        self.memory = Memory()
        self.memory.add("system", "You find old maps in an archive.")
    def run(self, task, documents):
        self.memory.add("user", f"Documents:\\n{documents}\\n\\nTask: {task}")
        for step in range(12):
            answer = client.chat.completions.create(model="gpt-4o", messages=self.memory.get_messages())
            said = answer.choices[0].message
            self.memory.add("assistant", said.content)
            if not said.tool_calls:
                return said.content
            for call in said.tool_calls:
                self.memory.add("tool", execute(call), tool_call_id=call.id)

def main(question):
    print(Agent().run(question, search(question)))
""",
    "list(self._items)",
    '[{"role": "system", "content": f"Time: {datetime.now()}"}] + list(self._items)',
)
FIELD = (
    """
@dataclass
class Trip:
    goal: str
    log: list = field(default_factory=list)

def sent(log):
    out = []
    for m in log:
        out.append({"role": "assistant" if m["who"] == "ai" else "user", "content": m["text"]})
    return out

def step(trip):
    rules = {"role": "system", "content": %s}
    answer = client.chat.completions.create(model="gpt-4o", messages=[rules] + sent(trip.log))
    trip.log.append({"who": "ai", "text": answer.choices[0].message.content})
    return answer.choices[0].message.content

def travel(goal, weather):
    trip = Trip(goal)
    trip.log.append({"who": "human", "text": f"Goal: {goal}\\nThe weather:\\n{weather}"})
    while True:
        command = step(trip)
        if command == "arrived":
            return trip
        trip.log.append({"who": "human", "text": walk(command)})
""",
    '"You walk from inn to inn. Answer with one command at a time."',
    'f"It is {datetime.now()}. You walk from inn to inn. Answer with one command at a time."',
)
SEND = (
    """
def joined(*parts):
    return "\\n".join(part for part in parts if part)

class Chat:
    def __init__(self, rules):
        self.log = [{"role": "system", "content": rules}]
    def send(self, text):
        self.log.append({"role": "user", "content": text})
        answer = client.chat.completions.create(model="gpt-4o", messages=%s)
        said = answer.choices[0].message.content
        self.log.append({"role": "assistant", "content": said})
        return said

def repair(clock, sound, question):
    chat = Chat("You repair clocks.")
    print(chat.send(joined(f"The sound:\\n{sound}", question)))
    while (line := input("? ")) != "q":
        print(chat.send(joined(f"What I have tried:\\n{tried()}", line)))
""",
    "self.log",
    '[{"role": "user", "content": f"From the manual:\\n{search_docs(text)}"}, *self.log]',
)
STAGES = (
    """
class Reply:
    def __init__(self, messages):
        self.messages = messages

class Runner:
    def ask(self, rules, history):
        messages = [{"role": "system", "content": %s}] + history
        return client.chat.completions.create(model="gpt-4o", messages=messages)
    def handle(self, calls):
        out = Reply(messages=[])
        for call in calls:
            out.messages.append({"role": "tool", "tool_call_id": call.id, "content": str(call_tool(call))})
        return out
    def run(self, rules, messages):
        history = copy.deepcopy(messages)
        before = len(messages)
        while len(history) < 40:
            said = self.ask(rules, history).choices[0].message
            history.append(json.loads(said.model_dump_json()))
            if not said.tool_calls:
                break
            history.extend(self.handle(said.tool_calls).messages)
        return Reply(messages=history[before:])

def survey(papers, ideas):
    runner = Runner()
    listing = "\\n".join(f"Title: {p['title']}" for p in papers)
    messages = [{"role": "user", "content": f"The papers:\\n{listing}\\nThe ideas:\\n{ideas}"}]
    messages.extend(runner.run("You survey papers.", messages).messages)
    messages.append({"role": "user", "content": "Go on."})
    return runner.run("You survey papers.", messages)
""",
    "rules",
    "rules + str(datetime.now())",
)
ITEMS = (
    """
class Thread:
    def __init__(self):
        self.items = []
    def add(self, role, text):
        self.items.append({"role": role, "content": text})

def decide(thread, line):
    notes = look_up(line)
    messages = [dict(m) for m in thread.items]
    %s
    said = client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content
    thread.add("assistant", said)
    return said

def talk(profile, letters):
    thread = Thread()
    thread.add("system", "You read letters aloud.")
    thread.add("user", f"Letters:\\n{letters}\\nWhoever listens: {profile}")
    while True:
        line = input("> ")
        thread.add("user", line)
        print(decide(thread, line))
""",
    "print(notes)",
    'messages = [{"role": "user", "content": f"Notes: {notes}"}] + messages',
)
CLONED = (
    """
def ask(conversation):
    return client.chat.completions.create(model="gpt-4o", messages=%s).choices[0].message

def weave(task, notes, loom):
    conversation = [
        {"role": "system", "content": "You weave carpets."}, {"role": "user", "content": f"{notes}\\n{task}"}
    ]
    assistant_message = ask(conversation)
    while True:
        cloned_assistant = clone(assistant_message, loom)
        conversation.append(cloned_assistant)
        if not assistant_message.tool_calls:
            return assistant_message
        tool_messages, events = run_batch(loom, assistant_message.tool_calls)
        conversation.extend(tool_messages)
        assistant_message = ask(conversation)
""",
    "conversation",
    '[{"role": "system", "content": f"It is {datetime.now()}."}] + conversation',
)
PROGRAMS = [TRIMMED, MEMORY, FIELD, SEND, STAGES, ITEMS, CLONED]
NAMES = [
    "trimmed copy",
    "copy from a memory",
    "field, in another form",
    "sent by a method",
    "in stages",
    "items",
    "cloned answers",
]


def stranding(program: str) -> set[str]:
    """Expressions of the values that are said to have a conversation computed again."""
    target = load_target("llama-server")
    layouts = [build(template, (target,)) for template in templates_of(HEAD + program)]
    return {i.expression for each in layouts for i in each.inversions if i.history_stranded and i.lifetime.varies}


@pytest.mark.parametrize(("program", "clean", "fault"), PROGRAMS, ids=NAMES)
def test_what_a_conversation_begins_with_does_not_strand_it(program: str, clean: str, fault: str) -> None:
    assert stranding(program % clean) == set()


@pytest.mark.parametrize(("program", "clean", "fault"), PROGRAMS, ids=NAMES)
def test_what_is_made_anew_in_front_of_it_does(program: str, clean: str, fault: str) -> None:
    found = stranding(program % fault)
    assert found
    assert all(expression in fault for expression in found)


RETRIED = """
LONG = "Say what is wrong with the verse below: the metre, the rhyme, the words that nobody uses today. " * 4
def attempt(messages, last, complaint):
    context = messages.copy()
    if complaint:
        context.append({"role": "user", "content": f"You wrote: {last}. " + LONG})
    return client.chat.completions.create(model="gpt-4o", messages=context).choices[0].message.content

def poem(theme):
    messages = [{"role": "system", "content": "You write verse."}, {"role": "user", "content": theme}]
    last = complaint = None
    for _ in range(5):
        last = attempt(messages, last, complaint)
        complaint = judge(last)
"""


def test_what_another_try_is_told_is_no_reply() -> None:
    """A copy of what was sent with another message of the user's behind it goes on with no answer."""
    (template,) = {each.name: each for each in templates_of(HEAD + RETRIED)}.values()
    assert [(block.role, block.appended) for block in template.blocks] == [
        ("system", False),
        ("user", False),
        ("user", False),
    ]
