"""Loops that send a conversation of their own: what changes from pass to pass strands it, the rest does not."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

HEAD = """
import time
from openai import OpenAI
client = OpenAI()
RULES = "You answer for the public library of a small town."
"""


def changing(before: str, system: str, behind: str = "pass", loop: str = "while True") -> set[str]:
    """What of the system message changes, of a loop that sends it in front of what its passes add."""
    program = f"""{HEAD}
def run(question, tools, model):
    chat = [{{"role": "user", "content": question}}]
    {before}
    {loop}:
        {system}
        head = {{"role": "system", "content": RULES + text}}
        said = client.chat.completions.create(model="gpt-4o", messages=[head, *chat]).choices[0].message
        chat.append({{"role": "assistant", "content": said.content}})
        {behind}
"""
    (template,) = templates_of(program)
    lines = program.splitlines()
    drifts = (s.drift for b in template.blocks for s in walk(b.segments) if isinstance(s, Value))
    spans = {span for drift in drifts if drift is not None for span in drift.changing}
    return {lines[s.start.line - 1][s.start.column - 1 : s.end.column - 1] for s in spans}


@pytest.mark.parametrize(
    ("before", "system", "behind", "expected"),
    [
        ("pass", 'text = f"At {time.time()}"', "pass", {"{time.time()}"}),
        ("now = time.time()", 'text = f"At {now}"', "pass", set()),
        ("pass", "now = time.time(); text = f'At {now}'", "pass", {"{now}"}),
        ("pass", 'text = f"Asked: {question} {len(tools)}"', "pass", set()),
        ("step = 0", 'step += 1; text = f"Step {step}"', "pass", {"{step}"}),
        ("late = bool(tools); text = question if late else ''", "late = not late", "pass", set()),
        ("late = bool(tools)", "late = not late; text = question if late else ''", "pass", {"late", "text"}),
        ("last = ''", 'text = f"Then: {last}"', "last = said.content", {"{last}"}),
        ("last = ''", 'last = model.find(question); text = f"Then: {last}"', "pass", set()),
        ("notes = []", "text = f'Notes: {notes}'", "notes.append(said.content)", {"{notes}"}),
        ("notes = []", "text = f'Notes: {notes}'", "tools.append(said.content)", set()),
        ("notes = []", "text = ''.join(f'- {n}' for n in notes)", "notes.append(said.content)", {"{n}", "notes"}),
    ],
)
def test_what_changes_from_pass_to_pass(before: str, system: str, behind: str, expected: set[str]) -> None:
    assert changing(before, system, behind) == expected


def test_the_item_of_the_loop_changes() -> None:
    assert changing("pass", 'text = f"Part {part} of {question}"', loop="for part in model.parts(question)") == {
        "{part}"
    }


def test_a_conversation_that_the_passes_do_not_add_to_is_none_of_theirs() -> None:
    program = f"""{HEAD}
def run(question, history):
    for part in history.parts:
        head = {{"role": "system", "content": f"{{RULES}} Part {{part}}"}}
        asked = {{"role": "user", "content": question}}
        client.chat.completions.create(model="gpt-4o", messages=[head, asked])
"""
    (template,) = templates_of(program)
    assert [s.drift for b in template.blocks for s in walk(b.segments) if isinstance(s, Value)] == [None, None]


BATCH = '''
RULES = """You answer for the public library of a small town. Say what the book that you are shown is about, in one
sentence or two, and whom it may please."""
def describe(books, question, path, index):
    task = json.load(open(path))["task"]
    %s:
        found = index.search(question, book)
        prompt = f"{%s}. {RULES} {book}"
        client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
'''


@pytest.mark.parametrize(
    ("loop", "front", "lifetime"),
    [
        ("for book in books", "task", Lifetime.SESSION),
        ("for book in books", "question", Lifetime.SESSION),
        ("for number, book in enumerate(books)", "question", Lifetime.SESSION),
        ("for book in books", "found", Lifetime.REQUEST),
        ("for book in books", "index.search(question)", Lifetime.REQUEST),
        ("for book in books", "book.title", Lifetime.REQUEST),
        # Another try is no other request.
        ("book = books\n    for attempt in range(3)", "question", Lifetime.REQUEST),
    ],
)
def test_what_was_there_before_a_loop_over_what_is_asked_about_lasts_longer(
    loop: str, front: str, lifetime: Lifetime
) -> None:
    program = "import json\n" + HEAD + BATCH % (loop, front)
    (template,) = templates_of(program)
    first = next(s for s in template.blocks[0].segments if isinstance(s, Value))
    assert first.lifetime is lifetime
