"""What is made, asked for or written down once: records in the code, answers to a script, agents in loops."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

HEAD = '''
from openai import OpenAI
from pydantic import BaseModel
from agents import Agent

client = OpenAI()
RULES = """You sort what is washed up on a beach. Glass goes into the green bin, rope into the grey one. Never touch
what is marked in red. Wood is left where it lies. Say in one line what each thing is, and where it goes."""
'''


def values(program: str) -> dict[str, Lifetime]:
    """Lifetimes of the values in system messages, by their source."""
    return {
        segment.expression: segment.lifetime
        for template in templates_of(HEAD + program)
        for block in template.blocks
        if block.role == "system"
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    }


SEND = """    client.chat.completions.create(model="gpt-4o", messages=[
        {"role": "system", "content": f"For {name}. {RULES}"}, {"role": "user", "content": "Go on."}])
"""


@pytest.mark.parametrize(
    ("program", "lifetime"),
    [
        (f"name = input()\nif True:\n{SEND}", Lifetime.SESSION),
        (f"name = input()\nwhile True:\n{SEND}", Lifetime.SESSION),
        (f"while True:\n    name = input()\n{SEND}", Lifetime.TURN),
        (f"def main():\n    name = input()\n{SEND}", Lifetime.TURN),
    ],
)
def test_what_a_script_asks_for_once_has_one_answer(program: str, lifetime: Lifetime) -> None:
    assert values(program) == {"name": lifetime}


@pytest.mark.parametrize(
    ("program", "lifetime"),
    [
        (
            "def make(names):\n    return [Agent(instructions=f'For {name}. {RULES}') for name in names]\n",
            Lifetime.SESSION,
        ),
        (
            "def make(names):\n    for name in names:\n        Agent(instructions=f'For {name}. {RULES}').run()\n",
            Lifetime.SESSION,
        ),
    ],
)
def test_each_agent_that_a_loop_makes_keeps_its_own_text(program: str, lifetime: Lifetime) -> None:
    assert values(program) == {"name": lifetime}


RECORDS = """
class Find(BaseModel):
    things: list[str]

FINDS = [Find(things=[]), Find(**{{"things": []}})]

def pack(find):
    lines = []
    for thing in find.things:
        known = {{one: other for one, other in zip(thing, thing[1:], strict=False)}}
        lines.append(", ".join(f"{{one}} and then {{other}} and {{known[one]}}" for one, other in known.items()))
    return chr(10).join(lines)

def send({parameter}):
    examples = "".join(f"<output>{{pack(find)}}</output>" for find in {over})
    client.chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": f"{{examples}} {{RULES}}"}}, {{"role": "user", "content": "Go on."}}])
"""


def test_what_is_made_of_records_in_the_code_stays() -> None:
    assert values(RECORDS.format(parameter="", over="FINDS")) == {"pack(find)": Lifetime.CONSTANT}
    assert Lifetime.CONSTANT not in values(RECORDS.format(parameter="finds", over="finds")).values()


@pytest.mark.parametrize(
    ("reply", "continued"),
    [
        ("runner.work(chat, 3).messages", True),
        ("(await runner.work(3, chat=chat))[1:]", True),
        ("runner.work(other).messages", False),
        ("other", False),
    ],
)
def test_what_a_call_gives_that_was_given_the_messages_answers_them(reply: str, continued: bool) -> None:
    program = f"""
async def pipeline(runner, question, other):
    chat = [{{"role": "user", "content": f"First question: {{question}}"}}]
    done = {reply}
    new = done
    chat.extend(new)
    chat.append({{"role": "user", "content": RULES}})
    return client.chat.completions.create(model="gpt-4o", messages=chat)
