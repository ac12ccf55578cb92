"""What the words in front of a placeholder say of it: the data file's form, and texts judged by hand."""

from __future__ import annotations

import tomllib
from datetime import date
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.knowledge.introductions import REACH, introduced, is_fixed, is_persona, lists_configured, presents
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind

RAW: dict[str, Any] = tomllib.loads(
    resources.files("prefixlint.knowledge").joinpath("introductions.toml").read_text(encoding="utf-8")
)
LISTS = ("leading", "linking", "fixed", "data", "subjects", "endings", "parts", "described")
LISTS += ("answers", "forms", "form_parts", "naming", "showing")


@pytest.mark.parametrize("key", LISTS)
def test_lists_are_well_formed(key: str) -> None:
    assert len(RAW[key]) == len(set(RAW[key]))
    assert all(word == word.lower().strip() for word in RAW[key])


def test_data_have_a_date() -> None:
    assert set(RAW) == {"date", "persona", *LISTS}
    assert date.fromisoformat(RAW["date"]) >= date(2026, 1, 1)


TELLING = [
    ("## Request\n", SourceKind.USER_INPUT),
    ("### User Instruction ###\n", SourceKind.USER_INPUT),
    ("The width is 800 pixels. The user's instruction is: ", SourceKind.USER_INPUT),
    ("Rate what follows.\n\n### Response\n\n", SourceKind.USER_INPUT),
    ("**Finished Tasks:**\n```python\n", SourceKind.USER_INPUT),
    ("Here is the original content of this file:\n```\n", SourceKind.USER_INPUT),
    ("Here is the diff of the changes:\n\n", SourceKind.USER_INPUT),
    ("Based on these misuse statements: ", SourceKind.USER_INPUT),
    ("The task is: ", SourceKind.USER_INPUT),
    ("Answer from the sources.\n<question>", SourceKind.USER_INPUT),
    ("<retrieved_documents>\n", SourceKind.RETRIEVAL),
    ('<output kind="test">\n', SourceKind.USER_INPUT),
    ("Known facts: ", SourceKind.RETRIEVAL),
    ("==== Context ====\n", SourceKind.RETRIEVAL),
    ("--- Search results ---\n", SourceKind.RETRIEVAL),
    ("[previous attempt]\n", SourceKind.USER_INPUT),
    ("USER QUERY\n----------\n", SourceKind.USER_INPUT),
    ("Text to translate (up to 2,000 words):\n\n", SourceKind.USER_INPUT),
    ("Here is their conversation so far:\n", SourceKind.HISTORY),
    ("Put any text here that helps to answer the query ", SourceKind.USER_INPUT),
    ('Does the passage answer the user question "', SourceKind.USER_INPUT),
    ("Tell whether it supports the claim '", SourceKind.USER_INPUT),
    ("Here is the file with the recipes, called `\0`:\n=====\n", SourceKind.USER_INPUT),
    ("### File: \0\n\n", SourceKind.USER_INPUT),
    ('<document source="\0">\n', SourceKind.RETRIEVAL),
    ("Question \0: ", SourceKind.USER_INPUT),
    ("Name: \0, query: ", SourceKind.USER_INPUT),
    ("The visitor \0 asks this question: ", SourceKind.USER_INPUT),
    ("Here is the answer of a pupil. The lines are numbered.\n-----\n", SourceKind.USER_INPUT),
    ("The visitor asks for the following task:\n\n", SourceKind.USER_INPUT),
    ("Write tests for the following code:\n", SourceKind.USER_INPUT),
    ("Weigh each of the following documents:\n", SourceKind.RETRIEVAL),
    ("用户问题：\n", SourceKind.USER_INPUT),
    ("已知内容:\n", SourceKind.USER_INPUT),
]


@pytest.mark.parametrize(("text", "kind"), TELLING)
def test_text_that_tells(text: str, kind: SourceKind) -> None:
    found = introduced(text)
    assert found is not None
    assert (found.kind, found.lifetime.varies) == (kind, True)
    # Words are evidence and no proof.
    assert found.confidence is not Confidence.CERTAIN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "You are ",
        "You work for the library of ",
        "Answer in the style of this house.\n",
        "Answer the question with ",
        "Answer it with the tool ",
        "Answer the company question ",
        "Write to the customers of ",
        "Put it behind the query\n",
        "Your task:\n",
        "### Instruction ###\n",
        "### User Instructions ###\n",
        "Your name: ",
        "## Rules\n",
        "You have access to the following tools:\n",
        "<tools>\n",
        "Available documents:\n",
        "Answer in this format:\n",
        "Examples:\n",
        "# Example question\n",
        "Language: ",
        "Company: ",
        "Additional details:\n",
        "Current competition: ",
        "<role>",
        "The question is answered like this. Tone: ",
        "The context is below.\n",
        "Question:\n\0\n",
        "Question: \0\n",
        "Question: \0, ",
        "\0:\n",
        "The \0 of \0:\n",
        "Example \0:\n",
        "Perform the following steps:\n",
        "Write the report in the following format:\n",
        "Play the following character:\n",
        "The keeper does the following:\n",
        "The rules of \0:\n",
        "<tool name='\0'>",
        "Use the tone of the house. Here is the answer.\n",
        "Here is your desk. Keep the answer short.\n-----\n",
        "你可以使用以下工具：\n",
        "输出格式：\n",
        "示例问题：\n",
    ],
)
def test_text_that_does_not_tell(text: str) -> None:
    assert introduced(text) is None


@pytest.mark.parametrize(
    ("name", "fixed"),
    [("demo_filename", True), ("working_dir", True), ("exampleText", True), ("old_content", False), ("req", False)],
)
def test_names_of_what_may_be_fixed(name: str, fixed: bool) -> None:
    assert is_fixed(name) is fixed


@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    found = introduced(text)
    assert found is None or found.lifetime in (Lifetime.REQUEST, Lifetime.TURN, Lifetime.SESSION)
    assert found == introduced(text[-REACH:])


def test_who_the_model_is_to_be() -> None:
    assert presents("You are a ", "role")
    assert presents("Your name is **", "agent.name")
    assert presents("Written with care.\n\nYour Role: ", "self.role")
    assert not presents("Your Goal: ", "self.goal")
    assert not presents("You are a ", "task")
    assert not presents("The user's name is ", "name")
    assert is_persona("retry_goal")
    assert is_persona("self.backstory")
    assert not is_persona("question")


def test_descriptions_of_what_is_configured() -> None:
    assert lists_configured("You have access to the following functions:\n\n", "description")
    assert lists_configured("## Tools\n", "tool.descriptions")
    assert not lists_configured("The following problem:\n", "description")
    assert not lists_configured("You have access to the following functions:\n\n", "question")


def test_the_form_of_an_answer_is_configured() -> None:
    assert lists_configured("Think step by step and respond according to the following JSON format:\n    ", "response")
    assert lists_configured("请一步步思考并按照以下JSON格式回复：\n      ", "response")
    assert not lists_configured("Check whether this answer has the right format:\n", "question")
    assert not lists_configured("Here is the response of the model:\n", "response")
    assert not lists_configured("Format of dates: ISO.\nPrevious output:\n", "output")
