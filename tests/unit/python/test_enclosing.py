"""What functions that are defined in others find around them, where nothing in the code calls them."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

RULES = '''
RULES = """You look after the tide tables of a small harbour. Boats that draw more than two metres wait for high water.
Name the next two tides, and say when the lock is open. Never promise a berth. Ask for the length of the boat where it
matters."""
'''
HEAD = f"""
from datetime import datetime
from fastapi import FastAPI
from openai import OpenAI
{RULES}

def send(system, text, client):
    return client.chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": system}}, {{"role": "user", "content": text}}])
"""


def system_parts(program: str) -> list[tuple[str, Lifetime]]:
    """The parts of the only system message: fixed text by its first word, values by their source."""
    systems = {
        tuple(
            (s.text.split()[0], s.lifetime) if isinstance(s, Text) else (s.expression, s.lifetime)
            for s in walk(block.segments)
            if isinstance(s, Value) or (isinstance(s, Text) and s.text.strip())
        )
        for template in templates_of(HEAD + program)
        for block in template.blocks
        if block.role == "system"
    }
    (only,) = systems
    return list(only)


APPLICATION = """
def create_app(harbour, notes_path):
    client = OpenAI()
    app = FastAPI()
    {around}

    @app.post("/ask")
    async def ask(question: str):
        return send({system}, question, client)

    return app
"""
FIXED = ("You", Lifetime.CONSTANT)


@pytest.mark.parametrize(
    ("around", "system", "expected"),
    [
        ("started = datetime.now()", 'f"{started} {RULES}"', [("started", Lifetime.PROCESS), FIXED]),
        ("started = datetime.now()", 'f"{datetime.now()} {RULES}"', [("datetime.now()", Lifetime.REQUEST), FIXED]),
        ("text = 'Tides. ' + RULES", "text", [("Tides.", Lifetime.CONSTANT)]),
        (
            'def stamp():\n        return f"{datetime.now()}"',
            'f"{stamp()} {RULES}"',
            [("stamp()", Lifetime.REQUEST), FIXED],
        ),
    ],
)
def test_a_route_finds_what_was_there_when_the_application_was_set_up(
    around: str, system: str, expected: list[tuple[str, Lifetime]]
) -> None:
    assert system_parts(APPLICATION.format(around=around, system=system)) == expected


def test_what_an_application_is_set_up_with_stays() -> None:
    given, _ = system_parts(APPLICATION.format(around="topic = harbour.query", system='f"{topic} {RULES}"'))
    assert given == ("topic", Lifetime.PROCESS)


def test_a_parameter_of_the_function_around_is_judged_by_its_name_where_no_framework_calls() -> None:
    program = """
def make_tool(question):
    client = OpenAI()
    def tool(text):
        return send(f"{question} {RULES}", text, client)
    return [tool]
"""
    assert system_parts(program) == [("question", Lifetime.REQUEST), FIXED]


def test_functions_around_functions_around() -> None:
    program = """
def outer():
    client = OpenAI()
    head = "Low water. "
    def middle():
        text = head + RULES
        def inner(question):
            return send(text, question, client)
        return [inner]
    return [middle]
"""
    assert system_parts(program) == [("Low", Lifetime.CONSTANT)]


def test_a_list_of_the_function_around_to_which_a_route_adds_is_a_conversation() -> None:
    program = """
def create_app():
    client, app, history = OpenAI(), FastAPI(), []
    @app.post("/ask")
    async def ask(question: str):
        history.append({"role": "user", "content": question})
        return client.chat.completions.create(model="gpt-4o", messages=[{"role": "system", "content": RULES}, *history])
    return app
"""
    found = templates_of(HEAD + program)
    template = next(template for template in found if template.name == "ask")
    grown = [s for b in template.blocks for s in walk(b.segments) if isinstance(s, Value) and s.grows]
    assert [value.expression for value in grown] == ["history"]


@pytest.mark.parametrize(
    ("parameter", "read", "lifetime"),
    [
        ("prompt_path", "open(prompt_path).read()", Lifetime.DEPLOYMENT),
        ("system_prompt_file", "Path(system_prompt_file).read_text()", Lifetime.DEPLOYMENT),
        ("file_path", "open(file_path).read()", Lifetime.REQUEST),
    ],
)
def test_the_text_at_a_path_that_says_so_is_a_prompt(parameter: str, read: str, lifetime: Lifetime) -> None:
    program = f"""
from pathlib import Path
def answer({parameter}, question, client):
    prompt = {read}
    return send(prompt + RULES, question, client)
"""
    assert system_parts(program) == [("prompt", lifetime), FIXED]


@pytest.mark.parametrize(("answer", "continued"), [("f'\\n\\n{answer}'", True), ("f'No: {answer}'", False)])
def test_what_follows_a_model_s_own_answer_continues_the_request(answer: str, continued: bool) -> None:
    program = f"""
def again(question, answer, client):
    return client.chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": RULES}}, {{"role": "user", "content": question}},
        {{"role": "assistant", "content": {answer}}}, {{"role": "user", "content": "Say it in one line."}}])
"""
    found = templates_of(HEAD + program)
    template = next(template for template in found if template.name == "again")
    assert [block.appended for block in template.blocks] == [False, False, continued, continued]


def test_a_long_prompt_in_a_script_without_spaces() -> None:
    program = (
        'def make(ticker):\n    prompt = f"关于{ticker}，'
        + "整合观点形成平衡投资视角。" * 14
        + '"\n    return prompt\n'
    )
    assert [template.form for template in templates_of(program)]
