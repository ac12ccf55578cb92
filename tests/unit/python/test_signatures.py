"""Signatures and predictors of DSPy: what is sent, in which order.

What is expected was written down by hand from the source of the chat adapter, and compared once with what
``ChatAdapter().format(…)`` of DSPy 3.4.1 gives for such signatures: but for its own sentences, which are
``<adapter>`` here, for what it says of the types of output fields, and for how it indents instructions, it is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Choice, Segment, Text, Value, walk
from python_support import templates_of

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

HEAD = '''
import dspy
from datetime import datetime

class Answer(dspy.Signature):
    """Answer questions about boats from the register alone."""
    question: str = dspy.InputField(desc="what the caller wants to know")
    berths: list[str] = dspy.InputField(description="the whole register")
    answer: str = dspy.OutputField()
'''
SYSTEM = """<adapter>
1. `question` (str): what the caller wants to know
2. `berths` (list[str]): the whole register
1. `reasoning` (str):\x20
2. `answer` (str):\x20

[[ ## question ## ]]
{question}

[[ ## berths ## ]]
{berths}

[[ ## reasoning ## ]]
{reasoning}

[[ ## answer ## ]]
{answer}

[[ ## completed ## ]]

Answer questions about boats from the register alone."""
USER = """[[ ## question ## ]]
<question>

[[ ## berths ## ]]
<berths>

<adapter>"""


def written(segments: tuple[Segment, ...]) -> str:
    """Segments as text, values in angle brackets."""
    out = []
    for segment in segments:
        if isinstance(segment, Choice):
            out.append("".join(f"[{written(arm)}]" for arm in segment.arms))
        elif isinstance(segment, Text):
            out.append(segment.text)
        elif isinstance(segment, Value):
            out.append(f"<{segment.expression}>")
    return "".join(out)


def roles(template: Template) -> list[str]:
    return [block.role for block in template.blocks]


def fields(template: Template) -> list[str]:
    """Names of the input fields, in the order in which they are sent."""
    text = written(template.blocks[-1].segments)
    return [line.removeprefix("[[ ## ").removesuffix(" ## ]]") for line in text.splitlines() if "[[ ## " in line]


def values(template: Template) -> dict[str, Value]:
    found = (s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value))
    return {value.expression: value for value in found}


def test_messages_of_a_chain_of_thought() -> None:
    program = (
        HEAD + "def ask(question, berths):\n    return dspy.ChainOfThought(Answer)(question=question, berths=berths)"
    )
    (template,) = templates_of(program)
    assert roles(template) == ["system", "user"]
    assert written(template.blocks[0].segments) == SYSTEM
    assert written(template.blocks[1].segments) == USER
    assert template.form == "dspy"


CALLS = {
    "function": "def ask(question):\n    return dspy.Predict(Answer)(question=datetime.now(), berths='none')",
    "variable": """
predict = dspy.Predict(Answer)
def ask():
    return predict(question=datetime.now(), berths="none")
""",
    "attribute": """
class Desk:
    def __init__(self):
        self.answer = dspy.Predict(Answer)
    async def ask(self):
        return await self.answer.acall(question=datetime.now(), berths="none")
""",
    "module": """
class Desk(dspy.Module):
    def __init__(self):
        super().__init__()
        self.answer = dspy.Predict(Answer)
    def forward(self, when):
        return self.answer(question=when, berths="none")
def main():
    desk = Desk()
    return desk(when=datetime.now())
""",
    "async module": """
class Desk(dspy.Module):
    def __init__(self):
        self.answer = dspy.Predict(Answer)
    async def aforward(self, when):
        return await self.answer.acall(question=when, berths="none")
async def main():
    desk = Desk()
    return await desk.acall(when=datetime.now())
""",
    "inline": """
def ask():
    return dspy.Predict("question, berths: list[str] -> answer")(question=datetime.now(), berths="none")
""",
    "made": """
def ask():
    signature = dspy.Signature("question, berths -> answer", "Be short.")
    return dspy.Predict(signature)(question=datetime.now(), berths="none")
""",
    "in a function": """
def ask():
    class Short(Answer):
        tone = dspy.OutputField()
    return dspy.Predict(Short)(question=datetime.now(), berths="none")
""",
    "script": "print(dspy.Predict(Answer)(question=datetime.now(), berths='none'))",
}


@pytest.mark.parametrize("name", CALLS)
def test_values_fill_the_fields(name: str) -> None:
    call = CALLS[name]
    found = [t for t in templates_of(HEAD + call) if SourceKind.CLOCK in {v.origin.kind for v in values(t).values()}]
    assert len(found) == 1
    assert fields(found[0]) == ["question", "berths"]
    user = found[0].blocks[-1].segments
    clock = next(s for s in user if isinstance(s, Value) and s.origin.kind is SourceKind.CLOCK)
    # What a script asks once is the same as long as it runs.
    assert clock.lifetime is (Lifetime.PROCESS if name == "script" else Lifetime.REQUEST)
    assert "[[ ## berths ## ]]\nnone\n\n" in written(user)


# Each with the fields that ``list(signature.fields)`` of DSPy 3.4.1 has.
CHANGES = {
    'Answer.append("note", dspy.InputField())': ["question", "berths", "note"],
    'Answer.prepend("day", dspy.InputField(), type_=str)': ["day", "question", "berths"],
    'Answer.append(name="why", field=dspy.OutputField(), type_=str)': ["question", "berths"],
    'Answer.prepend("day", dspy.InputField()).insert(1, "two", dspy.InputField())': [
        "day",
        "two",
        "question",
        "berths",
    ],
    'Answer.insert(-1, "last", dspy.InputField())': ["question", "berths", "last"],
    'Answer.delete("question")': ["berths"],
    'Answer.with_instructions("Be short.")': ["question", "berths"],
    'dspy.Signature("tide: int, moon -> depth")': ["tide", "moon"],
    'dspy.Signature({"tide": (int, dspy.InputField()), "depth": (int, dspy.OutputField())})': ["tide"],
}


@pytest.mark.parametrize(("signature", "expected"), CHANGES.items(), ids=CHANGES)
def test_fields_of_changed_signatures(signature: str, expected: list[str]) -> None:
    (template,) = templates_of(HEAD + f"def ask(answers):\n    return dspy.Predict({signature})")
    assert fields(template) == expected


def test_instructions_that_replace_or_follow_others() -> None:
    program = """
def ask():
    short = Answer.with_instructions("Be short.")
    dspy.Predict(short)
    dspy.Predict(Answer.with_instructions(Answer.instructions + " Be kind."))
    dspy.Predict(short.append_instructions("Be kind."))
"""
    said = [written(t.blocks[0].segments).partition("completed ## ]]\n\n")[2] for t in templates_of(HEAD + program)]
    register = "Answer questions about boats from the register alone."
    assert sorted(said) == sorted(["Be short.", f"{register} Be kind.", "Be short.\nBe kind."])


def test_a_field_of_messages_is_a_conversation_in_front() -> None:
    program = """
class Talk(dspy.Signature):
    note = dspy.InputField()
    history: dspy.History = dspy.InputField()
    answer = dspy.OutputField()
class Desk:
    def __init__(self):
        self.turns, self.predict = [], dspy.Predict(Talk)
    def ask(self, note):
        found = self.predict(note=note, history=dspy.History(messages=self.turns))
        self.turns.append({"note": note, "answer": found.answer})
"""
    templates = [t for t in templates_of(HEAD + program) if t.form == "dspy"]
    assert {tuple(roles(t)) for t in templates} == {("system", "history", "user")}
    assert all(value.grows for t in templates for value in t.blocks[1].segments if isinstance(value, Value))
    assert {tuple(fields(t)) for t in templates} == {("note",)}


def test_steps_of_a_run_come_last() -> None:
    program = "def ask(tools):\n    return dspy.ReAct(Answer, tools=tools)(question='Where?', berths='none')"
    (template,) = templates_of(HEAD + program)
    assert fields(template) == ["question", "berths", "trajectory"]
    assert "next_tool_name" in written(template.blocks[0].segments)
    # Within a run all steps have the same in front of them, so they are no conversation that a value strands.
    assert not values(template)["trajectory"].grows


def test_fields_that_are_there_under_a_condition() -> None:
    program = """
def ask(question, berths, tide, with_tide):
    signature = Answer
    if with_tide:
        signature = signature.append("tide", dspy.InputField())
    return dspy.Predict(signature)(question=question, berths=berths, tide=tide)
"""
    (template,) = templates_of(HEAD + program)
    choices = [s for s in template.blocks[-1].segments if isinstance(s, Choice)]
    assert [written((choice,)) for choice in choices] == ["[[[ ## tide ## ]]\n<tide>\n\n][]"]


OTHERS = ["dspy.Predict(SIGNATURES['a'])", "dspy.Predict('no arrow')", "dspy.Predict()", "dspy.Predict('a -> ')"]


@pytest.mark.parametrize("call", OTHERS)
def test_what_no_signature_is_known_of_is_no_template(call: str) -> None:
    assert templates_of(f"import dspy\nfrom signatures import SIGNATURES\ndef ask():\n    return {call}(a=1)") == ()
