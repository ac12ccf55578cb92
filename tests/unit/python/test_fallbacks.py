"""Texts that stand in for what a look-up does not find, and lists of texts between which a condition decides."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Choice, Segment, Text, Value, walk
from python_support import templates_of

HEAD = '''import os
from openai import OpenAI
client = OpenAI()
PROMPT = """Question: {question}
You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader may keep
thirty things at a time. What is late costs ten cents a day. Never tell one what another has borrowed."""
RULES = PROMPT.partition("\\n")[2]
'''
SEND = "    client.chat.completions.create(model='gpt-4o', messages=[{'role': 'user', 'content': prompt}])\n"


def shape(segments: tuple[Segment, ...]) -> list[object]:
    """Values by their expressions, texts by their first word, choices as lists of the shapes of their arms."""
    out: list[object] = []
    for segment in segments:
        if isinstance(segment, Text):
            out.append(segment.text.split()[0] if segment.text.strip() else "")
        elif isinstance(segment, Value):
            out.append(f"<{segment.expression}>")
        elif isinstance(segment, Choice):
            out.append([shape(arm) for arm in segment.arms])
    return out


def shapes(program: str) -> list[list[object]]:
    return [
        shape(template.blocks[0].segments)
        for template in templates_of(HEAD + program)
        if template.form == "openai-chat"
    ]


@pytest.mark.parametrize(
    "looked_up",
    [
        "os.environ.get('PROMPT', PROMPT)",
        "os.getenv('PROMPT', PROMPT)",
        "settings.get('greeting', PROMPT)",
        "settings.get('greeting', default=PROMPT)",
        "getattr(settings, 'greeting', PROMPT)",
        "load(settings)",
        "greeting(settings)",
    ],
)
def test_a_text_for_what_is_not_found_is_a_prompt(looked_up: str) -> None:
    program = (
        "def load(settings):\n    try:\n        return open(settings.path).read()\n"
        "    except OSError:\n        return PROMPT\n"
        "def greeting(settings):\n    try:\n        template = settings.at('greeting')\n"
        "    except KeyError:\n        template = PROMPT\n    return template\n"
        f"def ask(question, settings):\n    prompt = {looked_up}.format(question=question)\n" + SEND
    )
    assert ["Question:", "<question>", "You"] in shapes(program)


@pytest.mark.parametrize("said", ["f'It failed: {error}'", "'It failed. ' * 9"])
def test_what_a_handler_says_of_a_failure_takes_no_part(said: str) -> None:
    program = (
        f"def run(tool):\n    try:\n        return tool()\n    except OSError as error:\n        return {said}\n"
        "def ask(question, tool):\n    prompt = RULES + question + run(tool)\n" + SEND
    )
    assert shapes(program) == [["You", "<question>", "<run(tool)>"]]


def test_a_short_default_takes_no_part() -> None:
    program = "def ask(question, d):\n    prompt = RULES + d.get('note', 'none') + question\n" + SEND
    assert shapes(program) == [["You", "<d.get('note', 'none')>", "<question>"]]


@pytest.mark.parametrize(
    "more",
    [
        "parts = parts + ['More is asked for.']",
        "parts = [*parts, 'More is asked for.']",
        "parts = list(parts)\n        parts.append('More is asked for.')",
        "parts.append('More is asked for.')",
    ],
)
def test_lists_of_texts_between_which_a_condition_decides_are_added_to_alike(more: str) -> None:
    program = (
        f"def ask(question, more):\n    parts = [question]\n    if more:\n        {more}\n"
        "    parts.append(RULES)\n    parts += ['The end.']\n    prompt = '\\n\\n'.join(parts)\n" + SEND
    )
    (found,) = shapes(program)
    assert found[0] == "<question>"
    assert found[1] == [["More"], []]
    assert found[2:] == ["You"]


def test_messages_between_which_a_condition_decides_are_added_to_alike() -> None:
    program = (
        "def ask(question, more):\n    messages = [{'role': 'system', 'content': question + RULES}]\n"
        "    if more:\n        messages = messages + [{'role': 'user', 'content': more}]\n"
        "    messages.append({'role': 'user', 'content': question})\n"
        "    client.chat.completions.create(model='gpt-4o', messages=messages)\n"
    )
    assert shapes(program) == [["<question>", "You"]]


MENDING = """
from own.checks import DeskMessage, Invalid, check

class Form:
    error_text = (
        "The form that was filled in does not fit what is asked for on it.\\n"
        "It says: {{entry}}\\nWhat is wrong: {{fault}}\\n"
        "Please fill it in again and leave nothing out. Keep all that is right as it stands, and write each line as it "
        "is asked for. Do not write anything above or below the form, and do not explain what you have changed. Use "
        "the words of the form where it gives any, and a dash where there is nothing to say. Write dates in full."
    )

    def run(self, entry, limit):
        try:
            for line in entry.lines:
                check(line, limit)
            return {{"valid": [entry]}}
        except Invalid as fault:
            {name} = self.error_text.format(entry=entry.text, fault=str(fault))
            return {{"wrong": [DeskMessage({name})]}}
"""


@pytest.mark.parametrize(("name", "found"), [("mending_prompt", ["entry", "fault"]), ("log_line", [])])
def test_a_prompt_that_a_handler_makes_and_gives_away_in_an_object(name: str, found: list[str]) -> None:
    templates = templates_of(MENDING.format(name=name))
    segments = [s for t in templates for b in t.blocks for s in walk(b.segments)]
    assert [s.expression for s in segments if isinstance(s, Value)] == found


HEADED = """
def head(plain, day):
    if plain:
        return []
    return [{{"role": "system", "content": f"You keep the lists of a library. It is {{day}}."}}]

def ask(plain, day, history, question):
    messages = head(plain, day)
    {joined}
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""


@pytest.mark.parametrize("joined", ["messages += history", "messages = messages + history"])
def test_one_of_two_lists_that_another_is_added_to(joined: str) -> None:
    # Whichever way it goes, the conversation stands behind what the function gives.
    (template,) = (t for t in templates_of(HEAD + HEADED.format(joined=joined)) if t.form == "openai-chat")
    assert [(block.role, shape(block.segments)) for block in template.blocks] == [
        ("system", [[["You", "<day>", "."], []]]),
        ("history", ["<history>"]),
    ]
