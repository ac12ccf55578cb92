"""Requests that are objects filled in several places, abstract methods, and what a bound ends before a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.frames import Bounds
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Choice, Text, Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

RULES = '''RULES = """You are the assistant of the public library of a small town. Books are lent for four weeks.
A reader may keep thirty things at a time. What is late costs ten cents a day. Never tell what another has borrowed."""
'''


def templates(program: str, bounds: Bounds = Bounds()) -> list[Template]:
    found = analyse([SourceFile("app.py", RULES + program)], lambda path: None, bounds=bounds)["app.py"]
    assert found.faults == ()
    return list(found.templates)


def parts(template: Template) -> list[str]:
    """Fixed text as it is, values by their expression in angle brackets."""
    out: list[str] = []
    for block in template.blocks:
        for segment in walk(block.segments):
            out.append(segment.text if isinstance(segment, Text) else f"<{getattr(segment, 'expression', '')}>")
    return out


REQUEST = """
from dataclasses import dataclass
@dataclass
class Request:
    prompt: str | None = None
    system_prompt: str = ""
    notes: str | None = None
"""


def test_a_request_object_that_something_unknown_sends() -> None:
    program = REQUEST + (
        "def wake(runner, history):\n"
        "    req = Request()\n"
        '    req.system_prompt += f"You are a butler. So far: {history} "\n'
        "    req.system_prompt += RULES\n"
        '    req.prompt = "Go on."\n'
        "    return runner.start(req)\n"
    )
    (template,) = templates(program)
    assert parts(template)[:2] == ["You are a butler. So far: ", "<history>"]
    assert parts(template)[2].startswith(" You are the assistant")


def test_a_field_that_nobody_fills_is_none() -> None:
    program = REQUEST + (
        "def wake(runner, history):\n"
        "    req = Request()\n"
        "    req.system_prompt = f\"{RULES} {history} {req.notes or 'no notes'}\"\n"
        "    return runner.start(req)\n"
    )
    (template,) = templates(program)
    assert "".join(parts(template)).endswith("borrowed. <history> no notes")


ABSTRACT = """
from abc import ABC, abstractmethod
from openai import OpenAI
client = OpenAI()
class Agent(ABC):
    def __init__(self):
        self.uses = 0
    @abstractmethod
    def build_prompt(self, zap): ...
class Clerk(Agent):
    def build_prompt(self, zap):
        return f"{zap} {RULES}"
class Guard(Agent):
    def build_prompt(self, zap):
        return f"{RULES} {zap}"
"""


def test_an_abstract_method_may_be_any_of_its_implementations() -> None:
    program = ABSTRACT + (
        "def ask(agent: Agent, question):\n"
        '    return client.chat.completions.create(model="gpt-4o", messages=[\n'
        '        {"role": "system", "content": agent.build_prompt(question)}, {"role": "user", "content": "Go."}])\n'
    )
    (template,) = [t for t in templates(program) if t.form == "openai-chat"]
    system = template.blocks[0].segments
    (choice,) = [s for s in system if isinstance(s, Choice)]
    assert [[type(s) for s in arm] for arm in choice.arms] == [[Value, Text], [Text, Value]]


def test_an_abstract_provider_gets_what_is_sent() -> None:
    program = (
        "from openai import OpenAI\n"
        "class Provider:\n"
        "    def __init__(self):\n"
        "        self.name = ''\n"
        "    def text_chat(self, prompt, system_prompt):\n"
        "        raise NotImplementedError\n"
        "class OpenAIProvider(Provider):\n"
        "    def __init__(self):\n"
        "        self.client = OpenAI()\n"
        "    def text_chat(self, prompt, system_prompt):\n"
        '        return self.client.chat.completions.create(model="gpt-4o", messages=[\n'
        '            {"role": "system", "content": system_prompt}, {"role": "user", "content": prompt}])\n'
        "def wake(provider: Provider, history):\n"
        '    return provider.text_chat(prompt="Go on.", system_prompt=f"{history} {RULES}")\n'
    )
    (template,) = [t for t in templates(program) if len(t.blocks) == 2 and parts(t)[0] == "<history>"]
    assert (template.form, template.engine) == ("openai-chat", "openai")
    assert [block.role for block in template.blocks] == ["system", "user"]
    values = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]
    assert [value.lifetime for value in values] == [Lifetime.TURN]


LONG = (
    "from openai import OpenAI\nclient = OpenAI()\ndef ask(question):\n"
    + "".join(f"    v{i} = question.part({i}) + question.part({i + 1})\n" for i in range(60))
    + '    return client.chat.completions.create(model="gpt-4o", messages=[\n'
    '        {"role": "system", "content": f"{question} {RULES}"}, {"role": "user", "content": "Go."}])\n'
)


def test_what_a_bound_ends_before_any_prompt_is_told() -> None:
    file = SourceFile("app.py", RULES + LONG)
    cut = analyse([file], lambda path: None, bounds=Bounds(steps=200))["app.py"]
    (problem,) = cut.problems
    assert cut.templates == ()
    assert (problem.path, problem.position.line, problem.minor) == ("app.py", 5, True)
    assert problem.message.startswith("`ask()` could not be followed to its end")
    whole = analyse([file], lambda path: None)["app.py"]
    assert whole.problems == ()
    assert [t.form for t in whole.templates] == ["openai-chat"]


def test_prompts_that_a_request_chooses_between_are_prompts_of_their_own() -> None:
    program = (
        "def opened_prompt(payload):\n"
        '    return f"A request was opened by {payload}. '
        + "You are a clerk: read it and say what it is about. "
        * 4
        + '"\n'
        "def closed_prompt(payload):\n"
        '    return f"{payload} has been closed. ' + "You are a clerk: write down all that was said in it. " * 4 + '"\n'
        'BUILDERS = {"opened": opened_prompt, "closed": closed_prompt}\n'
        "def lambda_handler(event, context):\n"
        '    builder = BUILDERS.get(event["kind"])\n'
        "    if builder is None:\n"
        '        return "nothing"\n'
        '    prompt = builder(event["zap"])\n'
        "    return prompt\n"
    )
    found = {parts(template)[0] for template in templates(program)}
    assert found == {"A request was opened by ", "<payload>"}


@pytest.mark.parametrize(
    "call",
    [
        "requests.post(URL, json=payload)",
        "session.post(URL, json={**payload, 'stream': True})",
        "httpx.post(URL, headers=HEADERS, json={'model': 'm', 'messages': payload['messages']})",
    ],
)
def test_messages_in_the_body_of_a_request_are_sent(call: str) -> None:
    code = f"""
