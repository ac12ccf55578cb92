"""What a tool gives stands at the end of a conversation: nothing is reused behind it that could be lost."""

from __future__ import annotations

import pytest
from python_support import templates_of

PROGRAM = """
from agents import Agent, function_tool
from helpers import logged, tool

NEXT_INSTRUCTIONS = (
    "First, think step by step about what was found, and decide whether it answers the question. Then you ask the next "
    "question, which must be about one thing alone, and say why you ask it. Ask no question that was asked before. "
    "Never guess at a name. Do not tell what a line means that you have not read, and do not answer from what you "
    "remember of other projects; only what was found counts here, and if nothing was found then say so. When "
    "you know enough, give the answer with the places in the code where it stands, and what you have seen. {request}"
)

DECORATOR
def look_up(query: str, run):
    found = scan(query)
    return f"Here is what was found for {query}.\\n{found}\\n" + NEXT_INSTRUCTIONS.format(request=run["request"])
"""


def names(program: str) -> set[str]:
    return {template.name for template in templates_of(program)}


@pytest.mark.parametrize("decorator", ["@function_tool", "@tool()"])
def test_what_a_tool_gives_is_no_prompt_by_itself(decorator: str) -> None:
    assert "look_up" not in names(PROGRAM.replace("DECORATOR", decorator))


def test_what_somebody_registers_as_a_tool_is_none_either() -> None:
    program = PROGRAM.replace("DECORATOR", "") + "\nagent = Agent(name='a', instructions='Answer.', tools=[look_up])\n"
    assert "look_up" not in names(program)


@pytest.mark.parametrize("decorator", ["", "@logged"])
def test_what_any_other_function_gives_may_be_one(decorator: str) -> None:
    assert "look_up" in names(PROGRAM.replace("DECORATOR", decorator))


def test_what_a_tool_sends_itself_is_a_prompt() -> None:
    sent = "    from openai import OpenAI\n    return OpenAI().responses.create(model='m', input="
    program = PROGRAM.replace("DECORATOR", "@function_tool").replace("    return ", sent).rstrip() + ")\n"
    assert any(template.form == "openai-responses" for template in templates_of(program))


@pytest.mark.parametrize(("kind", "found"), [("ToolMessage", False), ("HumanMessage", True)])
def test_a_message_of_a_tool_alone_is_no_prompt(kind: str, found: bool) -> None:
    told = "The letter for {name} is set up. The card in the chat does the rest: the user reads it there, and it goes "
    told += "out once it is approved. Do not state its state in your reply, and do not repeat what stands in it."
    program = f"""
from langchain_core.messages import HumanMessage, ToolMessage
def receipt(name, call):
    return {{"messages": [{kind}(content=f"{told}", tool_call_id=call)]}}
"""
    assert bool(names(program)) is found
