"""Classes that bear the usual names of prompt templates, in a project of its own kind."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value
from prefixlint.model.sources import SourceFile

RULES = "You keep the seed bank of a valley. Name the plant, the year and the shelf, and say so where nothing is known."
CLASSES = """
class Template:
    def __init__(self, template):
        self.template = template
    @classmethod
    def from_template(cls, template):
        return cls(template)
    def format_messages(self, **kwargs):
        return [{"role": "system", "content": self.template.format(**kwargs)}]
class SystemPromptTemplate(Template):
    pass
class HumanPromptTemplate(Template):
    pass
class MessagesPlaceholder:
    def __init__(self, variable_name):
        self.variable_name = variable_name
class ChatPromptTemplate:
    def __init__(self, messages):
        self.messages = messages
"""
PROMPT = f'''
prompt = ChatPromptTemplate(messages=[
    SystemPromptTemplate.from_template("{RULES}\\nKnown:\\n{{context}}"),
    MessagesPlaceholder(variable_name="chat_history"),
    HumanPromptTemplate.from_template("{{question}}"),
])
'''


@pytest.mark.parametrize(
    "head", [CLASSES, "from seeds.core import ChatPromptTemplate, HumanPromptTemplate, SystemPromptTemplate\n"
    "from seeds.core import MessagesPlaceholder\n"], ids=["of the project", "of a library"]
)  # fmt: skip
def test_a_chat_of_templates_is_one_prompt(head: str) -> None:
    found = analyse([SourceFile("app.py", head + PROMPT)], lambda path: None)["app.py"]
    (template,) = [t for t in found.templates if t.form == "chat-prompt"]
    assert [block.role for block in template.blocks] == ["system", "history", "user"]
    values = [s for block in template.blocks for s in block.segments if isinstance(s, Value)]
    assert [(v.expression, v.lifetime, v.grows) for v in values] == [
        ("context", Lifetime.REQUEST, False),
        ("chat_history", Lifetime.TURN, True),
        ("question", Lifetime.REQUEST, False),
    ]


def test_a_class_of_such_a_name_that_takes_something_else_is_followed_as_any_other() -> None:
    own = "class ChatPromptTemplate:\n    def __init__(self, name):\n        self.name = name\n"
    found = analyse([SourceFile("app.py", f"{own}prompt = ChatPromptTemplate(name='x')\n")], lambda path: None)
    assert found["app.py"].templates == ()
