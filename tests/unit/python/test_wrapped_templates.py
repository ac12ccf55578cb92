"""Messages that are made of a prompt template: ``SystemMessagePromptTemplate(prompt=PromptTemplate(template=…))``."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
from langchain_core.prompts import ChatPromptTemplate, HumanMessagePromptTemplate, PromptTemplate
from langchain_core.prompts import SystemMessagePromptTemplate
from langchain_openai import ChatOpenAI
SYSTEM = "You work in {folder}. Name the file and the line that an answer rests on, and never guess at the rest."
def chat(question):
    prompt = ChatPromptTemplate(messages=[
        SystemMessagePromptTemplate(prompt=PromptTemplate(input_variables=["folder"], template=SYSTEM)),
        HumanMessagePromptTemplate(prompt=PromptTemplate(template="{input}"))])
    chain = prompt.partial(folder=FOLDER) | ChatOpenAI()
    return chain.invoke({"input": question})
"""


def _values(template):
    """The values of each message of a chat of a system message and a user's."""
    assert [block.role for block in template.blocks] == ["system", "user"]
    return [[s for s in walk(block.segments) if isinstance(s, Value)] for block in template.blocks]


@pytest.mark.parametrize(("folder", "lifetime"), [('"/srv"', None), ("question", Lifetime.REQUEST)])
def test_a_wrapped_template_is_filled_with_the_chat(folder, lifetime):
    found = [_values(template) for template in templates_of(PROGRAM.replace("FOLDER", folder))]
    (system, user), *_ = [values for values in found if not any(value.expression == "folder" for value in values[0])]
    assert [value.lifetime for value in system] == ([] if lifetime is None else [lifetime])
    assert [value.lifetime for value in user] == [Lifetime.REQUEST]


def test_a_wrapped_template_is_no_prompt_of_its_own():
    forms = [template.form for template in templates_of(PROGRAM.replace("FOLDER", '"/srv"'))]
    assert set(forms) == {"langchain-chat"}
