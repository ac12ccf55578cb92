"""One small program for each framework of the library tables: its form is recognised and its fault is seen."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Text, Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

RULES = (
    '"""You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader '
    'may keep thirty things at a time. What is late costs ten cents a day. Never tell one what another has borrowed."""'
)

PROGRAMS = {
    "cohere-chat": """
import cohere
co = cohere.ClientV2()
def ask(question):
    return co.chat(model="command-r", messages=[{"role": "user", "content": f"{question}\\n{RULES}"}])
""",
    "mcp-prompt": """
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("library")
@mcp.prompt()
def ask(question):
    return f"{question}\\n{RULES}"
""",
    "mirascope": """
from mirascope.core import openai, prompt_template
@openai.call("gpt-4o")
@prompt_template("{question} You answer for the public library of a small town. Never tell who has borrowed a book.")
def ask(question): ...
""",
    "banks-prompt": """
from banks import Prompt
p = Prompt("{{ question }} You answer for the public library of a small town. Never tell who has borrowed a book.")
def ask(question):
    return p.text({"question": question})
""",
    "semantic-kernel": """
from semantic_kernel import Kernel
def ask(kernel: Kernel, question):
    return kernel.add_function(plugin_name="a", function_name="b", prompt=f"{question}\\n{RULES}")
""",
    "llamaindex-agent": """
from llama_index.core.agent.workflow import FunctionAgent
def ask(question, tools):
    return FunctionAgent(tools=tools, system_prompt=f"{question}\\n{RULES}")
""",
    "gemini": """
from google import genai
client = genai.Client()
def ask(question):
    return client.models.generate_content(model="gemini-2.5-pro", contents=f"{question}\\n{RULES}")
""",
    "mistral-chat": """
from mistralai import Mistral
client = Mistral()
def ask(question):
    return client.chat.complete(model="m", messages=[{"role": "user", "content": f"{question}\\n{RULES}"}])
""",
    "bedrock-converse": """
import boto3
client = boto3.client("bedrock-runtime")
def ask(question):
    return client.converse(modelId="m", messages=[{"role": "user", "content": [{"text": f"{question}\\n{RULES}"}]}])
""",
    "agent": """
from agents import Agent
def ask(question):
    return Agent(name="a", instructions=f"{question}\\n{RULES}")
""",
    "crewai-task": """
from crewai import Task
def ask(question):
    return Task(description=f"{question}\\n{RULES}", expected_output="An answer.")
""",
    "vllm-generate": """
from vllm import LLM
llm = LLM("m")
def ask(question):
    return llm.generate(f"{question}\\n{RULES}")
""",
    "haystack-prompt": """
from haystack.components.builders import PromptBuilder
p = PromptBuilder(template="{{ question }} You answer for the public library. Never tell who has borrowed a book.")
""",
}


@pytest.mark.parametrize("form", PROGRAMS)
def test_a_framework_is_recognised_and_its_question_stands_in_front(form: str) -> None:
    file = SourceFile("app.py", f"RULES = {RULES}\n{PROGRAMS[form]}")
    found = [t for e in analyse([file], lambda path: None).values() for t in e.templates if t.form == form]
    assert found, form
    segments = [s for block in found[0].blocks if block.component != "tools" for s in walk(block.segments)]
    first = next(i for i, s in enumerate(segments) if isinstance(s, Value))
    assert segments[first].lifetime.value == "request"  # type: ignore[union-attr]
    assert any(isinstance(s, Text) and "public library" in s.text for s in segments[first:])


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("{{cookiecutter.slug}}/app.py", "from openai import OpenAI\nx = =\n"),
        ("app.py", "from openai import OpenAI\n{%- if cookiecutter.rest == 'y' %}\nx = 1\n{%- endif %}\n"),
    ],
)
def test_a_template_that_makes_python_is_no_broken_python(path, source):
    assert analyse([SourceFile(path, source)], lambda _: None)[path].problems == ()
    broken = SourceFile("b.py", "from openai import OpenAI\nx = =\n")
    assert len(analyse([broken], lambda _: None)["b.py"].problems) == 1


_USE = (
    "from agents.agent import Agent\n\nagent = Agent(name='m', instructions='{draft} Mend this draft of the report.')\n"
)
_OWN_PACKAGE = {
    "src/agents/__init__.py": "",
    "src/agents/agent.py": "class Agent:\n    def __init__(self, name, instructions): ...\n",
    "src/agents/tools.py": _USE,
    "examples/review.py": _USE,
}


def _forms(path: str, texts: dict[str, str]) -> list[str]:
    files = {path: SourceFile(path, text) for path, text in texts.items()}
    found = analyse([file for path, file in files.items() if path.endswith(".py")], files.get)
    return [template.form for template in found[path].templates]


@pytest.mark.parametrize("table", ["[project]", "[tool.poetry]"])
def test_examples_in_a_librarys_own_repository_use_it_as_others_do(table: str) -> None:
    library = {**_OWN_PACKAGE, "pyproject.toml": f"{table}\nname = 'OpenAI_Agents'\n"}
    assert _forms("examples/review.py", library) == ["agent"]
    # For its own modules the library is what it is made of.
    assert _forms("src/agents/tools.py", library) == []


@pytest.mark.parametrize("text", ["[project]\nname = 'chess'\n", "[project]\n", "tool = 1\n", "[project\n", None])
def test_a_package_that_only_bears_the_name_of_a_library_is_followed(text: str | None) -> None:
    project = _OWN_PACKAGE if text is None else {**_OWN_PACKAGE, "pyproject.toml": text}
    assert _forms("examples/review.py", project) == []


@pytest.mark.parametrize(
    ("imported", "made"),
    [
        ("mcp_agent.agents.agent import Agent", "Agent(name='clerk', instruction={text}, server_names=['files'])"),
        ("agent_framework import ChatAgent", "ChatAgent(chat_client=client, instructions={text})"),
        ("upsonic import Agent", "Agent(model='openai/gpt-4o', system_prompt={text})"),
        ("swarms import Agent", "Agent(agent_name='clerk', system_prompt={text})"),
        ("controlflow import Agent", "Agent(name='clerk', instructions={text})"),
        ("marvin import Agent", "Agent(name='clerk', instructions={text})"),
    ],
)
def test_the_instructions_of_an_agent_stand_in_front_of_its_conversation(imported: str, made: str) -> None:
    made = made.format(text="f'You are the clerk. It is {datetime.now()}.'")
    program = f"from datetime import datetime\nfrom {imported}\ndef begin(client):\n    return {made}\n"
    (template,) = templates_of(program)
    assert [block.role for block in template.blocks] == ["system", "history"]
