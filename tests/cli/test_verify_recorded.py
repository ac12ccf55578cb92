"""``prefixlint verify`` on answers in the form of servers that do not run here, some with counts measured on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from stub_server import Fixed, Reply, reply, serving
from test_verify import invoke, write_prompts

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDED = Path(__file__).with_name("recorded")

# Of the second request: tokens, of them cached, tokens a second; then words of the verdict or a note.
EXPECTED: dict[str, tuple[int | None, int | None, int | None, str]] = {
    "ollama-0.32.15-generate": (6509, None, None, "0.33.3"),
    "ollama-0.34.0-generate": (318, 317, 43, ""),
    "ollama-0.34.0-all-cached": (318, 318, None, "no rate"),
    "ollama-0.34.0-openai": (318, 317, None, ""),
    "ollama-0.34.0-anthropic": (318, 317, None, ""),
    "vllm-0.33.0-openai-without-flag": (1000, None, None, "--enable-prompt-tokens-details"),
    "vllm-0.33.0-openai-with-flag": (1000, 976, None, ""),
    "vllm-0.33.0-anthropic-without-flag": (None, None, None, "--enable-prompt-tokens-details"),
    "sglang-0.5.23-openai-without-flag": (1000, None, None, "--enable-cache-report"),
    "vllm-0.33.0-responses": (1000, 976, None, ""),
}


def in_turn(answers: list[dict[str, Any]]) -> Callable[[], Reply]:
    waiting = iter(answers)
    return lambda: reply(next(waiting))


@pytest.mark.parametrize("name", EXPECTED)
def test_recorded(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_prompts(tmp_path)
    recorded = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    prompt = "back_prompt.jinja" if recorded["api"] == "ollama-generate" else "back_chat.py"
    total, cached, rate, words = EXPECTED[name]
    arguments = (prompt, "--api", recorded["api"], "--target", "ollama", "--repeats", "1", "--model", "m")
    with serving(Fixed(in_turn(recorded["answers"]))) as url:
        result = invoke(*arguments, "--url", url, "--output-format", "json")
    with serving(Fixed(in_turn(recorded["answers"]))) as url:
        shown = invoke(*arguments, "--url", url)
    warm = json.loads(result.stdout)["trials"][0]["warm"]
    assert (warm["prompt_tokens"], warm["cached_tokens"]) == (total, cached)
    assert warm["tokens_per_second"] == (None if rate is None else pytest.approx(rate, abs=0.5))
    assert words in shown.stdout
    if cached is None:
        assert shown.exit_code == 1
        assert "not verified: the server does not say how many tokens it reused" in shown.stdout
    # What count over duration would say stands nowhere.
    assert "13,826" not in shown.stdout


def test_every_recording_is_tested_and_says_where_it_is_from() -> None:
    assert {path.stem for path in RECORDED.glob("*.json")} == set(EXPECTED)
    for path in RECORDED.glob("*.json"):
        assert json.loads(path.read_text(encoding="utf-8"))["source"]