"""
    found = templates_of(HEAD + program)
    (last,) = {template.blocks[-1].appended for template in found if template.form == "openai-chat"}
    assert last is continued


ASKING = "name = input()\n"
ASKS_IN_LOOP = "while True:\n    from asking import name\n" + SEND
ASKS_WHEN_MADE = "class Asking:\n    def __init__(self):\n        self.name = input()\n"
MADE_IN_LOOP = (
    "from asking import Asking\ndef main(asking: Asking):\n    while True:\n        name = asking.name\n"
    + SEND.replace("    ", "        ", 1)
)


@pytest.mark.parametrize("first", ["asking.py", "app.py"])
@pytest.mark.parametrize(
    ("asking", "program", "lifetime"),
    [(ASKING, ASKS_IN_LOOP, Lifetime.SESSION), (ASKS_WHEN_MADE, MADE_IN_LOOP, Lifetime.SESSION)],
)
def test_what_is_made_once_does_not_depend_on_the_loop_that_asks_for_it_first(
    first: str, asking: str, program: str, lifetime: Lifetime
) -> None:
    files = [SourceFile("asking.py", asking), SourceFile("app.py", HEAD + program)]
    files.sort(key=lambda file: file.path != first)
    found = analyse(files, lambda path: None)["app.py"]
    assert found.faults == ()
    (value,) = {
        segment.lifetime
        for template in found.templates
        for segment in walk(template.blocks[0].segments)
        if isinstance(segment, Value)
    }
    assert value is lifetime


KEEPER = """
class Keeper:
    def __init__(self, {parameter}):
        self.text = f"For {{{parameter}}}. {{RULES}}"
        self.{parameter} = {parameter}

    def sort(self, thing):
        client.chat.completions.create(model="gpt-4o", messages=[
            {{"role": "system", "content": {system}}}, {{"role": "user", "content": thing}}])
"""


@pytest.mark.parametrize(
    ("parameter", "lifetime"),
    [
        ("task", Lifetime.SESSION),
        ("question", Lifetime.SESSION),
        # What the object is, its maker says once and for all.
        ("description", Lifetime.UNKNOWN),
        ("tone", Lifetime.DEPLOYMENT),
        ("tide", Lifetime.UNKNOWN),
    ],
)
@pytest.mark.parametrize("system", ["self.text", 'f"For {self.PARAMETER}. {RULES}"'])
def test_what_an_object_is_made_with_stays_as_long_as_it_lives(parameter: str, lifetime: Lifetime, system: str) -> None:
    program = KEEPER.format(parameter=parameter, system=system.replace("PARAMETER", parameter))
    assert set(values(program).values()) == {lifetime}


@pytest.mark.parametrize(
    ("made", "lifetime"),
    [
        ("for task in tasks:\n        Keeper(task).sort('a rope')", Lifetime.REQUEST),
        ("Keeper('the harbour').sort('a rope')", None),
    ],
)
def test_a_caller_shows_how_long_an_object_lives(made: str, lifetime: Lifetime | None) -> None:
    program = KEEPER.format(parameter="task", system="self.text") + f"def work(tasks):\n    {made}\n"
    assert set(values(program).values()) == ({lifetime} if lifetime else set())


@pytest.mark.parametrize(
    ("method", "lifetime"), [("__repr__", Lifetime.REQUEST), ("sort", Lifetime.UNKNOWN), ("__call__", Lifetime.UNKNOWN)]
)
def test_a_record_is_made_anew_with_what_it_holds(method: str, lifetime: Lifetime) -> None:
    program = f"""
class Find:
    def __init__(self, description):
        self.description = description
    def {method}(self):
        return "a find"
def sort(find: Find):
    client.chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": f"For {{find.description}}. {{RULES}}"}}, {{"role": "user", "content": "Go."}}])
"""
    assert set(values(program).values()) == {lifetime}


FOUND = """
def sort(tools, wanted, words):
    name = "read"
    for OVER:
        called = tool.name if hasattr(tool, "name") else str(tool)
        if TEST:
            name = called
            break
    client.chat.completions.create(model="gpt-4o", messages=[
        {"role": "system", "content": f"Call {name} first. {RULES}"}, {"role": "user", "content": "Go on."}])
"""


@pytest.mark.parametrize(
    ("over", "test", "varies"),
    [
        ("tool in tools", 'called.lower() == "read"', False),
        ("tool in tools", 'isinstance(tool, str) and called in ("read", "open")', False),
        ("tool in tools", "called == wanted", True),
        ("tool in tools", "(fits := tool.rate(wanted)) > 1", True),
        ("tool in tools", "called == input()", True),
        ("tool in words.split()", 'called.lower() == "read"', True),
    ],
)
def test_what_a_loop_looks_for_by_something_fixed_is_the_same_each_time(over: str, test: str, varies: bool) -> None:
    program = FOUND.replace("OVER", over).replace("TEST", test).replace("words", "messages")
    assert any(lifetime.varies for lifetime in values(program).values()) is varies
