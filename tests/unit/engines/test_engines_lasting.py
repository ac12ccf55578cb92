"""How long a cache keeps a prefix against how long a value lives."""

from __future__ import annotations

import pytest
from prefixlint.engines import TargetError, load_target
from prefixlint.engines.lasting import outlasts
from prefixlint.model.lifetimes import Lifetime


@pytest.mark.parametrize(
    ("target", "ttl", "lifetime", "expected"),
    [
        ("anthropic", None, Lifetime.DAY, True),  # five minutes: a date that changes once a day does not matter
        ("anthropic", None, Lifetime.HOUR, True),
        ("anthropic", "1h", Lifetime.HOUR, False),
        ("anthropic", "1h", Lifetime.DAY, True),
        ("openai:gpt-4o", "24h", Lifetime.DAY, False),
        ("groq", None, Lifetime.HOUR, False),  # two hours
        ("vllm", None, Lifetime.DAY, False),  # until memory is short
        ("deepseek", None, Lifetime.DAY, False),  # hours to days, nothing promised
        ("anthropic", None, Lifetime.REQUEST, False),
        ("anthropic", None, Lifetime.USER, False),
        ("anthropic", None, Lifetime.UNKNOWN, False),
    ],
)
def test_outlasts(target: str, ttl: str | None, lifetime: Lifetime, expected: bool) -> None:
    cache = load_target(target, {"ttl": ttl} if ttl else {}).cache
    assert outlasts(lifetime, cache) is expected


@pytest.mark.parametrize("value", [0, -5, True, "soon", "5 weeks", 1.5])
def test_a_ttl_is_a_time(value: object) -> None:
    with pytest.raises(TargetError, match="ttl must be"):
        load_target("anthropic", {"ttl": value})
