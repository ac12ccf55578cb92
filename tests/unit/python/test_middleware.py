"""System prompts that LangChain's and deepagents' parts are given on the way: middleware, graph state, subagents."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Text, Value, walk
from prefixlint.model.sources import SourceFile

RULES = (
    '"""You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader '
    "may keep thirty things at a time. What is late costs ten cents a day. Never tell one what another has borrowed. "
    'Whoever wants to extend a loan does so at the counter, by telephone or at the machine by the door."""'
)
FAULTS = {
    "decorated": """
from langchain.agents.middleware import ModelRequest, dynamic_prompt
@dynamic_prompt
def rules(request: ModelRequest) -> str:
    question = request.state["question"]
    return f"{question}\\n{RULES}"
""",
    "overridden-message": """
from langchain_core.messages import SystemMessage
async def wrap_model_call(request, handler, question):
    text = f"{question}\\n{RULES}"
    return await handler(request.override(system_message=SystemMessage(content=text)))
""",
    "overridden-text": """
import langchain
def wrap_model_call(request, handler, question):
    return handler(request.override(system_prompt=f"{question}\\n{RULES}"))
""",
    "state": """
from langgraph.graph import StateGraph
def prepare(question):
    return {"rendered_system_prompt": f"{question}\\n{RULES}"}
""",
    "subagent": """
from deepagents import create_deep_agent
def make(question):
    clerk = {"name": "clerk", "description": "lends books", "system_prompt": f"{question}\\n{RULES}"}
    return create_deep_agent(system_prompt=RULES, subagents=[clerk])
""",
    "deep-agent": """
from deepagents import create_deep_agent
def make(question):
    return create_deep_agent(tools=[], instructions=f"{question}\\n{RULES}")
""",
}


def in_front(program: str) -> list[list[str]]:
    """Of each template, the values in front of the fixed text about the library."""
    file = SourceFile("app.py", f"RULES = {RULES}\n{program}")
    out = []
    for template in (t for e in analyse([file], lambda path: None).values() for t in e.templates):
        segments = [s for block in template.blocks if block.component != "tools" for s in walk(block.segments)]
        at = next(i for i, s in enumerate(segments) if isinstance(s, Text) and "public library" in s.text)
        out.append([s.expression for s in segments[:at] if isinstance(s, Value)])
    return out


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_put_in_front_of_a_system_prompt_on_its_way_is_seen(name: str) -> None:
    assert ["question"] in in_front(FAULTS[name])


@pytest.mark.parametrize("name", FAULTS)
def test_what_stands_behind_it_is_not_in_front(name: str) -> None:
    found = in_front(FAULTS[name].replace("{question}\\n{RULES}", "{RULES}\\n{question}"))
    assert found
    assert ["question"] not in found


@pytest.mark.parametrize(
    "program",
    [
        "def dynamic_prompt(f): ...\n@dynamic_prompt\ndef rules(question):\n    return f'{question} {RULES}'\n",
        "def prepare(question):\n    return {'shown': f'{question} {RULES}'}\n",
        "def prepare(request, question):\n    return request.override(headers=f'{question} {RULES}')\n",
    ],
)
def test_other_texts_are_no_prompts(program: str) -> None:
    assert in_front(program) == []
