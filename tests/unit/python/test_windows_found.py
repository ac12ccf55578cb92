"""Windows whose size is counted in a loop, and those that start where a loop has found that the rest fits."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Value, walk
from python_support import templates_of

HEAD = """
from openai import OpenAI
client = OpenAI()  # an LLM
def send(messages):
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""


def windows(program: str) -> set[str]:
    """What keeps the end of a conversation in the requests of a program, as it is written."""
    return {
        segment.drift.expression
        for template in templates_of(HEAD + program)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value) and segment.drift is not None and segment.drift.kind == "window"
    }


ROUNDS = """
def kept(messages, most):
    out, rounds = [], 0
    for message in {over}:
        {body}
    return {given}
def ask(messages, question):
    send([*kept(messages, 5), {{"role": "user", "content": question}}])
"""
LEAVING = (
    "if rounds >= most:\n            break\n        out.append(message)\n"
    '        if message["role"] == "user":\n            rounds += 1'
)
TAKING = "if rounds < most:\n            out.append(message)\n            rounds += 1\n        else:\n            break"
ALL = 'out.append(message)\n        if message["role"] == "user":\n            rounds += 1'
FIRST = "if rounds >= most:\n            break\n        rounds += 1\n        out.append(message)"


@pytest.mark.parametrize(
    ("over", "body", "given", "told"),
    [
        ("reversed(messages)", LEAVING, "out[::-1]", {"reversed(messages)"}),
        ("messages[::-1]", TAKING, "list(reversed(out))", {"messages[::-1]"}),
        ("reversed(messages)", ALL, "out[::-1]", set()),
        ("messages", FIRST, "out", set()),
    ],
)
def test_rounds_that_a_loop_counts_from_the_end(over: str, body: str, given: str, told: set[str]) -> None:
    assert windows(ROUNDS.format(over=over, body=body, given=given)) == told


GIVEN = """
class Truncator:
    async def truncate(self, query, most):
        out, rounds = [], 0
        for message in query.messages[::-1]:
            if rounds < most:
                out.append(message)
                if message.role == "user":
                    rounds += 1
            else:
                break
        query.{name} = {value}
        return query
"""


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("messages", "out[::-1]", {"query.messages[::-1]"}),
        ("messages", "list(reversed(out))", {"query.messages[::-1]"}),
        ("newest", "out[::-1]", set()),
        ("messages", "query.messages + [query.answer]", set()),
    ],
)
def test_rounds_that_take_the_place_of_a_given_conversation(name: str, value: str, told: set[str]) -> None:
    assert windows(GIVEN.format(name=name, value=value)) == told


SEARCHES = {
    "halves": """
def fit(history, limit):
    low, high, best = 0, len(history) - 1, -1
    while low <= high:
        middle = (low + high) // 2
        text = render(history[middle:])
        left = limit - tokens(text)
        if left > 0:
            best = middle
            high = middle - 1
        else:
            low = middle + 1
    return history[best:]
""",
    "one by one": """
def fit(history, limit):
    start = 0
    for at in range(len(history)):
        if tokens(history[at:]) <= limit:
            start = at
            break
    return history[start:]
""",
    "the trial": """
def fit(history, limit):
    low, high, kept = 0, len(history), []
    while low < high:
        middle = (low + high) // 2
        trial = history[middle:]
        if tokens(trial) <= limit:
            kept = trial
            high = middle
        else:
            low = middle + 1
    return kept
""",
    "nothing measured": """
def fit(history, limit):
    start = 0
    for at in range(len(history)):
        if history[at:][0]["pinned"]:
            start = at
    return history[start:]
""",
    "another list": """
def fit(history, limit):
    start = 0
    for at in range(len(limit)):
        if tokens(limit[at:]) <= 5:
            start = at
    return history[start:]
""",
}


@pytest.mark.parametrize(
    ("search", "told"),
    [
        ("halves", {"history[best:]"}),
        ("one by one", {"history[start:]"}),
        ("the trial", {"history[middle:]"}),
        ("nothing measured", set()),
        ("another list", set()),
    ],
)
def test_places_that_a_loop_looks_for(search: str, told: set[str]) -> None:
    asked = 'def ask(history, question):\n    send([*fit(history, 900), {"role": "user", "content": question}])\n'
    assert windows(SEARCHES[search] + asked) == told


BY_PLACE = """
def ask(messages, question):
    {first}
    out = []
    for at, message in enumerate(messages):
        {body}
    send(out)
"""
ADDED = 'messages.append({"role": "user", "content": question})'
SHORT = '{"role": message["role"], "content": message["content"][:80]}'


@pytest.mark.parametrize("first", ["pass", ADDED])
@pytest.mark.parametrize(
    ("body", "told"),
    [
        (f"if at < len(messages) - 4:\n            out.append({SHORT})\n        else:\n            out.append(message)",
         {"at < len(messages) - 4"}),
        (f'if at < len(messages) - 4 and message["role"] == "tool":\n            out.append({SHORT})\n'
         "            continue\n        out.append(message)",
         {'at < len(messages) - 4 and message["role"] == "tool"'}),
        (f"age = len(messages) - at\n        if age > 4:\n            out.append({SHORT})\n            continue\n"
         "        out.append(message)", {"age > 4"}),
        # The newest is not there yet; the next turn has it behind the others, as they are.
        ("if at < len(messages) - 1:\n            out.append(message)", set()),
        ("if at >= len(messages) - 1:\n            continue\n        out.append(message)", set()),
        (f"if at == 0:\n            out.append({SHORT})\n            continue\n        out.append(message)", set()),
    ],
)  # fmt: skip
def test_forms_that_depend_on_the_place_from_the_end(first: str, body: str, told: set[str]) -> None:
    found = {
        segment.drift.expression
        for template in templates_of(HEAD + BY_PLACE.format(first=first, body=body))
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value) and segment.drift is not None and segment.drift.kind == "rewritten"
    }
    assert found == told


LISTS_IN_PLACE = """
class Desk:
    def __init__(self):
        self.messages = []
    def ask(self, question):
        self.messages = {asked}
        answer = send(self.messages).choices[0].message
        self.messages = {answered}
        {after}
"""
ASKED = '{"role": "user", "content": question}'
ANSWERED = '{"role": "assistant", "content": answer.content}'


@pytest.mark.parametrize(
    ("asked", "answered", "after", "told"),
    [
        (f"self.messages + [{ASKED}]", "self.messages + [answer]", "", set()),
        (f"[*self.messages, {ASKED}]", f"[*self.messages, {ANSWERED}]", "self.asked = self.asked + 1", set()),
        (
            f"(self.messages + [{ASKED}])[-20:]",
            "self.messages + [answer]",
            "",
            {f"(self.messages + [{ASKED}])[-20:]"},
        ),
        (
            f"[*self.messages, {ASKED}]",
            f"[*self.messages, {ANSWERED}]",
            "self.messages = self.messages[-20:]",
            {"self.messages[-20:]"},
        ),
        (f"self.messages[-20:] + [{ASKED}]", "self.messages + [answer]", "", {"self.messages[-20:]"}),
    ],
)
def test_lists_with_more_that_take_the_place_of_a_conversation(
    asked: str, answered: str, after: str, told: set[str]
) -> None:
    program = LISTS_IN_PLACE.replace("{asked}", asked).replace("{answered}", answered).replace("{after}", after)
    assert windows(program) == told
