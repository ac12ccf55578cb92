"""System texts that code takes out of a conversation to send them apart: each request has the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Value, walk
from python_support import templates_of

if TYPE_CHECKING:
    from prefixlint.model.templates import Block

HEAD = "from openai import OpenAI\nclient = OpenAI()\n"
SEND = "    return client.responses.create(model='gpt-4o', instructions=system, input=rest)\n"
GIVEN = "\ndef ask(query):\n    return send(to_messages(search(query)))\n"


def blocks(program: str) -> tuple[Block, ...]:
    return next(t.blocks for t in templates_of(HEAD + program) if t.form == "openai-responses")


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


def varying(block: Block) -> list[str]:
    return [
        segment.expression
        for segment in walk(block.segments)
        if isinstance(segment, Value | Repeat) and segment.lifetime.varies
    ]


CONTENT = (
    "def text_of(content):\n    if isinstance(content, str):\n        return content\n"
    "    if isinstance(content, list):\n"
    "        return '\\n'.join(str(part.get('text')) for part in content if part.get('type') == 'text')\n"
    "    return str(content)\n"
)


def test_a_content_that_is_made_text_for_the_system_says_nothing_of_what_changes() -> None:
    taken = "    system, rest = text_of(messages[0].get('content')), messages[1:]\n"
    front, *_ = blocks(f"{CONTENT}def send(messages):\n{taken}{SEND}{GIVEN}")
    assert (front.role, varying(front)) == ("system", [])


def test_the_text_itself_is_told_where_it_is_written() -> None:
    # The twin: what the callers say stands in the system text, with a clock in front of their rules.
    front, *_ = blocks(
        f"import datetime\n{CONTENT}def send(first, rest):\n    system = text_of(first)\n{SEND}"
        "def ask(question):\n    return send(f'It is {datetime.datetime.now()}. Answer in one sentence.', question)\n"
    )
    assert varying(front) == ["datetime.datetime.now()"]


def test_what_was_found_is_another_thing_each_time_even_as_the_whole_system_text() -> None:
    for system in ("'\\n'.join(document.text for document in documents)", "documents[0]"):
        front, *_ = blocks(f"def send(documents, rest):\n    system = {system}\n{SEND}")
        assert varying(front)


def test_of_a_text_that_is_followed_no_further_only_what_is_sure_is_told() -> None:
    made = "    system = redacted(f'These are the notes that were found: {VALUE}. Answer in one sentence.')\n"
    program = f"import datetime\nfrom privacy import redacted\ndef send(question, rest):\n{made}{SEND}"
    front, *_ = blocks(program.replace("VALUE", "search(question)"))
    assert varying(front) == []
    front, *_ = blocks(program.replace("VALUE", "datetime.datetime.now()"))
    assert varying(front) == ["system"]
