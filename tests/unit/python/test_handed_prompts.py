"""Prompt objects that something else runs, with what fills them: Semantic Kernel's functions and agents, LlamaIndex.

What is expected follows from putting each value into the template by hand, as the libraries' documentation says.
"""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

RULES = (
    "You are a clerk who keeps the register of boats in a harbour. Your task is to tell what stands in it, in order "
    "of the berths. Do not guess. If a boat is not in the register, say so. Never tell who owns it. Be short."
)
HEAD = f"""
import os
from datetime import datetime
from llama_index.core import PromptTemplate
from semantic_kernel import Kernel
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.functions import KernelArguments, KernelFunctionFromPrompt
from semantic_kernel.prompt_template import KernelPromptTemplate, PromptTemplateConfig
RULES = "{RULES}"
"""

PROGRAMS = {
    "llama-index": """
ASK = PromptTemplate("{note}\\n" + RULES)
def ask(llm, question):
    return llm.predict(ASK, note=question)
""",
    "kernel": """
async def ask(kernel, question):
    boats = kernel.add_function(plugin_name="harbour", function_name="ask", prompt="{{$note}}\\n" + RULES)
    return await kernel.invoke(boats, KernelArguments(note=question))
""",
    "kernel-keyword": """
async def ask(kernel, question):
    boats = KernelFunctionFromPrompt(function_name="ask", prompt="{{$note}}\\n" + RULES)
    return await kernel.invoke(function=boats, note=question)
""",
    "rendered": """
async def ask(question):
    template = KernelPromptTemplate(prompt_template_config=PromptTemplateConfig(template="{{$note}}\\n" + RULES))
    return await template.render(Kernel(), KernelArguments(note=question))
""",
    "handlebars": """
async def ask(kernel, question):
    boats = kernel.add_function(
        prompt="{{note}}\\n" + RULES + "{{#if late}} Be quick.{{/if}}", template_format="handlebars"
    )
    return await kernel.invoke(boats, KernelArguments(note=question))
""",
}
AGENTS = {
    "instructions": 'instructions="{{$note}} " + RULES',
    "config": 'prompt_template_config=PromptTemplateConfig(template="{{$note}} " + RULES)',
    "jinja": 'prompt_template_config=PromptTemplateConfig(template="{{note}} " + RULES, template_format="jinja2")',
}


def fillings(program: str) -> list[Value]:
    """What stands in front of the rules, in each template that is no part of another one."""
    found = [[s for block in one.blocks for s in block.segments] for one in templates_of(HEAD + program)]
    return [first for first, *rest in found if isinstance(first, Value) and isinstance(rest[0], Text)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_handed_on_with_a_prompt_object_fills_it(name: str) -> None:
    filled = [value for value in fillings(PROGRAMS[name]) if value.lifetime.known]
    assert [(value.origin.kind, value.lifetime) for value in filled] == [(SourceKind.USER_INPUT, Lifetime.REQUEST)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_the_same_each_time_fills_it_too(name: str) -> None:
    program = PROGRAMS[name].replace("note=question", 'note=os.environ["HARBOUR"]')
    assert Lifetime.REQUEST not in {value.lifetime for value in fillings(program)}


@pytest.mark.parametrize("given", AGENTS)
def test_arguments_fill_the_instructions_of_an_agent(given: str) -> None:
    def agent(note: str) -> str:
        arguments = f"arguments=KernelArguments(note={note})"
        return f"def clerk(service):\n    return ChatCompletionAgent(service=service, {AGENTS[given]}, {arguments})\n"

    assert SourceKind.CLOCK in {value.origin.kind for value in fillings(agent("datetime.now().isoformat()"))}
    assert SourceKind.CLOCK not in {value.origin.kind for value in fillings(agent('os.environ["HARBOUR"]'))}


def test_calls_in_instructions_are_placeholders() -> None:
    (value,) = fillings('clerk = ChatCompletionAgent(service=None, instructions="{{time.now}} " + RULES)\n')
    assert (value.origin.kind, value.lifetime) == (SourceKind.CLOCK, Lifetime.REQUEST)


def test_constants_hold_placeholders_of_the_kernel() -> None:
    (template,) = templates_of(f'ASK_PROMPT = """{{{{$question}}}}\n{RULES}"""\n')
    values = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]
    assert [value.expression for value in values] == ["question"]


def test_a_section_that_is_never_closed_leaves_the_text_as_it_is() -> None:
    (template,) = templates_of(
        HEAD + 'c = PromptTemplateConfig(template="{{#if late}} {{note}}" + RULES, template_format="handlebars")\n'
    )
    assert not [s for block in template.blocks for s in walk(block.segments) if not isinstance(s, Text)]
