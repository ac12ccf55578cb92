"""Reuse among real requests, against the worked examples of the providers' documentation and figures made by hand."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from prefixlint.engines import load_target
from prefixlint.engines.cache import NO_MARKER
from prefixlint.engines.earlier import (
    BEYOND_LOOKBACK,
    INTERVALS,
    LATEST_ONLY,
    NOTHING_STORED,
    SHIFTED,
    Gate,
    Reuse,
    Sent,
    reachable,
    reuse,
    shifted,
)
from prefixlint.model.targets import CacheModel
from prefixlint.tokens.common import common_prefix

DEEPSEEK = load_target("deepseek").cache
ANTHROPIC = load_target("anthropic").cache
OPENAI_OLD = load_target("openai:gpt-4o").cache
OPENAI_NEW = load_target("openai:gpt-5.6").cache


def request(*blocks: str, marked: int | None = None) -> Sent:
    """One token a character; each block a message of its own, the one with index ``marked`` marked."""
    tokens = tuple(map(ord, "".join(blocks)))
    ends, at = [], 0
    for block in blocks:
        at += len(block)
        ends.append(at)
    markers = () if marked is None else (ends[marked],)
    return Sent(tokens, tuple(ends), markers, tuple(ends), tuple(ends[-1:]))


A, B, C, D = "a" * 2000, "b" * 300, "c" * 300, "d" * 300


def test_deepseek_common_prefix_is_found_from_the_third_request_on() -> None:
    # api-docs.deepseek.com/guides/kv_cache, example 2: after A+B, A+C misses; then A is a unit of its own, A+D hits it.
    one, two, three = request(A, B), request(A, C), request(A, D)
    assert reuse(DEEPSEEK, [one], two) == Reuse(2000, 0, INTERVALS)
    assert reuse(DEEPSEEK, [one, two], three) == Reuse(2000, 2000, INTERVALS[:0])


def test_deepseek_conversation_goes_on_from_the_end_of_the_user_input() -> None:
    # Example 1 of the same page: A+B, then A+B+C: the whole first input is a unit.
    assert reuse(DEEPSEEK, [request(A, B)], request(A, B, C)) == Reuse(2300, 2300)


def test_deepseek_prefix_seen_to_be_common_with_a_longer_one_between() -> None:
    earlier = [request("x" * 50 + "y" * 50), request("x" * 50 + "z" * 50)]
    # The first two agree in 50; the third agrees with the second in 80, which is no unit: 50 it is.
    assert reuse(DEEPSEEK, earlier, request("x" * 50 + "z" * 30 + "w" * 9)) == Reuse(80, 50, INTERVALS)


def test_anthropic_marker_on_the_shared_block() -> None:
    assert reuse(ANTHROPIC, [request(A, B, marked=0)], request(A, C, marked=0)) == Reuse(2000, 2000)


def test_anthropic_marker_on_the_block_that_differs_finds_nothing() -> None:
    # The documentation's common mistake: the write happened at the end of B only.
    assert reuse(ANTHROPIC, [request(A, B, marked=1)], request(A, C, marked=1)).tokens == 0


def test_anthropic_conversation_with_the_marker_moving_on() -> None:
    # The first request wrote at its last block; the second, two blocks longer, looks back from its own and finds it.
    assert reuse(ANTHROPIC, [request(A, B, marked=1)], request(A, B, C, D, marked=3)) == Reuse(2300, 2300)


def test_anthropic_looks_back_over_twenty_blocks() -> None:
    first = request(A, B, marked=1)
    turns = ["e" * 10] * 30
    within = request(A, B, *turns[:19], marked=20)
    beyond = request(A, B, *turns[:20], marked=21)
    assert reuse(ANTHROPIC, [first], within) == Reuse(2300, 2300)
    assert reuse(ANTHROPIC, [first], beyond) == Reuse(2300, 0, BEYOND_LOOKBACK)


def test_anthropic_without_a_marker_or_below_the_minimum() -> None:
    assert reuse(ANTHROPIC, [request(A, B)], request(A, C)) == Reuse(2000, 0, NO_MARKER)
    short = "a" * 1023
    assert reuse(ANTHROPIC, [request(short, B, marked=0)], request(short, C, marked=0)).tokens == 0


def test_anthropic_takes_the_best_of_all_earlier_requests() -> None:
    earlier = [request(A, B, marked=1), request(A, C, marked=0)]
    # The longest prefix is with the first; its marker is at the end of B, and B goes on differently.
    assert reuse(ANTHROPIC, earlier, request(A, B[:200], D, marked=0)) == Reuse(2200, 2000)


def marked(prefix: int, total: int, *ends: int) -> tuple[Sent, Sent]:
    """Two requests of ``total`` tokens that share ``prefix`` of them, with markers at ``ends`` in both."""
    blocks = tuple(sorted({*ends, total}))
    one, other = (
        Sent(("a",) * prefix + (last,) * (total - prefix), blocks, ends)  # type: ignore[arg-type]
        for last in ("b", "c")
    )
    return one, other


def between(prefix: int, total: int, *ends: int) -> tuple[int, str]:
    one, other = marked(prefix, total, *ends)
    found = reuse(ANTHROPIC, [one], other)
    return found.tokens, found.note


def test_anthropic_reuses_up_to_the_last_marker_before_the_difference() -> None:
    assert between(5000, 6000, 1500, 4000, 5500) == (4000, "")
    assert between(4000, 6000, 1500, 4000) == (4000, "")
    assert between(3999, 6000, 1500, 4000) == (1500, "")


def test_anthropic_says_why_nothing_is_reused() -> None:
    assert between(5000, 6000) == (0, NO_MARKER)
    assert between(5000, 6000, 1023) == (0, "below the minimum of 1,024 tokens")
    # A marker on the varying user message behind a long shared system text: nothing was written where they part.
    assert between(5000, 6000, 5900) == (0, NOTHING_STORED)


def test_a_fifth_marker_is_refused() -> None:
    assert between(5000, 6000, 1100, 1200, 1300, 1400, 1500) == (1400, "more than 4 cache markers are refused")


def test_a_gate_stops_what_is_cached_behind_it() -> None:
    # platform.claude.com prompt caching: another tool_choice keeps tools and system text, and loses the messages.
    def sent(choice: str) -> Sent:
        return Sent((1,) * 5000, (1500, 4000, 5000), (1500, 4000), gates=(Gate(2000, choice, "tool_choice"),))

    assert reuse(ANTHROPIC, [sent("auto")], sent("any")) == Reuse(5000, 1500, "tool_choice")
    assert reuse(ANTHROPIC, [sent("auto")], sent("auto")) == Reuse(5000, 4000)
    # The best of several earlier requests is the one with the same value.
    assert reuse(ANTHROPIC, [sent("any"), sent("auto")], sent("auto")) == Reuse(5000, 4000)
    assert reachable(sent("any"), sent("auto")) == 2000


def test_chunks_of_llama_server_are_shifted_into_place() -> None:
    # --cache-reuse 3: behind the prefix "abc", "efgh" stands one token further on in the held prompt.
    held, new = tuple(map(ord, "abcXefghZ")), tuple(map(ord, "abcefghYY"))
    assert shifted(held, new, 3, 3) == 4
    assert shifted(held, new, 3, 5) == 0
    cache = load_target("llama-server", {"cache-reuse": 3}).cache
    assert reuse(cache, [Sent(held)], Sent(new)) == Reuse(3, 7, SHIFTED)
    assert reuse(load_target("llama-server").cache, [Sent(held)], Sent(new)) == Reuse(3, 3)


RECURRENT = load_target("llama-server", {"variant": "recurrent"}).cache


def test_a_recurrent_model_resumes_from_a_checkpoint() -> None:
    # 4 and 516 tokens before the end of the prompt before; a prompt that goes on resumes at the last one.
    first = Sent((1,) * 1000)
    assert reuse(RECURRENT, [first], Sent((1,) * 1000 + (2,) * 50)).tokens == 996
    assert reuse(RECURRENT, [first], Sent((1,) * 900 + (2,) * 50)).tokens == 484
    assert reuse(RECURRENT, [first], Sent((1,) * 400 + (2,) * 50)).tokens == 0


def test_checkpoints_stand_where_user_messages_start() -> None:
    first = Sent((1,) * 9000, users=(300, 4000, 8800))
    # The first and the last start; those between only 8,192 tokens further on.
    assert reuse(RECURRENT, [first], Sent((1,) * 8900 + (2,) * 50)).tokens == 8800
    assert reuse(RECURRENT, [first], Sent((1,) * 8000 + (2,) * 50)).tokens == 300


def test_a_hybrid_model_of_vllm_misses_the_first_divergence() -> None:
    cache = load_target("vllm", {"variant": "recurrent", "block-sizes": [16, 64]}).cache
    one, two, three = (Sent((1,) * 640 + (last,) * 100) for last in (2, 3, 4))
    assert cache.granularity == 64
    assert reuse(cache, [one], two).tokens == 0
    assert reuse(cache, [one, two], three).tokens == 640
    # Its own end, rounded down to a block, is kept at once.
    assert reuse(cache, [one], Sent(one.tokens + (5,) * 100)).tokens == 704


def test_newest_openai_says_what_is_stored() -> None:
    assert reuse(OPENAI_NEW, [request(A, B)], request(A, C)).note == LATEST_ONLY


def test_openai_minimum() -> None:
    # Prompt caching guide: from 1,024 tokens up, in steps of 128.
    for prefix, reused in ((1023, 0), (1024, 1024), (1151, 1024), (1152, 1152)):
        found = reuse(OPENAI_OLD, [request("a" * prefix + B)], request("a" * prefix + C))
        assert (found.prefix, found.tokens) == (prefix, reused)


def test_newest_openai_stores_the_end_of_the_latest_message() -> None:
    # The same developer message with another user message is not reused; a conversation that goes on is.
    assert reuse(OPENAI_NEW, [request(A, B)], request(A, C)).tokens == 0
    assert reuse(OPENAI_NEW, [request(A, B)], request(A, B, C, D)) == Reuse(2300, 2300)
    assert reuse(OPENAI_NEW, [request(A, B, marked=0)], request(A, C, marked=0)) == Reuse(2000, 2000)


def test_one_whole_block_of_vllm_is_computed_again() -> None:
    same = request("a" * 64)
    assert reuse(load_target("vllm").cache, [same], same) == Reuse(64, 48)


def test_nothing_earlier() -> None:
    assert reuse(CacheModel("token"), [], request(A)) == Reuse(0, 0)
    assert reuse(ANTHROPIC, [request(B, marked=0)], request(A, marked=0)) == Reuse(0, 0)


@given(st.lists(st.integers(0, 3), max_size=80), st.lists(st.integers(0, 3), max_size=80))
def test_the_common_prefix_of_two_sequences(one: list[int], other: list[int]) -> None:
    found = common_prefix(tuple(one), tuple(other))
    assert one[:found] == other[:found]
    assert one[found : found + 1] != other[found : found + 1] or found == min(len(one), len(other))


MODELS = ["llama-server", "vllm", "openai:gpt-4o", "openai:gpt-5.6", "anthropic", "deepseek", "gemini"]


@given(
    st.sampled_from(MODELS),
    st.lists(st.lists(st.sampled_from(["a" * 700, "b" * 700, "c" * 700]), min_size=1, max_size=5), max_size=5),
    st.integers(0, 4),
)
def test_reuse_lies_within_the_prefix_and_grows_with_what_is_remembered(
    name: str, requests: list[list[str]], marked: int
) -> None:
    cache = load_target(name).cache
    sent = [request(*blocks, marked=min(marked, len(blocks) - 1)) for blocks in requests]
    new = request("a" * 700, "b" * 700, "a" * 500, marked=min(marked, 2))
    found = [reuse(cache, sent[:count], new) for count in range(len(sent) + 1)]
    assert all(0 <= one.tokens <= one.prefix <= len(new.tokens) for one in found)
    assert all(one.tokens <= two.tokens for one, two in pairwise(found))
