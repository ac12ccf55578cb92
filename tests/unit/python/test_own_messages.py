"""Messages and prompt elements of a project's own classes, and what a test of a value's type leaves of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.model.segments import Choice, Text, Value, walk
from python_support import templates_of

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

HEAD = '''
from openai import OpenAI
from pydantic import BaseModel as Model
client = OpenAI()
RULES = """You are the clerk of the lost property office of a railway. Umbrellas are kept for three months, keys for a
year. Whoever asks for a thing must say where it was lost and on which day. Never tell anybody what others have lost."""
class Message(dict):
    def __init__(self, role, content):
        self["role"] = role
        self["content"] = content
    def add(self, text):
        if isinstance(self["content"], str):
            self["content"] = [{"type": "text", "text": self["content"]}]
        self["content"].append({"type": "text", "text": text})
class User(Message):
    def __init__(self, content):
        super().__init__("user", content)
class Given(dict):
    def __init__(self, role, content, **more):
        super().__init__(role=role, content=content, **more)
class Field(Model):
    role: str
    content: str
    kept: bool = False
    def __init__(self, **data):
        super().__init__(**data, shelf=3)
        self.length = len(self.content)
class Plain(dict):
    def shown(self):
        return self["content"]
class Order(Plain):
    def __init__(self, content):
        super().__init__()
        self.update({"role": "system"})
        self.setdefault("content", content)
class Talk:
    def __init__(self, messages=None):
        if isinstance(messages, Message):
            messages = [messages]
        self.messages = messages or []
    def append(self, message):
        self.messages.append(message)
    def __iter__(self):
        return iter(self.messages)
class Element:
    _text = ""
    def __init__(self, visible=True):
        self._visible = visible
    @property
    def is_visible(self):
        visible = self._visible
        if callable(visible):
            visible = visible()
        return visible
    @property
    def text(self):
        return self._text if self.is_visible else ""
class Page(Element):
    def __init__(self, page, visible=True):
        super().__init__(visible)
        self._text = f"Page: {page} "
class Rules(Element):
    _text = RULES
class Whole(Element):
    def __init__(self, page, shown):
        super().__init__()
        self.page = Page(page)
        self.rules = Rules(visible=lambda: True)
        self.hidden = Page("?", visible=lambda: False)
    @property
    def _text(self):
        return f"{self.hidden.text}{self.page.text}{self.rules.text}"
def send(messages):
    return client.chat.completions.create(model="gpt-4o", messages=messages)
'''


def parts(template: Template) -> list[str]:
    """Texts as they are, values by their expression, each with the role of its message."""
    out: list[str] = []
    for block in template.blocks:
        for segment in walk(block.segments):
            if isinstance(segment, Text):
                out.append(f"{block.role}: {segment.text[:12].strip()}")
            elif isinstance(segment, Value):
                out.append(f"{block.role}: <{segment.expression}>")
            else:
                out.append(type(segment).__name__)
    return out


ASKED, ORDERED = ["user: Asked:", "user: <question>"], "user: You are the"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('m = User(f"Asked: {question}")\n    m.add(RULES)\n    send([m])', [*ASKED, ORDERED]),
        ('m = User(RULES)\n    m.add(f"Asked: {question}")\n    send([m])', [ORDERED, *ASKED]),
        ('send([Given("user", f"Asked: {question} {RULES}")])', [*ASKED, ORDERED]),
        ('send([Field(role="user", content=f"Asked: {question} {RULES}", kept=True)])', [*ASKED, ORDERED]),
        (
            'send([Field(role="system", content=RULES), Given("user", question)])',
            ["system: You are the", "user: <content>"],
        ),
        ('send([Order(RULES), Given("user", question)])', ["system: You are the", "user: <content>"]),
        ('m = User("")\n    m["content"] = f"Asked: {question}" + RULES\n    send([m])', [*ASKED, ORDERED]),
        ('m = User(f"Asked: {question}")\n    m["content"] += RULES\n    send([m])', [*ASKED, ORDERED]),
        ('m = User(RULES)\n    send([User(m.get("content") + question)])', [ORDERED, "user: <question>"]),
        ('t = Talk(User(f"Asked: {question}"))\n    t.append(User(RULES))\n    send(list(t))', [*ASKED, ORDERED]),
        ('t = Talk([User(f"Asked: {question} {RULES}")])\n    send(t)', [*ASKED, ORDERED]),
        ('send([m for m in Talk([User(f"Asked: {question}"), User(RULES)])])', [*ASKED, ORDERED]),
    ],
)
def test_messages_that_are_dictionaries_of_an_own_class(body: str, told: list[str]) -> None:
    (template,) = templates_of(f"{HEAD}\ndef ask(question):\n    {body}\n")
    assert parts(template) == told


def test_elements_that_a_function_shows_or_hides() -> None:
    program = 'def ask(page):\n    send([{"role": "user", "content": Whole(page, 1).text}])\n'
    (template,) = templates_of(HEAD + program)
    assert parts(template) == ["user: Page:", "user: <page>", ORDERED]


NORMAL = """
def normal(content, more):
    if {test}:
        held = {first}
    else:
        held = {second}
    held.append({{"type": "text", "text": more}})
    return held
def ask(rich, question):
    if rich:
        content = [{{"type": "text", "text": f"Asked: {{question}}"}}]
    else:
        content = f"Asked: {{question}}"
    send([{{"role": "user", "content": normal(content, RULES)}}])
