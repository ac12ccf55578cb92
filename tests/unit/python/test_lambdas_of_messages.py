"""Messages that a lambda makes which a library is given: no function of its own shows them."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
from langchain_core.messages import SystemMessage
from langchain_core.prompts import SystemMessagePromptTemplate
from langchain_core.runnables import RunnableLambda

HEAD = SystemMessagePromptTemplate.from_template("You keep the gate. The visitor says: {{question}}. Answer in a line.")

def wrapped(model, system):
    return RunnableLambda(lambda state: {made}) | model

def answer(model, state, question):
    return wrapped(model, {system}).invoke(state)
"""
MESSAGE = 'SystemMessage(content=f"You keep the gate. The visitor says: {question}. Answer in a line.")'


@pytest.mark.parametrize("system", [MESSAGE, "HEAD.format(question=question)"])
@pytest.mark.parametrize(
    ("made", "found"),
    [
        ('[system] + state["messages"]', [("system", "question"), ("history", 'state["messages"]')]),
        ('[system, *state["messages"]]', [("system", "question"), ("history", 'state["messages"]')]),
    ],
)
def test_a_lambda_puts_a_system_message_in_front_of_a_conversation(
    system: str, made: str, found: list[tuple[str, str]]
) -> None:
    (template,) = [one for one in templates_of(PROGRAM.format(made=made, system=system)) if len(one.blocks) > 1]
    values = [(b.role, s.expression) for b in template.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert values == found


HELD = """
from langchain_core.prompts import SystemMessagePromptTemplate

class Desk:
    def __init__(self, model):
        self.model = model

    def system(self, notes=[]):
        head = SystemMessagePromptTemplate.from_template("You keep the gate. These are the notes: {notes}. Be brief.")
        return head.format(notes="; ".join(notes))

    def begin(self, question):
        return [self.system(fetch(question)), {"role": "user", "content": question}]
"""


def test_a_prompt_in_a_list_of_messages_is_told_by_itself_too() -> None:
    values = [
        (template.form, s.expression, s.lifetime)
        for template in templates_of(HELD)
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Value) and block.role == "system"
    ]
    assert ("langchain-message", '"; ".join(notes)', Lifetime.REQUEST) in values
