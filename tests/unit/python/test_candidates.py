"""Calls of one of several functions: only those that can take what is given are called."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

HEAD = """
from openai import OpenAI
client = OpenAI()
RULES = "Answer from the catalogue of the library alone, in one sentence, and name the shelf on which the book stands."


def plain(question, topic, style="short"):
    return f"{RULES} In {style} style: {question}"


def brief(question, topic, style="brief"):
    return f"{RULES} Be brief, in {style} style: {question} ({topic})"


NAMED = {"plain": plain, "brief": brief}


def pick(kind):
    return NAMED[kind]


def send(prompt):
    return client.responses.create(model="gpt-4o", input=prompt)

"""


def lifetimes(call: str) -> dict[str, Lifetime]:
    program = f"{HEAD}\ndef ask(kind, question, topic, headers, notes):\n    make = pick(kind)\n    send({call})\n"
    return {
        s.expression: s.lifetime
        for template in templates_of(program)
        if template.form == "openai-responses"
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Value)
    }


def test_a_function_that_cannot_take_what_is_given_is_another_times() -> None:
    # Both take two values and ``style``: with four more they would raise, so the call is of a function not seen here.
    assert "style" not in lifetimes("make(question, topic, headers, notes, style='apa')")


def test_one_that_can_is_called() -> None:
    # The twin: what the caller gives stands in the prompt that ``plain`` makes.
    assert lifetimes("make(question, topic, style=notes)")["style"] is not Lifetime.CONSTANT
    assert lifetimes("make(question, topic)")["question"] is Lifetime.REQUEST


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("", ["question"]),
        ("@again(3)\n", ["question"]),  # of a library: needs what the function needs
        ("def again(times):\n    return lambda f: f\n\n@again(3)\n", []),  # of the project: may take something else
    ],
)
def test_a_call_that_does_not_fit_the_function_is_one_of_another(head: str, found: list[str]) -> None:
    program = (
        "from openai import OpenAI\nfrom own import again\nclient = OpenAI()\n"
        f"{head}def get_answer_of_llm(prompt, system):\n"
        "    return client.chat.completions.create(model='m', messages=[{'role': 'system', 'content': system}, "
        "{'role': 'user', 'content': prompt}])\n"
        "def ask(question):\n"
        "    return get_answer_of_llm(msg=f'''Asked: {question}\nYou answer for the ferry office of an island. Your "
        "task is to give the times of the boats in summer and in winter, the price for each, and where one can wait "
        "when it rains. Do not promise that a boat will go.''', system='You are kind.')\n"
    )
    templates = templates_of(program)
    values = [s.expression for t in templates for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert [value for value in values if value == "question"] == found


@pytest.mark.parametrize(
    ("head", "call"),
    [
        # As langsmith's decorator does, a library's may take something for itself.
        ("@traced\ndef ask(system, prompt):\n    {sent}\n", "ask(f'It is {wish}.', 'Go.', langsmith_extra={})"),
        (
            "class Desk:\n    def ask(self, system, prompt):\n        {sent}\n",
            "Desk.ask(Desk(), f'It is {wish}.', 'Go.')",
        ),
    ],
)
def test_a_call_that_fits_in_another_way(head: str, call: str) -> None:
    sent = (
        "return OpenAI().chat.completions.create(model='m', messages=[{'role': 'system', 'content': system}, "
        "{'role': 'user', 'content': prompt}])"
    )
    program = "from openai import OpenAI\nfrom tracing import traced\n" + head.replace("{sent}", sent)
    (template,) = templates_of(f"{program}def run(wish):\n    return {call}\n")
    assert [[getattr(s, "expression", "") or s.text for s in b.segments] for b in template.blocks] == [
        ["It is ", "wish", "."],
        ["Go."],
    ]


QUERY = '''
CHOICE_{name} = """For the museum of a harbour town.
{first} {{wish}}
{second}
A ticket costs four crowns, and children pay half of that. The lighthouse can be climbed on dry days. You are the guide
of the museum. Your task is to be brief. If you are not sure, say so, and make sure to name the room where it hangs."""

def ask(llm, wish):
    return llm.send(CHOICE_{name}.format(wish=wish))
'''


@pytest.mark.parametrize(
    ("name", "first", "second", "found"),
    [
        ("A", "Wish:", "Select the picture that fits best from the list of all pictures.", ["wish"]),
        ("B", "Wish:", "Update your choice as soon as there is an answer from the visitor.", ["wish"]),
        ("C", "Wish:", "select room, floor from pictures where name like 'A%';", []),
        ("D", "Wish:", "update pictures set room = 3;", []),
        ("E", "Wish:", "select a.room, b.floor from pictures a, rooms b where a.name like 'A%';", []),
    ],
)
def test_an_instruction_that_begins_like_a_query(name: str, first: str, second: str, found: list[str]) -> None:
    templates = templates_of(QUERY.format(name=name, first=first, second=second))
    values = [s.expression for t in templates for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert values == found
