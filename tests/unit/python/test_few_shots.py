"""Prompt objects with examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Choice, Text, Value, walk
from python_support import templates_of

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

HEAD = """\
from langchain_core.example_selectors import SemanticSimilarityExampleSelector
from langchain_core.prompts import FewShotPromptTemplate, PromptTemplate
EXAMPLES = [{"word": "glad", "antonym": "sad"}, {"word": "tall", "antonym": "short"}]
EXAMPLE = PromptTemplate.from_template("Word: {word}\\nAntonym: {antonym}")
"""


def few_shot(program: str) -> Template:
    (template,) = [template for template in templates_of(HEAD + program) if template.form == "langchain-few-shot"]
    return template


def written(template: Template) -> str:
    """The text with its placeholders."""
    (block,) = template.blocks
    return "".join(s.text if isinstance(s, Text) else f"{{{s.expression}}}" for s in block.segments)


# What LangChain formats: prefix, examples and suffix that are not empty, joined by the separator.
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            "prefix='Antonyms.', suffix='Word: {asked}'",
            "Antonyms.\n\nWord: glad\nAntonym: sad\n\nWord: tall\nAntonym: short\n\nWord: {asked}",
        ),
        (
            "suffix='Word: {asked}', example_separator='\\n--\\n'",
            "Word: glad\nAntonym: sad\n--\nWord: tall\nAntonym: short\n--\nWord: {asked}",
        ),
        (
            "prefix='Antonyms as {who} says.', suffix='Word: {asked}', example_separator=''",
            "Antonyms as {who} says.Word: glad\nAntonym: sadWord: tall\nAntonym: shortWord: {asked}",
        ),
    ],
)
def test_the_examples_stand_between_prefix_and_suffix(arguments: str, text: str) -> None:
    program = f"prompt = FewShotPromptTemplate(examples=EXAMPLES, example_prompt=EXAMPLE, {arguments})\n"
    assert written(few_shot(program)) == text


def test_examples_chosen_for_what_is_asked() -> None:
    program = (
        "def ask(store):\n    chosen = SemanticSimilarityExampleSelector.from_examples(EXAMPLES, store, k=2)\n"
        "    return FewShotPromptTemplate(example_selector=chosen, example_prompt=EXAMPLE, suffix='Word: {asked}')\n"
    )
    template = few_shot(program)
    value = next(s for s in walk(template.blocks[0].segments) if isinstance(s, Value))
    assert (value.lifetime, value.origin.kind) == (Lifetime.REQUEST, SourceKind.RETRIEVAL)
    assert written(template) == "{chosen}\n\nWord: {asked}"


def test_examples_that_a_caller_may_give() -> None:
    program = (
        "def ask(examples):\n    chosen = examples or EXAMPLES\n"
        "    return FewShotPromptTemplate(examples=chosen, example_prompt=EXAMPLE, prefix='A.', suffix='{asked}')\n"
    )
    choice = next(s for s in few_shot(program).blocks[0].segments if isinstance(s, Choice))
    texts = ["".join(s.text for s in walk(arm) if isinstance(s, Text)) for arm in choice.arms]
    assert texts == ["", "Word: glad\nAntonym: sad\n\nWord: tall\nAntonym: short"]


def test_examples_of_which_nothing_is_known() -> None:
    program = (
        "def ask(rows):\n    return FewShotPromptTemplate(examples=rows, example_prompt=EXAMPLE, suffix='{asked}')\n"
    )
    (rows, _, asked) = few_shot(program).blocks[0].segments
    assert isinstance(rows, Value)
    assert isinstance(asked, Value)
    assert (rows.expression, asked.expression) == ("rows", "asked")


def test_very_many_examples_are_one_value_instead_of_the_first_few() -> None:
    many = "[" + ", ".join(f'{{"word": "w{n}", "antonym": "a{n}"}}' for n in range(200)) + "]"
    program = f"prompt = FewShotPromptTemplate(examples={many}, example_prompt=EXAMPLE, suffix='Word: {{asked}}')\n"
    (block,) = few_shot(program).blocks
    shown, *between, asked = block.segments
    assert isinstance(shown, Value)
    assert shown.lifetime is Lifetime.CONSTANT
    assert "".join(segment.text for segment in between if isinstance(segment, Text)) == "\n\nWord: "
    assert isinstance(asked, Value)
    assert asked.expression == "asked"
