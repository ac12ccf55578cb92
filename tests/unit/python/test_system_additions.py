"""What hooks and middlewares add to the system prompt of an agent that they are given."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime, SourceKind
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


SETTING = """
class Desk:
    def __init__(self, agent, shop):
        self.agent = agent
        self.{kept} = agent
        self.agent.set_system_prompt(f"You work at a desk. It is {{datetime.now()}}.")

    def answer(self, session_id, question):
        notes = self.archive.search(question)
        past = self.store.fetch(session_id)
        {owner}.{method}(f"You work at a desk. {{{value}}}")
        return self.agent.run(question)
"""


@pytest.mark.parametrize(
    ("method", "value", "kind"),
    [
        ("set_system_prompt", "notes", SourceKind.RETRIEVAL),
        ("update_instructions", "datetime.now()", SourceKind.CLOCK),
    ],
)
def test_another_system_prompt_that_a_kept_agent_is_given_on_each_turn(
    method: str, value: str, kind: SourceKind
) -> None:
    program = SETTING.format(kept="other", owner="self.agent", method=method, value=value)
    assert told(program) == [[(value, kind), ("conversation", SourceKind.HISTORY)]]


@pytest.mark.parametrize(
    ("owner", "method", "value"),
    [
        ("self.agent", "set_system_prompt", "self.style"),  # the same on each turn
        ("self.agent", "set_up", "datetime.now()"),  # no system prompt
        ("self.page", "set_system_prompt", "notes"),  # nothing says that it is an agent's
        ("Agent()", "set_system_prompt", "notes"),  # a new one has no conversation
    ],
)
def test_what_is_set_once_or_elsewhere_changes_no_conversation(owner: str, method: str, value: str) -> None:
    program = SETTING.format(kept="page", owner=owner, method=method, value=value)
    assert [values for values in told(program) if ("conversation", SourceKind.HISTORY) in values] == []


def test_an_agent_that_is_made_for_a_task_has_no_conversation_yet() -> None:
    made = '        self.agent = self.{kept} = agent\n        {owner}.{method}(f"You work at a desk. {{{value}}}")'
    program = SETTING.replace('        {owner}.{method}(f"You work at a desk. {{{value}}}")', made)
    program = program.replace("session_id, question)", "session_id, question, agent)")
    program = program.format(kept="other", owner="self.agent", method="set_system_prompt", value="notes")
    assert "self.other = agent\n        self.agent.set_system_prompt" in program
    assert [values for values in told(program) if ("conversation", SourceKind.HISTORY) in values] == []


@pytest.mark.parametrize(("test", "lifetime"), [("self.turns == 0", Lifetime.SESSION), ("question", Lifetime.REQUEST)])
def test_what_the_first_turn_alone_adds_stays_for_all_later_ones(test: str, lifetime: Lifetime) -> None:
    program = f"""
class Desk:
    def __init__(self, make):
        self.agent = make()
        self.turns = 0

    def step(self, question):
        if {test}:
            self.agent.add_system_prompt(self.agent.system_prompt + f'\\nThe task: {{question}}')
        self.turns += 1
        return self.agent.answer()
"""
    (template,) = templates_of(program, "desk.py")
    values = [s for b in template.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert [value.lifetime for value in values if value.expression == "question"] == [lifetime]
