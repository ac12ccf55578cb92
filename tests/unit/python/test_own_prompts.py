"""Choices between whole prompts, collections judged by their names, and what a script's trial says of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python.sending import is_message_class, is_request
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Choice, Repeat, Text, Value, walk
from python_support import templates_of

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

RULES = '''RULES = """You sort the letters that reach a lighthouse. Bills go to the office and seed catalogues to the
garden. A letter without a sender is read aloud at supper. Never answer for the keeper. Say in one line where each
letter goes."""
'''
ASK = "    client.chat.completions.create(model='gpt-4o', messages=[{'role': 'user', 'content': prompt}])\n"


def templates(program: str) -> list[Template]:
    source = "from openai import OpenAI\nclient = OpenAI()\n" + RULES + program
    return list(templates_of(source))


def has_choice(template: Template) -> bool:
    return any(isinstance(segment, Choice) for block in template.blocks for segment in walk(block.segments))


def test_a_prompt_beside_a_bare_value_is_a_prompt_of_its_own() -> None:
    program = (
        "def sort(letter):\n    prompt = letter\n    if 'bill' in letter:\n"
        "        prompt = letter + '\\n' + RULES\n" + ASK
    )
    found = templates(program)
    assert not any(map(has_choice, found))
    assert any("You sort the letters" in getattr(s, "text", "") for t in found for s in t.blocks[0].segments)


def test_a_line_behind_the_choice_does_not_make_its_arms_blocks_of_one_prompt() -> None:
    program = (
        "def sort(letter):\n    prompt = letter\n    if 'bill' in letter:\n"
        "        prompt = letter + '\\n' + RULES\n    prompt += '\\nBegin.'\n" + ASK
    )
    assert not any(map(has_choice, templates(program)))


def test_an_optional_block_in_front_of_long_text_stays_one() -> None:
    program = (
        "def sort(letter):\n    prompt = ''\n    if 'bill' in letter:\n"
        "        prompt += f'The letter says {letter}. Bills come on the first day of the month and are blue.'\n"
        "    prompt += RULES\n" + ASK
    )
    (template,) = templates(program)
    assert has_choice(template)


def test_a_choice_in_front_of_a_conversation_stays_one() -> None:
    program = (
        "def sort(letter, history):\n    prompt = letter\n    if 'bill' in letter:\n"
        "        prompt = letter + '\\n' + RULES\n"
        "    talk = [{'role': 'system', 'content': prompt}, *history]\n"
        "    client.chat.completions.create(model='gpt-4o', messages=talk)\n"
    )
    (template,) = templates(program)
    assert has_choice(template)


TWO = """
OPEN = "Open the letter in the {letter} and say who wrote it, when it was sent and what it asks for, in three lines."
BURN = "Burn the paper called {letter} in the stove of the tower and say how long it took and what was left of it."
STAMPS = STAMPED
def sort(letter, fresh, stamped):
    more = STAMPS if stamped else ""
    if fresh:
        prompt = OPEN.format(letter=letter) + RULES + more
    else:
        prompt = BURN.format(letter=letter) + " Ash is carried out at dusk and nobody is told. " * 4 + more
