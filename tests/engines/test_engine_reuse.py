"""Predicted reuse against llama.cpp's own server; the recorded run of many more pairs is benchmarks/engine_reuse."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "engine_reuse"
sys.path.insert(0, str(BENCHMARK))

import run  # noqa: E402

pytestmark = pytest.mark.downloads


@pytest.mark.parametrize("name", run.TEMPLATES)
def test_the_server_reuses_what_is_predicted(name: str, cache_folder: Path) -> None:
    result = run.compare(name, 20, 7, cache_folder)
    assert result.wrong == []
    assert (result.equal, result.refused) == (20, 0)
    # Something was reused and something was not, so that the comparison says something.
    assert result.reused_tokens > 200
    assert result.computed_tokens > 200
