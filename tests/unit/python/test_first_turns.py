"""Messages that an object adds on its first turn only, and loops whose passes are turns."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

HEAD = """
from openai import OpenAI
client = OpenAI()
RULES = "You sort letters in a post office on an island. Letters without a stamp are delivered too."
"""
DESK = """
class Desk:
    def __init__(self):
        self.messages = []
        self.started = False
    def ask(self, question):
        if {test}:
            self.messages.append({{"role": "system", "content": RULES}}){also}
        self.messages.append({{"role": "user", "content": question}})
        answer = client.chat.completions.create(model="gpt-4o", messages=self.messages)
        self.messages.append({{"role": "assistant", "content": answer.choices[0].message.content}})
"""


def roles(code: str) -> list[list[str]]:
    found = analyse([SourceFile("desk.py", HEAD + code)], lambda _: None)
    return [[b.role for b in t.blocks] for t in found["desk.py"].templates if t.form == "openai-chat"]


@pytest.mark.parametrize(
    ("test", "also"),
    [
        ("not self.messages", ""),
        ("len(self.messages) == 0", ""),
        ("len(self.messages) < 1", ""),
        ("self.messages == []", ""),
        ("not self.started", "\n            self.started = True"),
    ],
)
def test_what_the_first_turn_adds_stands_in_front_of_the_conversation(test: str, also: str) -> None:
    assert roles(DESK.format(test=test, also=also)) == [["system", "history", "user"]]


def test_what_every_turn_adds_stands_behind_it() -> None:
    assert roles(DESK.format(test="question", also="")) == [["history", "system", "user"]]


LOOPS = [
    "for _ in range(10):",
    "for step in range(MAX_STEPS):",
    "for _ in tqdm(range(9)):",
    "for s in steps:",
    "while True:",
]
SENT = "client.chat.completions.create(model='gpt-4o', messages=messages)"


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("sent", [SENT, "send(messages)"])
def test_a_loop_of_requests_is_a_conversation(loop: str, sent: str) -> None:
    code = f"""
def send(messages):
    return {SENT}
def run(question):
    messages = [{{"role": "system", "content": RULES}}, {{"role": "user", "content": question}}]
    {loop}
        said = {sent}.choices[0].message
        messages.append(said)
        for call in said.tool_calls:
            messages.append({{"role": "tool", "tool_call_id": call.id, "content": str(do(call))}})
"""
    found = analyse([SourceFile("desk.py", HEAD + code)], lambda _: None)
    laid_out = [[b.role for b in t.blocks] for t in found["desk.py"].templates if len(t.blocks) > 1]
    assert laid_out == [["system", "user", "history"]]


TOOLS = """
def run(question, history, tools):
    messages = [{{"role": "system", "content": RULES}}, {before}{{"role": "user", "content": f"Letter: {{question}}"}}]
    said = client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message
    messages.append({{"role": "assistant", "content": said.content}})
    {loop}
        for call in said.tool_calls:
            messages.append({{"role": "tool", "tool_call_id": call.id, "content": tools.run(call)}})
        said = {sent}.choices[0].message
        messages.append({{"role": "assistant", "content": said.content}})
    messages.append({{"role": "user", "content": "That will do: say where the letter goes."}})
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("before", ["", "*history, "])
def test_what_a_loop_adds_to_a_conversation_that_was_sent_is_of_the_same_request(loop: str, before: str) -> None:
    """The rounds of tools add to what was sent in front of them: only a talk from elsewhere is one that grows."""
    code = TOOLS.format(loop=loop, before=before, sent=SENT)
    last = templates_of(HEAD + code, "desk.py")[-1]
    grows = {s.expression for b in last.blocks for s in walk(b.segments) if isinstance(s, Value) and s.grows}
    assert grows == ({"history"} if before else set())
