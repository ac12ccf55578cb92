"""Conversations cut in groups of messages, and those that a store keeps under the keys of their users.

What is expected follows from running each program by hand for two turns, with more messages than it keeps.
"""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Drift, Repeat, Value, walk
from python_support import templates_of

HEAD = """
from openai import OpenAI
client = OpenAI()
SYSTEM = {"role": "system", "content": "You keep the lock of a canal and tell the boats when they may pass."}
"""
LOOP = """
def shortened(history, n):
    rounds = []
    for i in range(0, len(history) - 1, 2):
        question = history[i]
        answer = history[i + 1]
        rounds.append((question, answer))
    if len(rounds) <= n:
        return history
    kept = rounds[{cut}]
    past = []
    for one in kept:
        past.extend(one)
    return past
"""
COMPREHENSION = """
def shortened(history, n):
    rounds = [history[i : i + 2] for i in range(0, len(history), 2)]
    return [message for one in rounds[{cut}] for message in one]
"""
SENT = """
def turn(history, question, n):
    messages = [SYSTEM, *shortened(history, n), {"role": "user", "content": question}]
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""


def _drifts(program: str) -> list[Drift | None]:
    """How the conversations of the one template drift; there must be one."""
    (template,) = templates_of(HEAD + program)
    found = [s for b in template.blocks for s in walk(b.segments) if isinstance(s, Value | Repeat)]
    drifts = [s.drift for s in found if s.grows or s.drift is not None]
    assert drifts
    return drifts


@pytest.mark.parametrize("made", [LOOP, COMPREHENSION], ids=["loop", "comprehension"])
def test_the_last_rounds_of_a_conversation_are_its_end(made: str) -> None:
    (drift,) = _drifts(made.format(cut="-n:") + SENT)
    assert drift is not None
    assert (drift.kind, drift.expression) == ("window", "rounds[-n:]")


@pytest.mark.parametrize("cut", ["::", "1:"])
@pytest.mark.parametrize("made", [LOOP, COMPREHENSION], ids=["loop", "comprehension"])
def test_all_rounds_but_fixed_first_ones_are_the_whole(made: str, cut: str) -> None:
    assert _drifts(made.format(cut=cut) + SENT) == [None]


STORE = """
class Store:
    def __init__(self):
        self.talks = {}
    def trimmed(self, conversation, most=None):
        if most is None:
            return conversation
        even = most if most % 2 == 0 else most - 1
        return CUT
    def save(self, user, message, most=None):
        talk = self.talks.get(user, [])
        talk.append(message)
        talk = self.trimmed(talk, most)
        self.talks[user] = talk
    def fetch(self, user):
        return self.talks.get(user, [])
class Keeper:
    def __init__(self, store=None):
        self.store = store or Store()
    def turn(self, user, question):
        past = self.store.fetch(user)
        messages = [SYSTEM, *past, {"role": "user", "content": question}]
        answer = client.chat.completions.create(model="gpt-4o", messages=messages)
        self.store.save(user, {"role": "user", "content": question}, 20)
        self.store.save(user, {"role": "assistant", "content": answer.choices[0].message.content}, 20)
"""


def test_what_a_store_that_may_be_another_one_cuts_for_each_user() -> None:
    (drift,) = _drifts(STORE.replace("CUT", "conversation[-even:]"))
    assert drift is not None
    assert (drift.kind, drift.expression) == ("window", "conversation[-even:]")


def test_what_such_a_store_keeps_whole() -> None:
    assert _drifts(STORE.replace("CUT", "conversation[:]")) == [None]
