"""Usage counters of each API, against figures measured on real servers."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import prefixlint.wire.usage
import pytest
from prefixlint.wire.usage import Usage, events_of, of_stream, usage_of


def known(response: dict[str, Any], api: str | None = None) -> Usage:
    found = usage_of(response, api)
    assert found is not None
    return found


def test_ollama_rate_counts_the_computed_tokens() -> None:
    # Ollama 0.34.0, qwen2.5:7b, second request: 318 tokens, 317 cached, 23 ms.
    warm = {"prompt_eval_count": 318, "prompt_eval_cached_count": 317, "prompt_eval_duration": 23_000_000}
    usage = known(warm)
    assert (usage.total, usage.cached, usage.computed) == (318, 317, 1)
    assert usage.rate is not None
    assert round(usage.rate) == 43
    # What count over duration would say.
    assert round(318 / 0.023) == 13_826


def test_ollama_cold_rate_is_all_tokens() -> None:
    cold = known({"prompt_eval_count": 318, "prompt_eval_cached_count": 0, "prompt_eval_duration": 140_000_000})
    assert cold.cached == 0
    assert cold.rate is not None
    assert round(cold.rate) == 2271


def test_ollama_before_0_33_3_is_unknown_not_zero() -> None:
    usage = known({"prompt_eval_count": 6509, "prompt_eval_duration": 1_072_000_000})
    assert (usage.total, usage.cached, usage.computed, usage.rate) == (6509, None, None, None)
    assert "0.33.3" in usage.note


def test_no_rate_where_all_is_cached() -> None:
    usage = known({"prompt_eval_count": 318, "prompt_eval_cached_count": 318, "prompt_eval_duration": 1_000})
    assert (usage.computed, usage.rate) == (0, None)


def test_llama_server_measured() -> None:
    # Gemma 4 12B: a timestamp line at the end; tokens_cached of the native endpoint is the whole slot.
    usage = known(
        {
            "content": "x",
            "tokens_cached": 6496,
            "tokens_evaluated": 6495,
            "timings": {"cache_n": 6464, "prompt_n": 31, "prompt_ms": 195.0},
        }
    )
    assert (usage.total, usage.cached, usage.computed) == (6495, 6464, 31)
    assert usage.rate == pytest.approx(31 / 0.195)


def test_llama_server_before_cache_n() -> None:
    usage = known({"tokens_cached": 6496, "timings": {"prompt_n": 31, "prompt_ms": 195.0}})
    assert (usage.total, usage.cached, usage.computed) == (None, None, 31)
    assert usage.rate == pytest.approx(31 / 0.195)


def test_ollama_says_the_same_through_three_apis() -> None:
    native = known({"prompt_eval_count": 318, "prompt_eval_cached_count": 317})
    chat = known({"usage": {"prompt_tokens": 318, "prompt_tokens_details": {"cached_tokens": 317}}})
    # Anthropic-compatible: input_tokens was 1, for it leaves out the cached ones.
    messages = known({"usage": {"input_tokens": 1, "cache_read_input_tokens": 317, "output_tokens": 9}})
    assert [usage.api for usage in (native, chat, messages)] == ["ollama", "openai-chat", "anthropic"]
    assert {(u.total, u.cached, u.computed) for u in (native, chat, messages)} == {(318, 317, 1)}


def test_anthropic_counts_three_parts() -> None:
    usage = known(
        {"usage": {"input_tokens": 50, "cache_read_input_tokens": 100_000, "cache_creation_input_tokens": 248}}
    )
    assert (usage.total, usage.cached, usage.written, usage.computed) == (100_298, 100_000, 248, 298)


def test_anthropic_compatible_without_cache_fields() -> None:
    usage = known({"usage": {"input_tokens": 50, "output_tokens": 9}})
    # Whether 50 holds the cached ones depends on the server, so neither sum nor reuse is known.
    assert (usage.api, usage.total, usage.cached) == ("anthropic", None, None)


@pytest.mark.parametrize("details", [{}, {"prompt_tokens_details": None}, {"prompt_tokens_details": {"audio": 0}}])
def test_vllm_without_its_flag_is_unknown(details: dict[str, Any]) -> None:
    usage = known({"usage": {"prompt_tokens": 64, "completion_tokens": 1, **details}})
    assert (usage.total, usage.cached, usage.rate) == (64, None, None)
    assert "--enable-prompt-tokens-details" in usage.note
    assert "--enable-cache-report" in usage.note


def test_openai_guide_example() -> None:
    # platform.openai.com prompt caching guide: 2,006 prompt tokens, 1,920 of them cached.
    usage = known({"usage": {"prompt_tokens": 2006, "prompt_tokens_details": {"cached_tokens": 1920}}})
    assert (usage.total, usage.cached, usage.computed, usage.note) == (2006, 1920, 86, "")


def test_openai_responses() -> None:
    usage = known({"usage": {"input_tokens": 36, "input_tokens_details": {"cached_tokens": 0}, "total_tokens": 40}})
    assert (usage.api, usage.total, usage.cached) == ("openai-responses", 36, 0)


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ({"usage": {"prompt_tokens": 9, "prompt_cache_hit_tokens": 8, "prompt_cache_miss_tokens": 1}}, (9, 8, 1)),
        ({"usageMetadata": {"promptTokenCount": 4200, "cachedContentTokenCount": 4096}}, (4200, 4096, 104)),
        ({"usageMetadata": {"promptTokenCount": 4200}}, (4200, None, None)),
        ({"usage": {"inputTokens": 5, "cacheReadInputTokens": 90, "cacheWriteInputTokens": 3}}, (98, 90, 8)),
        ({"meta_info": {"prompt_tokens": 64, "cached_tokens": 63}}, (64, 63, 1)),
        ({"usage": {"prompt_tokens": 64, "cached_tokens": 32}}, (64, 32, 32)),
    ],
)
def test_other_providers(response: dict[str, Any], expected: tuple[int | None, ...]) -> None:
    usage = known(response)
    assert (usage.total, usage.cached, usage.computed) == expected


@pytest.mark.parametrize(
    "response",
    [{}, {"usage": None}, {"usage": []}, {"usage": {"prompt_tokens": None}}, {"error": "no"}, {"timings": {}}],
)
def test_a_response_without_usage(response: dict[str, Any]) -> None:
    assert usage_of(response) is None


def test_numbers_that_are_none() -> None:
    usage = known({"usage": {"prompt_tokens": "64", "prompt_tokens_details": {"cached_tokens": True}}})
    assert (usage.total, usage.cached) == (None, None)
    assert known({"usage": {"prompt_tokens": 4, "prompt_tokens_details": {"cached_tokens": -1}}}).cached is None


def test_the_caller_can_say_which_api() -> None:
    both = {"timings": {"cache_n": 1, "prompt_n": 2, "prompt_ms": 3}, "usage": {"prompt_tokens": 3}}
    assert known(both).api == "llama-server"
    assert known(both, "openai-chat").cached is None


def test_openai_stream() -> None:
    text = (
        'data: {"choices": [{"delta": {"content": "Hi"}}], "usage": null}\n\n'
        'data: {"choices": [], "usage": {"prompt_tokens": 20, "prompt_tokens_details": {"cached_tokens": 16}}}\n\n'
        "data: [DONE]\n"
    )
    usage = known(of_stream(events_of(text)))
    assert (usage.total, usage.cached) == (20, 16)


def test_anthropic_stream_has_the_prompt_first_and_the_output_last() -> None:
    text = (
        'event: message_start\ndata: {"type": "message_start", "message": {"usage": {"input_tokens": 3, '
        '"cache_read_input_tokens": 17, "cache_creation_input_tokens": 0, "output_tokens": 1}}}\n\n'
        'event: message_delta\ndata: {"type": "message_delta", "usage": {"output_tokens": 15}}\n\n'
    )
    assert known(of_stream(events_of(text))).total == 20


def test_responses_stream() -> None:
    done = {"usage": {"input_tokens": 36, "input_tokens_details": {"cached_tokens": 32}, "output_tokens": 1}}
    event = {"type": "response.completed", "response": done}
    assert known(of_stream([{"type": "response.created", "response": {"usage": None}}, event])).cached == 32


def test_ollama_stream() -> None:
    text = '{"response": "H", "done": false}\n{"done": true, "prompt_eval_count": 9, "prompt_eval_cached_count": 8}\n'
    assert known(of_stream(events_of(text))).computed == 1


def test_broken_stream() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        events_of('data: {"usage": \n')


def test_the_table_is_complete_and_dated() -> None:
    import tomllib

    path = Path(prefixlint.wire.usage.__file__).with_name("usage.toml")
    table = tomllib.loads(path.read_text(encoding="utf-8"))["api"]
    must = {"name", "needs", "total", "cached", "missing", "source", "date"}
    for entry in table:
        assert must <= entry.keys() <= must | {"computed", "written", "duration", "unit"}
        assert isinstance(entry["date"], date)
        assert ("duration" in entry) == ("unit" in entry)
    assert len({entry["name"] for entry in table}) == len(table)


@pytest.mark.parametrize("count", [float("nan"), float("inf"), -1, True, "7"])
def test_a_count_that_is_no_number_of_tokens_is_unknown(count: object) -> None:
    usage = {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": count}}
    found = usage_of({"choices": [], "usage": usage}, "openai-chat")
    assert found is not None
    assert found.cached is None