"""
MADE = '[{"type": "text", "text": content}]'


@pytest.mark.parametrize(
    ("test", "first", "second"),
    [
        ("isinstance(content, str)", MADE, "content"),
        ("not isinstance(content, str)", "content", MADE),
        ("isinstance(content, list)", "content", MADE),
    ],
)
def test_what_a_test_of_the_type_leaves(test: str, first: str, second: str) -> None:
    (template,) = templates_of(HEAD + NORMAL.format(test=test, first=first, second=second))
    # Either way the question, and one text of rules behind it: no arm holds what the other is given.
    assert parts(template) == ["Choice", *ASKED, *ASKED, ORDERED]
    (choice,) = (segment for block in template.blocks for segment in block.segments if isinstance(segment, Choice))
    assert [len(arm) for arm in choice.arms] == [2, 2]


def test_a_value_is_whole_again_behind_a_test_of_its_type() -> None:
    program = (
        "def ask(rich, question):\n"
        '    content = RULES if rich else ["Asked: ", question, RULES]\n'
        "    kind = 1 if isinstance(content, str) else 2\n"
        "    if isinstance(content, str):\n"
        "        kind += 1\n"
        "    if not isinstance(content, str):\n"
        '        content = "".join(content)\n'
        '    send([{"role": "user", "content": content}])\n'
    )
    (template,) = templates_of(HEAD + program)
    assert parts(template) == ["Choice", *ASKED, ORDERED]


def test_the_same_method_of_the_parts_of_an_object_whichever_it_has() -> None:
    program = """
class Chat(Element):
    def __init__(self, question):
        super().__init__()
        self._text = f"Asked: {question}"
class Main(Element):
    def __init__(self, page, question, chat):
        super().__init__()
        if chat:
            self.order = Chat(question)
        else:
            self.order = Chat(page)
        self.page = Whole(page, True)
    @property
    def _text(self):
        message = User(self.order.text)
        message.add(self.page.text)
        return message
def fitting(element, most):
    if most is None:
        return element.text
    for _ in range(20):
        text = element.text
        if len(str(text)) <= most:
            return text
        element.shrink()
    return text
def ask(page, question, chat, most):
    send([fitting(Main(page, question, chat), most)])
"""
    (template,) = templates_of(HEAD + program)
    ways = ["user: Asked:", "Choice", "user: <question>", "user: <question>"]
    assert parts(template) == [*ways, "user: Page:", "user: <page>", ORDERED]


DECLARED = """
from abc import ABC, abstractmethod
class Model(ABC):
    @abstractmethod
    def ask_model(self, text, talk): ...
class Chat(Model):
    def ask_model(self, text, talk):
        return client.chat.completions.create(
            model="gpt-4o", messages=[{"role": "user", "content": text}, *talk, {"role": "user", "content": "Go on."}])
class Bare(Model):
    def ask_model(self, text, talk):
        return client.completions.create(model="gpt-3.5-turbo-instruct", prompt=text)
class Agent:
    def __init__(self, model):
        self.model = model
    def rate(self, question, talk):
        return self.model.ask_model(f"Asked: {question}" + RULES, talk)
"""


def test_a_method_that_several_classes_implement_for_one() -> None:
    found = [t for t in templates_of(HEAD + DECLARED) if "user: <question>" in parts(t) or ": <question>" in parts(t)]
    assert sorted((template.form, parts(template)[:2]) for template in found) == [
        ("openai-chat", ASKED),
        ("openai-completion", [part.replace("user", "") for part in ASKED]),
    ]


def test_a_method_that_unrelated_classes_have_is_nobodys() -> None:
    found = templates_of(HEAD + DECLARED.replace("class Bare(Model)", "class Bare"))
    assert ASKED not in [parts(template)[:2] for template in found if template.form != "prompt-string"]


@pytest.mark.parametrize(
    ("asked", "kind", "lifetime"),
    [
        ("time.asctime(time.gmtime(sent['at']))", "parameter", "unknown"),
        ("time.ctime(0)", "configuration", "constant"),
        ("time.ctime(START)", "clock", "process"),
        ("time.asctime(time.localtime(time.time()))", "clock", "request"),
        ("time.strftime('%Y-%m-%d', time.localtime())", "clock", "day"),
        ("time.strftime('%H:%M', time.localtime(sent['at']))", "parameter", "unknown"),
        ("time.asctime()", "clock", "request"),
    ],
)
def test_another_moment_than_the_present(asked: str, kind: str, lifetime: str) -> None:
    program = f'import time\nSTART = time.time()\n{HEAD}\ndef ask(sent):\n    send([User(f"{{{asked}}} {{RULES}}")])\n'
    (template,) = templates_of(program.replace("'", '"') if '"' not in asked else program)
    (value,) = (segment for block in template.blocks for segment in block.segments if isinstance(segment, Value))
    assert (value.origin.kind.value, value.lifetime.value) == (kind, lifetime)


REPLY = """
class Reply(Model):
    content: str = ""
    author: str = "the clerk"
    calls: list | None = None
    def __init__(self, **data):
        super().__init__(**data)
        if self.calls:
            opened = []
            for call in self.calls:
                copied = call.copy()
                copied.function.arguments = self.opened(copied.function.arguments)
                if copied.function.arguments is None:
                    copied.function.arguments = {}
                opened.append(copied)
            self.calls = opened
def ask(question, tool_calls):
    reply = Reply(content=question, calls=tool_calls)
    send([{"role": "user", "content": f"By {reply.author}: {reply.content} {RULES}"}])
"""


def test_fields_that_a_long_init_hands_on_to_its_library() -> None:
    (template,) = templates_of(HEAD + REPLY)
    (value,) = (segment for block in template.blocks for segment in block.segments if isinstance(segment, Value))
    assert value.lifetime.value == "request"
    assert parts(template)[:2] == ["user: By the clerk", "user: <reply.content>"]
