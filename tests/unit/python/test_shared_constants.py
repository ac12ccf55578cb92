"""Prompts that share a constant: each has its own layout, whatever another one that is sent more plainly says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Text, Value, walk
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

RULES = (
    'RULES = """You are a librarian in the public library of a town. Your answer names the shelf. Do not invent '
    "titles. Books are lent for four weeks and films for one. A reader may keep thirty things at a time. What is late "
    'costs ten cents a day."""\n'
)


def templates(source: str) -> list[Template]:
    file = SourceFile("a.py", source)
    return list(analyse([file], lambda path: None)["a.py"].templates)


def layout(template: Template) -> list[str]:
    """What a template is made of: expressions of its values, and "RULES" for fixed text of that constant."""
    out = []
    for block in template.blocks:
        for segment in walk(block.segments):
            if isinstance(segment, Value):
                out.append(segment.expression)
            elif isinstance(segment, Text) and "public library" in segment.text:
                out.append("RULES")
    return out


SENT = """
from openai import OpenAI
client = OpenAI()
def plain(question):
    return client.chat.completions.create(
        model="m", messages=[{"role": "system", "content": RULES}, {"role": "user", "content": question}]
    )
"""


def test_text_before_a_shared_constant_is_seen_beside_a_request_that_ends_with_it() -> None:
    found = templates(RULES + SENT + 'def other(llm, question):\n    return llm.ask(f"{question}\\n{RULES}")\n')
    assert sorted(map(layout, found)) == [["RULES", "question"], ["question", "RULES"]]


def test_a_text_that_a_caller_sends_is_not_told_twice() -> None:
    built = 'def built(question):\n    return f"About: {question}\\n{RULES}"\n'
    sent = (
        "from openai import OpenAI\nclient = OpenAI()\n"
        'def ask(x):\n    return client.responses.create(model="m", input=built(x))\n'
    )
    found = templates(RULES + built + sent)
    assert len(found) == 1
    assert layout(found[0])[-1] == "RULES"


@pytest.mark.parametrize(
    "made",
    ['Template("Question: {{ question }}\\n" + RULES)', 'Template(f"Question: {{{{ question }}}}\\n{HEAD}")'],
)
def test_a_constant_made_of_another_one_that_holds_the_text(made: str) -> None:
    source = (
        f"from jinja2 import Template\n{RULES}HEAD = RULES + '.'\nT = {made}\n"
        "def ask(client, question):\n    return client.generate(T.render(question=question))\n"
    )
    found = templates(source)
    assert [layout(template) for template in found] == [["question", "RULES"]]


def test_a_list_of_prompts_is_as_many_prompts() -> None:
    source = (
        f"from vllm import LLM\nllm = LLM(model='m')\n{RULES}"
        "def ask(questions):\n"
        '    prompts = [f"Question: {question}\\n{RULES}" for question in questions]\n'
        "    return llm.generate(prompts)\n"
        "def two(question, query):\n"
        '    return llm.generate([f"Q: {question}\\n{RULES}", f"{RULES}\\n{query}"])\n'
    )
    found = templates(source)
    assert sorted(map(layout, found)) == [["RULES", "query"], ["question", "RULES"], ["question", "RULES"]]
    assert {template.form for template in found} == {"vllm-generate"}


def test_a_list_of_prompts_for_a_call_that_nothing_is_known_of() -> None:
    source = (
        f"{RULES}def ask(model, questions):\n"
        '    return model.generate_batch([f"Question: {question}\\n{RULES}" for question in questions])\n'
    )
    assert [layout(template) for template in templates(source)] == [["question", "RULES"]]


def test_a_session_of_a_realtime_model() -> None:
    source = (
        f"import json, datetime\n{RULES}async def start(ws):\n"
        '    await ws.send(json.dumps({"type": "session.update", "session": {"instructions": '
        'f"{datetime.datetime.now()} {RULES}"}}))\n'
    )
    assert [layout(template) for template in templates(source)] == [["datetime.datetime.now()", "RULES"]]


def test_variables_of_semantic_kernel() -> None:
    source = (
        f"from semantic_kernel import Kernel\n{RULES}"
        'async def ask(kernel):\n    return await kernel.invoke_prompt("{{$question}} " + RULES)\n'
    )
    (template,) = templates(source)
    assert template.form == "semantic-kernel"
    value = next(s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value))
    assert (value.name, value.lifetime.value) == ("question", "request")


def test_what_a_run_is_configured_with_is_judged_by_its_key() -> None:
    source = (
        f"from langchain_core.messages import SystemMessage\nfrom langchain_openai import ChatOpenAI\n{RULES}"
        "llm = ChatOpenAI()\n"
        "def node(state, config):\n"
        "    who = config['configurable']['user_name']\n"
        '    return llm.invoke([SystemMessage(content=f"{who} {RULES}"), *state["messages"]])\n'
        "def clean(state, config):\n"
        "    tone = config['settings']['tone']\n"
        '    return llm.invoke([SystemMessage(content=f"{tone} {RULES}"), *state["messages"]])\n'
    )
    by_name = {template.name: template for template in templates(source)}
    lifetimes = {
        name: next(s for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)).lifetime.value
        for name, t in by_name.items()
    }
    assert lifetimes == {"node": "user", "clean": "deployment"}


_CUTTING = (
    "from openai import OpenAI\nclient = OpenAI()\n"
    "def send(system, chat_messages=None, last=None):\n"
    "    messages = [{'role': 'system', 'content': system}]\n"
    "    if chat_messages:\n"
    "        messages += chat_messages[-10:]\n"
    "    messages.append({'role': 'user', 'content': last})\n"
    "    return client.chat.completions.create(model='m', messages=messages)\n"
    f"{RULES}"
)


def _cuts(source: str) -> list[str]:
    drifts = [s.drift for t in templates(source) for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
    return [drift.expression for drift in drifts if drift is not None]


def test_a_cut_of_what_callers_leave_out_is_told() -> None:
    callers = (
        "def one(question):\n    return send(RULES, None, question)\n"
        "def two(query):\n    return send(RULES + '!', chat_messages=None, last=query)\n"
    )
    assert _cuts(_CUTTING + callers) == ["chat_messages[-10:]"]


_TWO = "{'role': 'user', 'content': 'Hi'}, {'role': 'assistant', 'content': 'Hello'}, "
_EXAMPLES = f"EXAMPLES = [{6 * _TWO}]\n"


@pytest.mark.parametrize(
    ("callers", "cuts"),
    [
        # Twelve fixed messages, of which each turn keeps the same ten.
        (_EXAMPLES + "def one(question):\n    return send(RULES, EXAMPLES, question)\n", []),
        # Two messages, which are fewer than ten.
        (
            "def one(first, answer, question):\n    said = [{'role': 'user', 'content': first}]\n"
            "    said.append({'role': 'assistant', 'content': answer})\n    return send(RULES, said, question)\n",
            [],
        ),
        # Somebody hands on a conversation as well.
        (
            _EXAMPLES + "def one(question):\n    return send(RULES, EXAMPLES, question)\n"
            "def two(history, question):\n    return send(RULES + '!', history, question)\n",
            ["chat_messages[-10:]"],
        ),
        # What is tried out at the end of the module is nobody's decision.
        (
            _EXAMPLES + "def one(question):\n    return send(RULES, None, question)\n"
            "if __name__ == '__main__':\n    send(RULES, EXAMPLES, 'Bye')\n",
            ["chat_messages[-10:]"],
        ),
    ],
)
def test_callers_decide_what_a_cut_leaves(callers: str, cuts: list[str]) -> None:
    assert _cuts(_CUTTING + callers) == cuts