import httpx, requests
session = requests.Session()
def ask(question):
    payload = {{"model": "m", "messages": [
        {{"role": "system", "content": "You sort letters in a post office on an island."}},
        {{"role": "user", "content": question}},
    ]}}
    return {call}.json()
"""
    (template,) = templates_of(code, "post.py")
    assert [block.role for block in template.blocks] == ["system", "user"]


def test_who_makes_a_callable_object_fills_what_it_sends() -> None:
    code = """
from datetime import datetime
from openai import OpenAI
class Clerk:
    def __init__(self, system):
        self.system = system
        self.client = OpenAI()
    def __call__(self, question):
        return self.client.chat.completions.create(model="gpt-4o", messages=[
            {"role": "system", "content": self.system}, {"role": "user", "content": question}])
def answer(question):
    clerk = Clerk(f"It is {datetime.now()}. You sort letters in a post office on an island.")
    return clerk(question)
"""
    (template,) = templates_of(code, "clerk.py")
    assert [s.expression for s in walk(template.blocks[0].segments) if isinstance(s, Value)] == ["datetime.now()"]


THREAD = """
class Thread:
    def __init__(self, messages=None):
        self.messages = messages or []
    def add(self, role, text):
        self.messages.append({"role": role, "content": text})
    def as_list(self):
        return self.messages
"""


def thread(send: str) -> list[Template]:
    program = (
        "def ask(models, name, question):\n"
        "    model = models[name]\n"
        "    talk = Thread()\n"
        '    talk.add("system", "You are a butler.")\n'
        '    talk.add("user", f"Asked: {question}")\n'
        '    talk.add("user", RULES)\n'
        f"    {send}\n"
    )
    return templates(THREAD + program)


@pytest.mark.parametrize(
    "send",
    [
        "return model.call(talk.as_list())",
        "return model(talk.messages, temperature=0)",
        "return self.chat_model.run(messages=talk.as_list())",
        "return talk",
        "models.count = len(talk.messages)",
    ],
)
def test_messages_that_an_object_collects(send: str) -> None:
    (template,) = thread(send)
    assert parts(template)[:3] == ["You are a butler.", "Asked: ", "<question>"]
    assert parts(template)[3].startswith("You are the assistant")
    assert [block.role for block in template.blocks] == ["system", "user", "user"]


@pytest.mark.parametrize(
    ("call", "sent"),
    [
        ("model.call(talk)", True),
        ("self.llm.query(talk)", True),
        ("model(talk)", True),
        ("model.count(talk)", False),
        ("view_model.show(talk)", False),
        ("store.call(talk)", False),
    ],
)
def test_whether_a_call_sends_messages(call: str, sent: bool) -> None:
    talk = '[{"role": "system", "content": RULES}, {"role": "user", "content": question}]'
    program = f"def ask(self, model, view_model, store, question):\n    talk = {talk}\n    return {call}\n"
    (template,) = templates(program)
    assert any(hop.note == "sent here" for hop in template.related) is sent


def test_messages_that_either_of_two_objects_collects() -> None:
    program = (
        "def begun(known, text):\n"
        "    if known:\n"
        "        talk = Thread()\n"
        '        talk.add("system", "You are a butler.")\n'
        "    else:\n"
        "        talk = Thread([])\n"
        '        talk.add("system", "You are a gardener.")\n'
        "    return talk\n"
        "def ask(model, known, question):\n"
        "    talk = begun(known, question)\n"
        '    talk.add("user", f"Asked: {question}")\n'
        '    talk.add("user", RULES)\n'
        "    return model.call(talk.as_list())\n"
    )
    found = [template for template in templates(THREAD + program) if template.name == "ask"]
    shown = [part for part in parts(found[0]) if part in ("Asked: ", "<question>")]
    assert shown == ["Asked: ", "<question>"]  # the same in either conversation
