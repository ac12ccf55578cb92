"""Names under which packages are distributed."""

from __future__ import annotations

import pytest
from prefixlint.knowledge.distributions import is_distributed_as


@pytest.mark.parametrize(
    ("package", "name", "expected"),
    [
        ("crewai", "crewai", True),
        ("semantic_kernel", "Semantic.Kernel", True),
        ("autogen_agentchat", "autogen-agentchat", True),
        ("agents", "openai-agents", True),
        ("agents", "agents", False),
        ("google", "google-adk", True),
        ("agno", "my-agno-app", False),
    ],
)
def test_is_distributed_as(package: str, name: str, expected: bool) -> None:
    assert is_distributed_as(package, name) is expected
