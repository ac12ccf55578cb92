"""Instructions whose placeholders a library fills from a state, and callbacks that write into that state.

Google's ADK calls ``before_agent_callback`` before each turn and then fills ``{now}`` with what the state holds under
that key: what is expected follows from what the callback has put there on two turns of one session.
"""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Value, walk
from python_support import templates_of

AGENT = """
import uuid
from datetime import datetime
from google.adk.agents import LlmAgent

{callback}

clerk = LlmAgent(
    model="gemini-2.0-flash",
    instruction="You tell visitors of the town hall when its departments are open. Note: {{note}}. Be short.",
    {given},
)
"""


def note(callback: str, given: str) -> Value:
    (template,) = templates_of(AGENT.format(callback=callback, given=given))
    values = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]
    (value,) = [value for value in values if value.expression == "note"]
    return value


WRITES = {
    "clock": ("ctx.state['note'] = datetime.now().isoformat()", SourceKind.CLOCK, Lifetime.REQUEST),
    "by way of a variable": (
        "now = datetime.now()\n    text = now.strftime('%H:%M')\n    ctx.state['note'] = text",
        SourceKind.CLOCK,
        Lifetime.REQUEST,
    ),
    "with its type": ("ctx.state['note']: str = datetime.now().isoformat()", SourceKind.CLOCK, Lifetime.REQUEST),
    "an id": ("ctx.state['note'] = str(uuid.uuid4())", SourceKind.ID, Lifetime.REQUEST),
}


@pytest.mark.parametrize("given", ["before_agent_callback=before", "before_model_callback=[log, before]"])
@pytest.mark.parametrize("write", WRITES)
def test_what_a_callback_writes_on_each_turn_fills_the_placeholder(write: str, given: str) -> None:
    statement, kind, lifetime = WRITES[write]
    value = note(f"def log(ctx):\n    print(ctx)\n\ndef before(ctx):\n    {statement}\n", given)
    assert (value.origin.kind, value.lifetime) == (kind, lifetime)


@pytest.mark.parametrize(
    ("callback", "given"),
    [
        # Once in a session.
        (
            "def before(ctx):\n    if 'note' not in ctx.state:\n        ctx.state['note'] = uuid.uuid4().hex\n",
            "before_agent_callback=before",
        ),
        # Under another key, and what stays the same.
        ("def before(ctx):\n    ctx.state['other'] = datetime.now().isoformat()\n", "before_agent_callback=before"),
        ("def before(ctx):\n    ctx.state['note'] = 'Closed on Friday'\n", "before_agent_callback=before"),
        # Something else than the state; a function that is called behind the turn, and one that the model calls.
        ("def before(ctx):\n    ctx.notes['note'] = datetime.now().isoformat()\n", "before_agent_callback=before"),
        ("def before(ctx):\n    ctx.state['note'] = datetime.now().isoformat()\n", "tools=[before]"),
    ],
)
def test_what_stays_for_a_session_is_left_as_it_is(callback: str, given: str) -> None:
    assert note(callback, given).lifetime is Lifetime.SESSION
