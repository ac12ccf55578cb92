"""Cache models against figures worked by hand, measured on engines, or given in providers' documentation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.engines import load_target
from prefixlint.engines.cache import UPPER_BOUND, cached_tokens
from prefixlint.model.targets import CacheModel

TOKEN = CacheModel("token")
VLLM = CacheModel("block", granularity=16, minimum=16)
OPENAI = CacheModel("block", granularity=128, minimum=1024, recompute=0)


@pytest.mark.parametrize(
    ("prefix", "total", "reused"),
    [
        (0, 6466, 0),  # llama-server, cold
        (6466, 6466, 6465),  # the same prompt again still computes one token
        (0, 6494, 0),  # a timestamp line in front
        (6464, 6495, 6464),  # the line at the end: 31 computed
        (318, 318, 317),  # Ollama 0.34, qwen2.5:7b, second request
    ],
)
def test_token_model_measured_on_llama_server_and_ollama(prefix: int, total: int, reused: int) -> None:
    assert cached_tokens(TOKEN, prefix, total) == (reused, "")


@pytest.mark.parametrize(
    ("prefix", "total", "reused"),
    [
        (40, 200, 32),
        (16, 200, 16),
        (15, 200, 0),
        (64, 64, 48),  # a multiple of the block, all of it cached: one whole block is computed again
        (65, 65, 64),
        (1, 1, 0),
    ],
)
def test_block_model_of_vllm(prefix: int, total: int, reused: int) -> None:
    assert cached_tokens(VLLM, prefix, total)[0] == reused


@pytest.mark.parametrize(("page", "reused"), [(1, 63), (16, 48), (64, 0)])
def test_pages_of_sglang(page: int, reused: int) -> None:
    assert cached_tokens(CacheModel("block", granularity=page, minimum=1), 64, 64)[0] == reused


@pytest.mark.parametrize(
    ("prefix", "reused", "note"),
    [
        (300, 0, "below the minimum of 1,024 tokens"),
        (1023, 0, "below the minimum of 1,024 tokens"),
        (1024, 1024, ""),
        (1151, 1024, ""),
        (1152, 1152, ""),
        (2006, 1920, ""),  # the example of OpenAI's guide: 2,006 prompt tokens, 1,920 cached
    ],
)
def test_openai_rounds_down_to_128_from_1024_up(prefix: int, reused: int, note: str) -> None:
    assert cached_tokens(OPENAI, prefix, 4000) == (reused, note)


def test_what_is_not_documented_is_said_to_be_an_upper_bound() -> None:
    assert cached_tokens(CacheModel("undocumented", recompute=0), 700, 900) == (700, UPPER_BOUND)
    assert cached_tokens(CacheModel("undocumented", minimum=1024, recompute=0), 700, 900)[0] == 0


def test_a_prefix_longer_than_the_request_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        cached_tokens(TOKEN, 10, 9)


MODELS = ["llama-server", "vllm", "sglang", "openai", "kimi", "mistral", "lmcache", "gemini"]


@given(st.sampled_from(MODELS), st.integers(0, 9000), st.integers(0, 9000))
def test_reuse_is_a_whole_number_of_blocks_within_the_prefix(name: str, one: int, other: int) -> None:
    cache = load_target(name).cache
    prefix, total = sorted((one, other))
    reused, _ = cached_tokens(cache, prefix, total)
    assert 0 <= reused <= max(0, min(prefix, total - cache.recompute))
    assert reused % cache.granularity == 0
    assert reused == 0 or reused >= cache.minimum
