"""What hooks and middlewares add to the system prompt of an agent that they are given."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import SourceKind
from prefixlint.model.segments import Value, walk
from python_support import templates_of

IMPORTS = "import uuid\nfrom datetime import date, datetime\n"


def told(program: str) -> list[list[tuple[str, SourceKind]]]:
    """For each template its values, and what they come from."""
    return [
        [(s.expression, s.origin.kind) for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
        for t in templates_of(IMPORTS + program, "hooks.py")
    ]


@pytest.mark.parametrize(
    ("statement", "value", "kind"),
    [
        ("agent.system_prompt += f'\\nIt is {datetime.now()}.'", "datetime.now()", SourceKind.CLOCK),
        ("agent.instructions = agent.instructions + f' Run {uuid.uuid4()}'", "uuid.uuid4()", SourceKind.ID),
        ("agent.system_message = f'{datetime.now()} {agent.system_message}'", "datetime.now()", SourceKind.CLOCK),
        ("agent.instructions += f'\\nFound: {documents}'", "documents", SourceKind.RETRIEVAL),
    ],
)
def test_what_changes_with_every_turn_stands_in_front_of_the_conversation(
    statement: str, value: str, kind: SourceKind
) -> None:
    (values,) = told(f"class Hook(Base):\n    async def step(self, agent, documents):\n        {statement}\n")
    assert (value, kind) in values
    assert values[-1] == ("conversation", SourceKind.HISTORY)


@pytest.mark.parametrize(
    "statement",
    [
        "agent.system_prompt += '\\nBe brief.'",  # always the same
        "agent.system_prompt += f'\\nAnswer in {language}.'",  # configuration
        "agent.system_prompt = f'It is {datetime.now()}.'",  # nothing of the prompt that was there is left
        "agent.system_prompt = agent.system_prompt.replace('{now}', str(datetime.now()))",  # its own place
        "agent.title += f' {datetime.now()}'",  # no prompt
        "self.system_prompt += f'\\nIt is {datetime.now()}.'",  # of the object itself: where it is sent tells more
    ],
)
def test_other_assignments_add_nothing(statement: str) -> None:
    assert told(f"class Hook(Base):\n    async def step(self, agent, language):\n        {statement}\n") == []


def test_what_a_request_brings_along_may_be_sent_once() -> None:
    program = "def ask(request, question):\n    request.system_prompt += f'\\nAsked: {question}'\n"
    assert told(program) == []
    program = "def ask(request: SupportAgent, question):\n    request.system_prompt += f'\\nAsked: {question}'\n"
    assert len(told(program)) == 1


@pytest.mark.parametrize(
    ("statement", "value", "kind"),
    [
        ("request.append_instructions([f'It is {datetime.now()}.'])", "datetime.now()", SourceKind.CLOCK),
        ("request.add_system_prompt(f'Found: {documents}')", "documents", SourceKind.RETRIEVAL),
    ],
)
def test_a_method_that_adds_to_the_instructions_of_a_request_does_so_too(
    statement: str, value: str, kind: SourceKind
) -> None:
    (values,) = told(f"class Tool(Base):\n    def prepare(self, request, documents):\n        {statement}\n")
    assert values == [(value, kind), ("conversation", SourceKind.HISTORY)]


@pytest.mark.parametrize(
    "statement",
    [
        "request.append_instructions(['Be brief.'])",  # always the same
        "request.append_instructions([f'Answer in {language}.'])",  # configuration
        "request.append_notes([f'It is {datetime.now()}.'])",  # no instructions
        "self.request.append_instructions([f'It is {datetime.now()}.'])",  # of the object itself
    ],
)
def test_other_calls_add_nothing(statement: str) -> None:
    assert told(f"class Tool(Base):\n    def prepare(self, request, language):\n        {statement}\n") == []
