"""Prompts that are constants of a module and sent by what is not followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.prompt_text import pairs
from prefixlint.model.lifetimes import Confidence, Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

if TYPE_CHECKING:
    from prefixlint.model.templates import Template


RULES = (
    "You sort the letters that reach a lighthouse. Bills go to the office and seed catalogues to the garden. "
    "A letter without a sender is read aloud at supper. Your task is to say in one line where each letter goes."
)


def templates(source: str) -> list[Template]:
    return list(templates_of(source, "prompts.py"))


def open_values(template: Template) -> list[tuple[str, str, Lifetime]]:
    return [
        (block.role, segment.expression, segment.lifetime)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    ]


@pytest.mark.parametrize(
    "hole", ["{letter_text}", "{{letter_text}}", "{{ letter_text }}", "{% if a %}{{ letter_text }}{% endif %}"]
)
def test_placeholders_that_code_elsewhere_fills(hole: str) -> None:
    (template,) = templates(f'SORT_PROMPT = """Letter: {hole}\n{RULES}"""\n')
    assert "letter_text" in [expression for _, expression, _ in open_values(template)]


def test_braces_of_code_that_a_text_with_tags_of_jinja_shows_are_no_placeholders() -> None:
    (template,) = templates(
        f'SORT_PROMPT = """{RULES}\nprint(f\'The sender is {{sender}}.\')\n'
        '{% for shelf in shelves %}{{ shelf }} {% endfor %}\nLetter: {{ letter_text }}"""\n'
    )
    assert [expression for _, expression, _ in open_values(template)] == ["shelf", "letter_text"]


@pytest.mark.parametrize(
    "text", ["Answer with \\\\boxed{{answer}}.", 'Answer with {{"letter": 1}}.', "Answer in {{}}."]
)
def test_doubled_braces_that_are_no_placeholders(text: str) -> None:
    assert templates(f'SORT_PROMPT = """{RULES} {text}"""\n') == []


def test_system_and_user_text_of_the_same_name_are_one_prompt() -> None:
    source = (
        f'SORT_SYSTEM_PROMPT = """{RULES}\nPlan: {{{{plan}}}}"""\nSORT_USER_PROMPT = """{RULES}\n{{{{question}}}}"""\n'
    )
    (template,) = templates(source)
    assert [block.role for block in template.blocks] == ["system", "user"]
    assert open_values(template) == [
        ("system", "plan", Lifetime.REQUEST),
        ("user", "question", Lifetime.REQUEST),
    ]
    assert template.name == "SORT_SYSTEM_PROMPT"


def test_a_system_text_that_is_sent_with_another_text_is_no_pair() -> None:
    source = (
        "from openai import OpenAI\nclient = OpenAI()\n"
        f'SYSTEM_PROMPT = """{RULES}"""\nUSER_PROMPT = """{RULES}\n{{{{question}}}}"""\n'
        "def ask(letter):\n    client.chat.completions.create(model='m', messages=["
        "{'role': 'system', 'content': SYSTEM_PROMPT}, {'role': 'user', 'content': letter}])\n"
    )
    found = templates(source)
    assert sorted(open_values(template)[0][:2] for template in found) == [("", "question"), ("user", "letter")]


def test_a_text_that_is_checked_somewhere_keeps_its_placeholders() -> None:
    source = f'SORT_PROMPT = """{RULES}\n{{letter_text}}"""\ndef check():\n    assert fields(SORT_PROMPT) == {{"x"}}\n'
    assert "letter_text" in [value[1] for template in templates(source) for value in open_values(template)]


def test_pairs_of_names() -> None:
    names = [
        "SYSTEM_PROMPT",
        "USER_PROMPT",
        "PLAN_SYSTEM",
        "PLAN_USER_TEMPLATE",
        "JUDGE_SYSTEM",
        "SYSTEM_USER",
        "human_x",
    ]
    assert pairs(names) == [("SYSTEM_PROMPT", "USER_PROMPT"), ("PLAN_SYSTEM", "PLAN_USER_TEMPLATE")]


def test_a_text_that_says_in_braces_what_belongs_there_has_no_placeholders() -> None:
    text = RULES + "\nAnswer so:\n1. {claim}: {reason for it}\n{one line for each claim}\n"
    assert templates(f"SORT_PROMPT = {text!r}\n") == []
    # One such remark beside placeholders says nothing of them.
    (template,) = templates(f"SORT_PROMPT = {RULES + ' {letter} {question}: {answer in one line}'!r}\n")
    assert [expression for _, expression, _ in open_values(template)] == ["letter", "question"]


def test_a_text_that_cannot_be_formatted_has_no_placeholders() -> None:
    text = f"{RULES}\nAnswer so:\n{{thought: [why],\naction: finish}}\nTools: {{{{ tools_name }}}}\n{{question}}\n"
    (template,) = templates(f"SORT_PROMPT = {text!r}\n")
    assert [expression for _, expression, _ in open_values(template)] == ["tools_name"]
    (template,) = templates(f"SORT_PROMPT = {text.replace('{thought: [why],', '{thought:>8}')!r}\n")
    assert [expression for _, expression, _ in open_values(template)] == ["thought", "question"]


