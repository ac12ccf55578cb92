"""Syntax trees that are given back and parsed again: nothing else is found, and few are held at once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python.analyse import analyse
from prefixlint.frontends.python.frames import Bounds
from prefixlint.frontends.python.project import Project
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import ModuleInfo

RULES = "Answer in one sentence. Speak of nothing but the weather of the day. " * 8
TEXTS = {
    "base.py": f'''
from datetime import datetime
from memory import Memory

RULES = """{RULES}"""

class Agent:
    def __init__(self, client, memory: Memory):
        self.client, self.memory = client, memory

    def head(self):
        def stamp():
            return f"Now: {{datetime.now()}}"
        return "\\n".join([stamp(), RULES])

    def ask(self, question):
        for message in self.memory.messages:
            if message["role"] == "system":
                message["content"] = self.head()
                break
        self.memory.add(question)
        return self.client.chat.completions.create(model="gpt-4o", messages=self.memory.messages)
''',
    "memory.py": """
class Memory:
    def __init__(self):
        self.messages = [{"role": "system", "content": ""}]

    def add(self, question):
        self.messages.append({"role": "user", "content": question})
        if len(self.messages) > 20:
            self.messages = [self.messages[0]] + self.messages[-10:]
""",
    "poet.py": """
import openai
from base import Agent, RULES
from memory import Memory

shorten = lambda text: text[:200]

class Poet(Agent):
    def head(self):
        return f"You are a poet named {self.name}.\\n" + super().head()

def verse(question, user):
    prompt = f"For {user}: {shorten(question)}\\n" + RULES
    return openai.OpenAI().chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])

poet = Poet(openai.OpenAI(), Memory())
""",
    "app.py": """
from poet import poet, verse

def serve(request):
    return poet.ask(request.text) + verse(request.text, request.user)
""",
}
FILES = [SourceFile(path, text) for path, text in TEXTS.items()]


def test_what_is_found_does_not_depend_on_the_room() -> None:
    whole = analyse(FILES, lambda _: None)
    assert sum(len(found.templates) for found in whole.values()) == 2
    assert analyse(FILES, lambda _: None, bounds=Bounds(room=0)) == whole
    assert analyse(FILES, lambda _: None, bounds=Bounds(room=len(TEXTS["base.py"]) + 1)) == whole


def test_trees_that_were_not_used_for_the_longest_time_go_first() -> None:
    project = Project(lambda path: SourceFile(path, f"def f():\n    return '{path}'\n"))
    project.trees.room = 4 * len("def f():\n    return 'a.py'\n")
    modules: list[ModuleInfo] = []
    for path in ("a.py", "b.py", "c.py", "d.py"):
        module = project.module(path)
        assert module is not None
        modules.append(module)
    project.trees.use(modules[0])
    assert all("tree" in vars(module) for module in modules)
    assert project.module("e.py") is not None
    # Three quarters of the room stay taken.
    assert ["tree" in vars(module) for module in modules] == [True, False, False, True]
    project.trees.clear()
    assert not any("tree" in vars(module) for module in modules)


@pytest.mark.parametrize("path", list(TEXTS))
def test_functions_and_classes_stay_the_same(path: str) -> None:
    project = Project(lambda path: SourceFile(path, TEXTS[path]))
    module = project.module(path)
    assert module is not None
    functions, classes = module.functions, dict(module.classes)
    before = [ast.dump(info.node, include_attributes=True) for info in (*functions, *classes.values())]
    project.trees.clear()
    assert not any(isinstance(value, ast.AST) for info in functions for value in vars(info).values())
    assert module.functions is functions
    assert module.classes == classes
    assert before == [ast.dump(info.node, include_attributes=True) for info in (*functions, *classes.values())]
