"""Lists that a test finds empty: what a branch adds is there instead of their items, or on the first turn only."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

HEAD = """
import json
from datetime import datetime
from openai import OpenAI
client = OpenAI()
RULES = "You sort letters in a post office on an island. Letters without a stamp are delivered too."
FIRST = {"role": "system", "content": RULES}
"""
TAIL = """
    messages.append({"role": "user", "content": question})
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""


def roles(body: str, parameters: str = "question, session, messages, history") -> list[list[str]]:
    code = f"{HEAD}def answer({parameters}):\n    {body}{TAIL}"
    found = analyse([SourceFile("desk.py", code)], lambda _: None)
    assert found["desk.py"].faults == ()
    return [[b.role for b in t.blocks] for t in found["desk.py"].templates if t.form == "openai-chat"]


@pytest.mark.parametrize(
    "body",
    [
        "if not messages:\n        messages.append(FIRST)",
        "if not messages:\n        messages = [FIRST]",
        "if messages:\n        print(len(messages))\n    else:\n        messages.append(FIRST)",
        "messages = json.loads(session) if session else []\n    if not messages:\n        messages.append(FIRST)",
        "messages = load_history(session)\n    if len(messages) == 0:\n        messages.append(FIRST)",
        "messages = history or []\n    if messages == []:\n        messages.insert(0, FIRST)",
    ],
)
def test_what_begins_a_conversation_stands_in_front_of_it_on_later_turns(body: str) -> None:
    assert roles(body) == [["system", "history", "user"]]


@pytest.mark.parametrize(
    "body",
    [
        "messages.append(FIRST)",
        "if question:\n        messages.append(FIRST)",
        "messages = json.loads(session) if session else []\n    messages.append(FIRST)",
    ],
)
def test_what_is_added_whether_it_has_begun_or_not_stands_behind(body: str) -> None:
    assert roles(body)[0][-2:] == ["system", "user"] or roles(body) == [["history", "user"]]
    assert ["system", "history", "user"] not in roles(body)


def test_what_the_first_turn_was_given_lasts_for_the_session() -> None:
    code = f"""{HEAD}
def answer(question, messages):
    if not messages:
        messages = [{{"role": "system", "content": f"It is {{datetime.now()}}. " + RULES}}]
    {TAIL}"""
    (template,) = templates_of(code, "desk.py")
    clock = next(s for s in walk(template.blocks[0].segments) if isinstance(s, Value))
    assert clock.lifetime is Lifetime.SESSION


LETTERS = """
    found = []
    for letter in letters:
        found.append({"role": "user", "content": f"Not delivered: {letter}. " + RULES})
    if TEST:
        found.append({"role": "user", "content": f"Failed: {error}. Nothing was delivered at all. " + RULES})
    return client.chat.completions.create(model="gpt-4o", messages=found)
"""


@pytest.mark.parametrize(("test", "both"), [("not found", False), ("len(found) < 1", False), ("error", True)])
def test_what_stands_for_an_empty_list_is_not_in_front_of_its_items(test: str, both: bool) -> None:
    code = HEAD + "def retry(letters, error):" + LETTERS.replace("TEST", test)
    (template,) = templates_of(code, "desk.py")
    values = [s.expression for b in template.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert ("letters" in values and "error" in values) is both
