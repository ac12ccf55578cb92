"""``build``: the whole layout for real targets, with OpenAI's framing of 3 tokens before, 1 behind, 3 for the reply."""

from __future__ import annotations

import pytest
from layout_support import block, clock, history, plain, template, text, value
from prefixlint.engines import load_target
from prefixlint.layout import build
from prefixlint.model.lifetimes import Lifetime
from prefixlint.tokens import get_tokenizer

RULES = "Answer in one sentence. Never guess. " * 60
HEAD, TAIL, REPLY = 3, 1, 3
OPENAI = load_target("openai:gpt-4o")
VLLM = load_target("vllm", {"tokenizer": "o200k_base"})


def count(content: str) -> int:
    return len(get_tokenizer("o200k_base").encode(content))


def test_a_clock_in_front_of_the_rules() -> None:
    made = template(
        block(text("Today is "), clock(), text(". " + RULES), role="system", component="system"),
        block(value("question", Lifetime.REQUEST, "text"), role="user"),
    )
    layout = build(made, [OPENAI, VLLM])
    assert layout.template is made
    assert layout.target is OPENAI
    found = layout.breakpoint
    assert found is not None
    # "Today" " is" " " "202" are shared; the space may merge with what follows, "Today" and " is" may not.
    assert (found.token, found.token_guaranteed) == (HEAD + 4, HEAD + 2)
    assert layout.stable_prefix_tokens == found.token
    question = count("How do I change the delivery address of an order that has already left the warehouse?")
    system = count("Today is 2026-03-14 09:26:53. " + RULES)
    assert layout.total_tokens == HEAD + system + TAIL + HEAD + question + TAIL + REPLY
    (inversion,) = layout.inversions
    assert inversion.stranded_tokens == layout.stranded_tokens
    fixed_text = layout.total_tokens - question - count("2026-03-14 09:26:53")
    assert layout.stranded_tokens == fixed_text - HEAD - count("Today is ")
    # With "202", which both samples of the clock begin with.
    assert layout.stable_tokens == fixed_text + 1
    openai, vllm = layout.predictions
    assert (openai.engine, openai.cached_tokens, openai.granularity, openai.minimum) == ("openai", 0, 128, 1024)
    assert (vllm.engine, vllm.cached_tokens) == ("vllm", 0)
    fixed = HEAD + count("Today is . " + RULES)
    assert fixed // 16 * 16 <= vllm.cached_tokens_after_fix <= (fixed + TAIL + HEAD + 1) // 16 * 16
    assert openai.note == "below the minimum of 1,024 tokens"


def test_a_conversation_that_goes_on_is_stable_up_to_its_end() -> None:
    made = template(
        block(text(RULES), role="system", component="system"),
        block(history()),
        block(value("question", Lifetime.REQUEST, "text"), role="user"),
    )
    layout = build(made, [OPENAI])
    assert layout.stranded_tokens == HEAD + TAIL + REPLY
    assert layout.stable_prefix_tokens > HEAD + count(RULES) + TAIL + 20
    assert layout.stable_tokens == layout.stable_prefix_tokens + layout.stranded_tokens


def test_targets_with_another_order_see_another_layout() -> None:
    made = template(
        block(text(RULES), value("user", Lifetime.USER), role="system", component="system"),
        block(text("[tools]"), role="system", component="tools"),
        block(value("question", Lifetime.REQUEST, "text"), role="user"),
    )
    openai, vllm = build(made, [OPENAI]), build(made, [VLLM])
    assert next(item.component for item in openai.placed if item.text) == "tools"
    assert next(item.component for item in vllm.placed if item.text) == "system"
    assert openai.stranded_tokens < vllm.stranded_tokens


def test_a_plain_prompt_has_no_framing() -> None:
    layout = build(plain(text("Hello there.")), [OPENAI])
    assert layout.total_tokens == count("Hello there.")
    assert layout.breakpoint is None
    assert layout.stable_prefix_tokens == layout.stable_tokens == layout.total_tokens
    assert (layout.stranded_tokens, layout.inversions) == (0, ())


def test_a_conversation_behind_a_request_value() -> None:
    layout = build(plain(text("At "), clock(), text(":\n"), history()), [OPENAI])
    assert layout.history_stranded
    assert [each.history_stranded for each in layout.inversions] == [True]


def test_an_empty_template() -> None:
    layout = build(template(), [OPENAI, VLLM])
    assert (layout.total_tokens, layout.placed, layout.breakpoint) == (0, (), None)
    assert [each.cached_tokens for each in layout.predictions] == [0, 0]


def test_a_layout_needs_a_target() -> None:
    with pytest.raises(ValueError, match="at least one target"):
        build(template(), [])


def test_a_tokenizer_that_cannot_be_had() -> None:
    made = template(block(text(RULES), role="system", component="system"))
    layout = build(made, [load_target("vllm", {"tokenizer": "no-such-tokenizer"})])
    assert (layout.target.tokenizer, layout.target.exact) == ("o200k_base", False)
    assert layout.total_tokens == build(made, [VLLM]).total_tokens
    note = layout.predictions[0].note
    assert "unknown tokenizer 'no-such-tokenizer'" in note
    assert note.endswith("tokens are counted with o200k_base")
