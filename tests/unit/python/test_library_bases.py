"""Classes of a project that only add to a class of a library: agents, prompt templates."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

RULES = "You sell seeds by mail. Name the variety, the month of sowing and the price, and never promise a harvest."
HEAD = f'from datetime import datetime\nRULES = "{RULES}"\n'
AGENTS = {
    "no constructor of its own": """
from agents import Agent
class Desk(Agent):
    def greet(self):
        return "hello"
def make():
    return Desk(name="desk", instructions=f"{RULES} It is {datetime.now()}.")
""",
    "super": """
from crewai import Agent
class Desk(Agent):
    def __init__(self, question):
        super().__init__(role="clerk", backstory=f"{RULES} It is {datetime.now()}.")
def make(question):
    return Desk(question)
""",
    "a base of its own in between": """
from agents import Agent
class House(Agent):
    pass
class Desk(House):
    def __init__(self):
        super().__init__(name="desk", instructions=f"{RULES} It is {datetime.now()}.")
def make():
    return Desk()
""",
    "by the name of the base": """
from agents import Agent
class Desk(Agent):
    def __init__(self):
        Agent.__init__(self, name="desk", instructions=f"{RULES} It is {datetime.now()}.")
def make():
    return Desk()
""",
}
PROMPTS = {
    "class method": """
from langchain_core.prompts import ChatPromptTemplate
class HousePrompt(ChatPromptTemplate):
    def checked(self):
        return self
def ask(llm, question, today):
    prompt = HousePrompt.from_messages([("system", "{today} " + RULES), ("human", "{question}")])
    return (prompt | llm).invoke({"today": today, "question": question})
""",
    "constructor": """
from langchain_core.prompts import PromptTemplate
class HousePrompt(PromptTemplate):
    pass
PROMPT = HousePrompt(template="{today} " + RULES + " {question}", input_variables=["today", "question"])
""",
    "body of the class": """
from langchain_core.prompts import PromptTemplate
class HousePrompt(PromptTemplate):
    template: str = "{today} " + RULES + " {question}"
def ask(llm, question, today):
    prompt = HousePrompt(input_variables=["today", "question"])
    return (prompt | llm).invoke({"today": today, "question": question})
""",
}


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_of_a_derived_class_has_its_instructions_and_a_conversation(name: str) -> None:
    agents = [t for t in templates_of(HEAD + AGENTS[name]) if t.form == "agent"]
    assert agents
    for template in agents:
        segments = [s for block in template.blocks for s in walk(block.segments)]
        clock = next(i for i, s in enumerate(segments) if isinstance(s, Value) and s.expression == "datetime.now()")
        assert any(isinstance(s, Text) and RULES in s.text for s in segments[:clock])
        assert any(isinstance(s, Value) and s.grows for s in segments[clock:])


@pytest.mark.parametrize("name", PROMPTS)
def test_placeholders_of_a_derived_prompt_template_are_open(name: str) -> None:
    (template,) = templates_of(HEAD + PROMPTS[name])
    assert template.form.startswith("langchain")
    values = [s.expression for b in template.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert values == ["today", "question"]


def test_a_message_template_that_is_filled_stays_a_message() -> None:
    program = """
from langchain_core.prompts import ChatPromptTemplate, SystemMessagePromptTemplate
def ask(llm, row, question, today):
    head = SystemMessagePromptTemplate.from_template(RULES + " {today}").format(today=today)
    own = SystemMessagePromptTemplate.from_template(row["prompt"])
    prompt = ChatPromptTemplate.from_messages([own, head, ("human", "{question}")])
    return (prompt | llm).invoke({"question": question})
"""
    (template,) = [t for t in templates_of(HEAD + program) if t.form == "langchain-chat"]
    assert [block.role for block in template.blocks] == ["system", "system", "user"]
    first = template.blocks[0].segments[0]
    assert isinstance(first, Value)
    # Whatever it is called, a message of the system's is no question.
    assert not first.lifetime.known


def test_a_class_derived_from_str_is_the_text_that_it_is_made_with() -> None:
    program = """
from openai import OpenAI
class Text(str):
    pass
def ask(question):
    text = Text(f"{question} " + RULES)
    OpenAI().chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
"""
    (template,) = templates_of(HEAD + program)
    first = template.blocks[0].segments[0]
    assert isinstance(first, Value)
    assert first.lifetime is Lifetime.REQUEST