def test_a_text_with_a_placeholder_left_makes_a_template() -> None:
    made = f"SORT_PROMPT = {'{persona} {question}' + RULES + chr(10) + 'Letter: {{input_text}}'!r}\n"
    (template,) = templates(made)
    assert template.confidence is Confidence.LOW
    # Nothing is left where braces hold what no request brings.
    (template,) = templates(made.replace("input_text", "format_name"))
    assert template.confidence is Confidence.HIGH


def test_samples_of_code_are_no_prompts() -> None:
    text = (
        "import letters\n"
        + RULES
        + " You are a clerk. Please answer only in one line, do not include a signature, keep it brief: {letter}"
    )
    assert templates(f"SORT_CODE_SAMPLE = {text!r}\n") == []
    assert len(templates(f"SORT_PROMPT = {text!r}\n")) == 1


def test_attributes_of_a_class_are_put_together_of_earlier_ones() -> None:
    program = (
        "class Text(str):\n    pass\nclass SortPrompts:\n    ROLES = Text('You sort for {task}. ')\n"
        f"    SORT_PROMPT = Text(ROLES + {RULES + ' {letter}'!r})\n"
    )
    found = [names for template in templates(program) if (names := [e for _, e, _ in open_values(template)])]
    assert ["task", "letter"] in found


EXAMPLE = """import lamp


def test_lamp():
    assert lamp.turn('north') == 'dark'
    assert lamp.turn('south') == 'bright'
"""


def test_code_between_fences_is_an_example_in_a_prompt() -> None:
    text = f"Write a complete test for this letter.\n{{letter_text}}\nHere is one:\n\n```python\n{EXAMPLE}```\nRead on."
    (found,) = templates(f'TEST_PROMPT = """{text}\nPlease ensure that it shows the fault."""\n')
    assert "letter_text" in [expression for _, expression, _ in open_values(found)]


def test_code_without_fences_is_no_prompt() -> None:
    text = f"{EXAMPLE}\n# Please ensure that {{letter_text}} shows the fault, and that it is written down in the log."
    assert templates(f'TEST_PROMPT = """{text}"""\n') == []


@pytest.mark.parametrize("shown", ["question", '"Whose is it?"'])
def test_a_text_that_shares_its_rules_with_what_is_sent_is_another_prompt(shown: str) -> None:
    source = f'''
from openai import OpenAI
RULES = """{RULES}"""
SYSTEM_PROMPT = "You are the warden of the lighthouse.\\n\\n" + RULES
USER_PROMPT = "Question:\\n{{question}}\\n\\n" + RULES
def begin():
    OpenAI().chat.completions.create(model="m", messages=[{{"role": "system", "content": SYSTEM_PROMPT}}])
def user_prompt(question):
    return USER_PROMPT.format(question={shown})
'''
    values = sorted((open_values(template) for template in templates(source)), key=len)
    assert values == ([[], [("", "question", Lifetime.REQUEST)]] if shown == "question" else [[]])


@pytest.mark.parametrize(
    ("path", "found"), [("prompts.py", True), ("app/prompts/orders.py", True), ("app/prompting.py", False)]
)
def test_a_long_text_in_a_file_of_prompts_is_one_whatever_it_is_called(path: str, found: bool) -> None:
    order = (
        "Follow the order of the lighthouse keeper and finish the following work with the others of the watch:\n\n"
        "{order}\n\nFor work on the lamp, say which tools are missing. Save what you have measured in the log book and "
        "let the keeper know how to read it. If the work cannot be finished now, report the reasons to the "
        "keeper, and wait for word."
    )
    source = f'order_text = """{order}"""\n\ndef message(order):\n    return order_text.format(order=order[-1])\n'
    names = [t.name for t in analyse([SourceFile(path, source)], lambda path: None)[path].templates]
    assert bool(names) is found


@pytest.mark.parametrize(
    ("sent", "open_"), [("EXAMPLES", []), ("EXAMPLES.format(timestamp=now())", ["timestamp"]), ("'ok'", ["timestamp"])]
)
def test_braces_in_what_is_sent_as_it_stands_are_part_of_an_example(sent: str, open_: list[str]) -> None:
    source = f'''
from clock import now
from openai import OpenAI
EXAMPLES = """{RULES}
You write names of files such as nyc_{{timestamp}}.png. {RULES}"""
def begin():
    OpenAI().chat.completions.create(model="m", messages=[{{"role": "system", "content": {sent}}}])
'''
    values = [s for t in templates(source) for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert [value.expression for value in values] == open_


def test_doubled_braces_behind_what_is_filled_are_part_of_an_example_where_the_whole_is_sent() -> None:
    source = f'''
from langchain_openai import ChatOpenAI
from langchain_core.messages import HumanMessage
HEAD = "You write plans. The task is {{task}}. {RULES}"
EXAMPLES = """Example: report what is new in {{{{ inputs.project }}}} since {{{{ inputs.began }}}}. {RULES}"""
def build(task):
    return HEAD.format(task=task) + EXAMPLES
def plan(task):
    prompt = build(task)
    return ChatOpenAI().invoke([HumanMessage(content=prompt)])
'''
    values = [s for t in templates(source) for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert {value.expression for value in values} == {"task"}