"""


@pytest.mark.parametrize(
    ("stamped", "own"),
    [
        ("'Stamps are cut off and kept in the blue tin.'", True),
        ("'Stamps are cut off with a margin of a finger, washed, dried and kept in the blue tin. ' * 9", False),
    ],
)
def test_prompts_that_share_a_line_are_prompts_of_their_own(stamped: str, own: bool) -> None:
    found = templates(TWO.replace("STAMPED", stamped) + ASK)
    assert len(found) == (2 if own else 1)


@pytest.mark.parametrize(
    ("front", "behind", "own"),
    [
        ("RULES", "''", True),
        ("'You sort letters.'", "'Begin.'", True),
        ("'You sort letters.'", "('Read it twice. ' * 8 if letter.old else '')", True),
        ("'You sort letters.'", "'Read it twice. ' * 20", False),
    ],
)
def test_what_stands_behind_a_choice_makes_it_a_part_of_one_prompt_and_what_stands_in_front_does_not(
    front: str, behind: str, own: bool
) -> None:
    program = (
        TWO.replace("def sort(letter, fresh, stamped):", "def sort(question, letter, stamped):")
        .replace("if fresh", "if question == 'open'")
        .replace("STAMPED", "''")
        .replace("+ RULES", "+ ' Ash is carried out at dawn and nobody is told. ' * 4")
        + f"    prompt += {behind}\n"
        + "    client.chat.completions.create(model='gpt-4o', messages=["
        + f"{{'role': 'system', 'content': {front}}}, {{'role': 'user', 'content': prompt}}])\n"
    )
    assert len(templates(program)) == (2 if own else 1)


@pytest.mark.parametrize("more", ["prompt = f'{prompt} {TEXT}'", "prompt += ' ' + TEXT", "prompt = wrap(prompt, TEXT)"])
def test_what_branches_add_to_leaves_one_text_in_front_of_a_choice(more: str) -> None:
    program = (
        "def wrap(front, behind):\n    return f'{front} {behind}'\n"
        "LAMP = 'The lamp is lit at dusk and put out at dawn by whoever is awake.'\n"
        "OIL = 'Oil is bought in the spring, in barrels, and kept under the stairs.'\n"
        "def sort(keeper, letter, lamp, oil):\n    prompt = RULES + f' The keeper is {keeper}: {letter}'\n"
        f"    if lamp:\n        {more.replace('TEXT', 'LAMP')}\n    if oil:\n        {more.replace('TEXT', 'OIL')}\n"
        + ASK
    )
    (template,) = templates(program)
    kinds = [type(segment).__name__ for segment in template.blocks[0].segments]
    assert kinds == ["Text", "Value", "Text", "Value", "Choice", "Choice"]


def test_a_loop_over_a_collection_of_unknown_values_is_judged_by_the_name_of_the_collection() -> None:
    program = (
        "def sort(store):\n    changes = {}\n"
        "    for name in store.listing():\n        changes[name] = store.lookup(name)\n"
        "    return tell(changes)\n"
        "def tell(changes):\n    prompt = ''\n    for name, it in changes.items():\n"
        "        prompt += f'<{name}>{it}</{name}>'\n    prompt += RULES\n" + ASK
    )
    repeats = [s for t in templates(program) for b in t.blocks for s in walk(b.segments) if isinstance(s, Repeat)]
    assert {repeat.lifetime for repeat in repeats} == {Lifetime.REQUEST}


@pytest.mark.parametrize("wrapped", [False, True])
def test_what_a_module_is_tried_out_with_says_nothing_of_other_callers(wrapped: bool) -> None:
    sends = "    send(prompt)\ndef send(prompt):\n" + ASK
    program = (
        "def sort(letter):\n    prompt = f'<letter>{letter}</letter>\\n' + RULES\n"
        + (sends if wrapped else ASK)
        + "if __name__ == '__main__':\n    sort('To the keeper: your lamp oil is paid for until the autumn.')\n"
    )
    values = [s.expression for t in templates(program) for s in t.blocks[0].segments if isinstance(s, Value)]
    assert values == ["letter"]


def test_what_is_sent_in_a_trial_and_without_it_is_one_template() -> None:
    program = (
        "def talk():\n    messages = [{'role': 'system', 'content': RULES}]\n"
        "    while letter := input():\n        messages.append({'role': 'user', 'content': letter})\n"
        "        client.chat.completions.create(model='gpt-4o', messages=messages)\n"
        "if __name__ == '__main__':\n    talk()\n"
    )
    assert [template.form for template in templates(program)] == ["openai-chat"]


def test_items_of_items_are_as_stable_as_what_the_outer_loop_runs_over() -> None:
    program = (
        "def sort(tool_groups, diffs, letter):\n    prompt = ''\n"
        "    for group in tool_groups:\n        for name in group.members:\n            prompt += f'- {name}\\n'\n"
        "    for diff in diffs:\n        for line in diff.members:\n            prompt += f'+ {line}\\n'\n"
        "    prompt += RULES\n" + ASK
    )
    (template,) = templates(program)
    found = [s for b in template.blocks for s in walk(b.segments) if isinstance(s, Repeat | Value)]
    expected = [("tool_groups", Lifetime.UNKNOWN), ("group.members", Lifetime.UNKNOWN), ("name", Lifetime.UNKNOWN)]
    expected += [("diffs", Lifetime.REQUEST), ("diff.members", Lifetime.REQUEST), ("line", Lifetime.REQUEST)]
    assert [(s.expression, s.lifetime) for s in found] == expected


CHAIN = (
    "from langchain.chains import LLMChain\nfrom langchain.prompts import PromptTemplate\n"
    "TEXT = '{tool_text}\\n' + RULES + '\\n{style}'\n"
)


def test_what_a_chain_is_run_with_fills_its_prompt() -> None:
    for given in ("tool_text=letter, style='short'", "{'tool_text': letter, 'style': 'short'}"):
        program = (
            CHAIN
            + "def sort(letter, llm):\n    chain = LLMChain(llm=llm, prompt=PromptTemplate.from_template(TEXT))\n"
            + f"    return chain.run({given})\n"
        )
        (template,) = templates(program)
        assert [s.name for s in template.blocks[0].segments if isinstance(s, Value)] == ["letter"]
        assert getattr(template.blocks[0].segments[-1], "text", "").endswith("short")


def test_a_chain_of_the_project_that_inherits_how_it_is_run() -> None:
    program = (
        CHAIN + "from langchain.chains.base import Chain\nclass OwnChain(Chain):\n    prompt: object\n    llm: object\n"
        "def sort(letter, llm):\n    made = PromptTemplate.from_template('{letter}' + RULES)\n"
        "    chain = OwnChain(llm=llm, prompt=made)\n"
        "    return chain.run('the same each time')\n"
    )
    (template,) = templates(program)
    assert not any(isinstance(s, Value) for s in template.blocks[0].segments)


def test_no_field_of_a_record_picked_by_an_answer_stays() -> None:
    program = (
        "def sort(question, shelf):\n    record = shelf[str(question)]\n    fixed = shelf['tools']\n"
        "    prompt = record['tool_description'] + RULES + fixed['tool_description']\n" + ASK
    )
    (template,) = templates(program)
    found = [s.lifetime for b in template.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert found == [Lifetime.REQUEST, Lifetime.DEPLOYMENT]


def test_a_counter_that_some_ways_through_a_loop_leave_alone_is_another_number_each_time() -> None:
    program = (
        "SORT_PROMPT = 'Please answer in one line. Pass {count}. ' + RULES\n"
        "def sort(letters, again):\n    first = SORT_PROMPT.format(count=1)\n    count = 0\n"
        "    while count < 9:\n        prompt = SORT_PROMPT.format(count=count)\n"
        "        if again(first):\n            continue\n        count += 1\n        keep(prompt)\ndef keep(prompt):\n"
        + ASK
    )
    (template,) = templates(program)
    (value,) = [s for s in template.blocks[0].segments if isinstance(s, Value)]
    assert (value.expression, value.lifetime) == ("count", Lifetime.REQUEST)


SHELL = """    if kind == "python":
        system, user = PYTHON, PYTHON_USER.format(question=question)
    else:
        system, user = SHELL, SHELL_USER.format(question=question)
    client.chat.completions.create(model='gpt-4o', messages=[{'role': 'system', 'content': system},
        {'role': 'user', 'content': user}])
