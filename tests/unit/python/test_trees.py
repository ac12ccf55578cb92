"""Syntax trees that are given back and parsed again: nothing else is found, and few are held at once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python.analyse import analyse
from prefixlint.frontends.python.frames import Bounds
from prefixlint.frontends.python.interest import called_names
from prefixlint.frontends.python.project import Project
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.turns import lists_cut
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


def test_a_large_run_has_less_room_for_trees() -> None:
    bounds = Bounds(room=600)
    assert [bounds.room_beside(characters) for characters in (0, 1000, 3000, 30_000)] == [600, 500, 300, 200]


def test_what_is_asked_of_all_functions_is_known_without_the_tree() -> None:
    project = Project(lambda path: SourceFile(path, TEXTS[path]))
    modules = [module for path in TEXTS if (module := project.module(path)) is not None]
    project.trees.of_run.update(modules)
    project.trees.room = 0
    project.trees.take(modules[-1], len(modules[-1].file.text))
    gone = [module for module in modules if "tree" not in vars(module)]
    assert len(gone) == len(modules) - 1
    for module in gone:
        for info in module.functions:
            assert not info.is_abstract
            assert info.holds(module.file.span(0, 0)) is False
            assert isinstance(called_names(info), frozenset)
            assert info.additions is not None
            if info.shortens and not info.cuts_conversation:
                lists_cut(info)
            assert module.enclosing.get(info) is None or info.name == "stamp"
        for owner in module.classes.values():
            assert [last_name(base) for base in owner.bases] == list(owner.base_names)
            assert owner.attribute_names == {}
            assert owner.annotated == ()
            assert owner.set_later <= {"messages"}
        assert module.names_set_from_outside == frozenset()
        assert "tree" not in vars(module)


def loaded(*paths: str) -> tuple[Project, list[ModuleInfo]]:
    """Modules of 20 characters each, and room for eight of them."""
    project = Project(lambda path: SourceFile(path, "def f():\n    pass\n #"))
    project.trees.room = 160
    modules = [module for path in paths if (module := project.module(path)) is not None]
    assert len(modules) == len(paths)
    return project, modules


def held(modules: list[ModuleInfo]) -> list[str]:
    return [module.path for module in modules if "tree" in vars(module)]


def test_trees_used_last_stay_and_others_go_down_to_three_quarters_of_the_room() -> None:
    project, modules = loaded(*"abcdefgh")
    assert held(modules) == [*"abcdefgh"]
    project.trees.use(modules[0])
    last = project.module("i")
    assert last is not None
    left = held([*modules, last])
    assert len(left) == 6
    # A quarter of the room is that of two.
    assert {"a", "i"} <= set(left)
    project.trees.clear()
    assert held([*modules, last]) == []


def test_trees_used_often_stay_when_others_come_and_go() -> None:
    project, modules = loaded(*"abcdefgh")
    for module in modules:
        for _ in range(1 + 40 * (module.path == "c")):
            project.trees.use(module)
    for path in "ijklmnopqrst":
        assert project.module(path) is not None
    assert "c" in held(modules)


def test_modules_gone_through_again_and_again_are_not_all_parsed_again() -> None:
    paths = [f"{number}.py" for number in range(12)]
    project, modules = loaded(*paths)
    for _ in range(3):
        parsed = 0
        for module in modules:
            parsed += "tree" not in vars(module)
            module.hold_tree()
            project.trees.use(module)
        assert parsed <= 8


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
