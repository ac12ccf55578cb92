"""``prefixlint targets``: the list, and the sheet of one engine or provider."""

from __future__ import annotations

import pytest
from prefixlint.engines import target_names
from test_process import run


def test_list_has_a_line_for_each() -> None:
    result = run("targets")
    head, *rows = result.stdout.splitlines()
    assert result.returncode == 0
    assert head.split()[:5] == ["TARGET", "CACHE", "STEP", "MINIMUM", "KEPT"]
    assert [row.split()[0] for row in rows] == list(target_names())
    assert "512-4,096   5 minutes  2026-10-01  Anthropic" in result.stdout


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "anthropic",
            [
                "20 blocks",
                "4 at most",
                "another tool_choice loses the messages",
                "4,096 tokens for *opus-4.6*",
                "docs-mirror",
            ],
        ),
        ("vllm:Qwen/Qwen3-8B", ["16 tokens", "--enable-prompt-tokens-details", "vllm:prefix_cache_hits", "source"]),
        ("llama.cpp", ["timings.cache_n", "length of the whole slot", "recurrent: checkpoint"]),
    ],
)
def test_sheet_of_one(name: str, expected: list[str]) -> None:
    result = run("targets", name)
    assert result.returncode == 0
    text = " ".join(result.stdout.split())
    for part in expected:
        assert part in text


def test_unknown_name_names_the_nearest() -> None:
    result = run("targets", "vlm")
    assert result.returncode == 2
    assert "did you mean vllm" in result.stderr
