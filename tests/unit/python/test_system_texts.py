"""System texts that code takes out of a conversation to send them apart: each request has the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Value, walk
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.model.templates import Block

HEAD = "from openai import OpenAI\nclient = OpenAI()\n"
SEND = "    return client.responses.create(model='gpt-4o', instructions=system, input=rest)\n"
GIVEN = "\ndef ask(query):\n    return send(to_messages(search(query)))\n"


def blocks(program: str) -> tuple[Block, ...]:
    found = analyse([SourceFile("app.py", HEAD + program)], lambda path: None)["app.py"]
    assert found.faults == ()
    return next(t.blocks for t in found.templates if t.form == "openai-responses")


@pytest.mark.parametrize(
    "split",
    [
        "    system, rest = '', []\n    for m in messages:\n        if m['role'] == 'system':\n"
        "            system += m['content']\n        else:\n            rest.append(m)\n",
        "    parts, rest = [], []\n    for m in messages:\n        role = m.get('role')\n        if role == 'system':\n"
        "            parts.append(m['content'])\n            continue\n        rest.append(m)\n"
        "    system = '\\n'.join(parts)\n",
        "    system = '\\n'.join(m.content for m in messages if m.role == 'system')\n"
        "    rest = [m for m in messages if m.role != 'system']\n",
        "    system = next((m.content for m in messages if m.role == 'developer'), None)\n"
        "    rest = [m for m in messages if m.role != 'developer']\n",
    ],
)
def test_what_is_taken_out_of_messages_does_not_vary_as_they_do(split: str) -> None:
    front, *others = blocks(f"def send(messages):\n{split}{SEND}{GIVEN}")
    assert front.role == "system"
    assert not any(
        segment.lifetime.varies for segment in walk(front.segments) if isinstance(segment, Value | Repeat | Choice)
    )
    # The rest is a conversation still.
    assert [block.role for block in others] == ["history"]
    (rest,) = others[0].segments
    assert isinstance(rest, Value)
    assert (rest.lifetime, rest.origin.kind, rest.grows) == (Lifetime.TURN, SourceKind.HISTORY, True)


def test_what_is_taken_of_each_message_varies() -> None:
    (front, *_) = blocks(
        "def send(messages):\n    system, rest = '', []\n    for m in messages:\n        if m['role'] == 'tool':\n"
        f"            system += m['content']\n        rest.append(m)\n{SEND}{GIVEN}"
    )
    assert any(segment.lifetime.varies for segment in walk(front.segments) if isinstance(segment, Repeat))


def test_both_sides_of_a_test_for_the_system_are_one_conversation() -> None:
    found = blocks(
        "def send(messages):\n    rest = []\n    for m in messages:\n        if m['role'] == 'system':\n"
        "            rest.append({'role': 'system', 'content': m['content']})\n        else:\n"
        "            rest.append({'role': m['role'], 'content': m['content']})\n    system = 'Answer in one line.'\n"
        f"{SEND}{GIVEN}"
    )
    assert [block.role for block in found] == ["system", "history"]


def test_an_answer_to_a_conversation_is_none() -> None:
    (front, *_) = blocks(
        "def send(history):\n    found = model.query(history, n=3)\n    system = f'Which of these is best? {found}'\n"
        f"    rest = 'Say which.'\n{SEND}"
    )
    (value,) = [segment for segment in walk(front.segments) if isinstance(segment, Value)]
    assert (value.lifetime, value.origin.kind, value.grows) == (Lifetime.REQUEST, SourceKind.USER_INPUT, False)