"""
TEXTS = """
PYTHON = "You write one function in Python for the tide gauge of a harbour. " + "Keep it short and name its units. " * 4
SHELL = "You write a script for the shell of the tide gauge of a harbour. " + "Stop at the first error, always. " * 4
PYTHON_USER = "Function: {question}. " + "It reads from the gauge, and gives centimetres. " * 4
SHELL_USER = "Script: {question}. " + "It runs on the box beside the gauge, as nobody. " * 4
"""


def test_one_condition_decides_over_both_messages() -> None:
    found = templates(f"{TEXTS}def write(kind, question):\n{SHELL}")
    assert not any(map(has_choice, found))
    firsts = {tuple(next(s.text for s in block.segments if isinstance(s, Text)) for block in t.blocks) for t in found}
    assert {(system[:16], user) for system, user in firsts} == {
        ("You write one fu", "Function: "),
        ("You write a scri", "Script: "),
    }


MADE = """
from post.models import Letter, Message, Note, {request}, Role
{rules}
class Sorter:
    def sort(self, letter, sorted_before):
        return self._put([
            {first}(role={role}, content=RULES),
            {first}(role=Role.USER, content=f"{{sorted_before}} {{letter}}"),
        ])

    def _put(self, messages):
        return self.office.{method}(kept={request}(messages=messages))
"""


@pytest.mark.parametrize(
    ("request_", "first", "role", "roles"),
    [
        ("Prompt", "Message", "Role.SYSTEM", ["system", "user"]),
        ("SortRequest", "Message", "'user'", ["user", "user"]),
        # Other things with a role are no messages.
        ("Prompt", "Letter", "Role.SYSTEM", []),
    ],
)
def test_messages_and_requests_of_a_library_without_a_table(
    request_: str, first: str, role: str, roles: list[str]
) -> None:
    program = MADE.format(rules=RULES, request=request_, first=first, role=role, method="run")
    sent = [t for t in templates_of(program) if t.form == "messages"]
    assert [block.role for template in sent for block in template.blocks] == roles


def test_classes_of_requests_and_of_messages() -> None:
    names = (
        "Prompt",
        "ChatRequest",
        "Payload",
        "prompt",
        "PromptStore",
        "Drawer",
        "Message",
        "ChatMsg",
        "Messages",
        "message",
    )
    assert [name for name in names if is_request(name)] == ["Prompt", "ChatRequest", "Payload"]
    assert [name for name in names if is_message_class(name)] == ["Message", "ChatMsg"]


def test_placeholders_that_an_f_string_leaves_to_whoever_sends_it() -> None:
    program = (
        RULES + "def letter_prompt(place='lighthouse'):\n"
        '    return f"Letters: {{{{ history }}}}\\n{{{{question}}}} {place} {{{{\\"json\\": 1}}}} {{x}}\\n{RULES}"\n'
        "def build():\n    return Prompt(messages=[Message(role='user', content=letter_prompt())])\n"
    )
    made = [t for t in templates_of("from post import Message, Prompt\n" + program) if t.form == "messages"]
    values = [s for t in made for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert [(value.expression, value.lifetime.varies) for value in values] == [("history", True), ("question", True)]


@pytest.mark.parametrize("text", ["You must {{{{question}}}} {{% if x %}}", "You must {{question}}"])
def test_braces_that_an_f_string_leaves_to_no_one_who_sends(text: str) -> None:
    program = f'{RULES}def letter_prompt(place):\n    return f"{text} {{place}} {{RULES}}"\n'
    values = [s for t in templates_of(program) for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert {value.expression for value in values} == {"place"}
