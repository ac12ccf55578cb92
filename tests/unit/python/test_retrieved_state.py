"""What was looked up stands in the state of a conversation for a turn; what else it holds goes on."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
from langchain_core.messages import SystemMessage
def call(state, model):
    told = {told}
    return model.invoke([SystemMessage(content=f"Answer from these: {{told}} Be brief.")] + state["messages"])
"""


@pytest.mark.parametrize(
    ("told", "lifetime"),
    [
        ('state["kb_documents"]', Lifetime.TURN),
        ("state.search_results", Lifetime.TURN),
        ('state.get("context", "")', Lifetime.TURN),
        ('state["harbour_context"]', Lifetime.SESSION),
        ('state["topic"]', Lifetime.SESSION),
        ('state["question"]', Lifetime.SESSION),
        ('settings["documents"]', Lifetime.DEPLOYMENT),
    ],
)
def test_lifetimes(told: str, lifetime: Lifetime) -> None:
    (found,) = templates_of(PROGRAM.format(told=told))
    system = next(block for block in found.blocks if block.role == "system")
    assert {one.lifetime for one in walk(system.segments) if isinstance(one, Value)} == {lifetime}
