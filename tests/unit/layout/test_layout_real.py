"""Layouts with a real tokenizer, against two prompts written out and compared token by token here."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from layout_support import ORDER, Bare, block, clock, history, plain, template, text, value
from prefixlint.layout.predict import predict
from prefixlint.layout.remembering import Remembering
from prefixlint.layout.samples import NEXT_TURN, sample
from prefixlint.layout.views import View
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.targets import CacheModel, Prediction, Target
from prefixlint.tokens import get_tokenizer

if TYPE_CHECKING:
    from prefixlint.model.segments import Segment

MANUAL = "".join(
    f"\n{number}. Close valve {number} before the pump is opened, then read the gauge twice.\n"
    for number in range(1, 120)
)
O200K = get_tokenizer("o200k_base")


def shared(one: str, other: str) -> int:
    pairs = zip(O200K.encode(one), O200K.encode(other), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def measured(*segments: Segment) -> View:
    return View(plain(*segments), ORDER, Remembering(O200K), Bare())


def test_the_four_request_experiment() -> None:
    line = (text("Current time: "), clock(), text("\n"))
    first, second = (f"Current time: {sample(clock(), each)}\n" for each in (False, True))
    front, behind = measured(*line, text(MANUAL)), measured(text(MANUAL), *line)
    assert front.total == len(O200K.encode(first + MANUAL))
    assert front.prefix == shared(first + MANUAL, second + MANUAL) < 6
    assert behind.total == len(O200K.encode(MANUAL + first))
    assert behind.prefix == shared(MANUAL + first, MANUAL + second)
    # All of the manual but the boundary token, as measured: 6,464 of 6,466.
    assert len(O200K.encode(MANUAL)) - 2 <= behind.prefix
    fixed = front.fixed()
    assert fixed.prefix >= len(O200K.encode(MANUAL)) - 2


def test_a_conversation_keeps_all_of_its_earlier_turns() -> None:
    view = measured(text(MANUAL), history(), text("Answer: "))
    so_far = MANUAL + sample(history())
    assert view.prefix == shared(so_far + "Answer: ", so_far + NEXT_TURN + "Answer: ")


def target(name: str, cache: CacheModel) -> Target:
    return Target(name, name, cache)


def predicted(view: View, cache: CacheModel) -> Prediction:
    return predict(view, view.fixed(), target("some", cache))


def test_predictions_follow_the_cache_model() -> None:
    view = measured(text("Current time: "), clock(), text("\n" + MANUAL))
    before, after = view.prefix, view.fixed().prefix
    token = predicted(view, CacheModel("token"))
    assert (token.cached_tokens, token.cached_tokens_after_fix) == (before, after)
    blocks = predicted(view, CacheModel("block", 16, 16))
    assert (blocks.cached_tokens, blocks.cached_tokens_after_fix) == (0, after // 16 * 16)
    assert blocks.note == "below the minimum of 16 tokens"
    assert (blocks.granularity, blocks.minimum) == (16, 16)


def test_an_unchanged_prompt_computes_its_last_token_again() -> None:
    view = measured(text(MANUAL))
    assert predicted(view, CacheModel("token")).cached_tokens == view.total - 1


def test_a_growing_prompt_is_reused_whole() -> None:
    view = measured(text(MANUAL), history())
    assert predicted(view, CacheModel("token")).cached_tokens == view.prefix == view.total


def marked(marker: bool) -> View:
    made = template(
        block(text(MANUAL), role="system", component="system", marker=marker),
        block(value("question", Lifetime.REQUEST, "text"), role="user"),
    )
    return View(made, ORDER, Remembering(O200K), Bare())


def test_a_breakpoint_cache_needs_a_marker() -> None:
    cache = CacheModel("breakpoint", minimum=1024, recompute=0, max_breakpoints=4)
    manual = len(O200K.encode(MANUAL))
    found = predicted(marked(True), cache)
    assert (found.cached_tokens, found.cached_tokens_after_fix, found.note) == (manual, manual, "")
    none = predicted(marked(False), cache)
    assert (none.cached_tokens, none.cached_tokens_after_fix) == (0, 0)
    assert none.note == (
        f"nothing is cached without a cache marker; one at the end of the stable part would keep {manual:,} tokens"
    )


def test_a_marked_block_with_a_clock_gains_by_the_fix() -> None:
    made = template(
        block(text("Now: "), clock(), text("\n" + MANUAL), role="system", component="system", marker=True),
        block(value("question", Lifetime.REQUEST, "text"), role="user"),
    )
    view = View(made, ORDER, Remembering(O200K), Bare())
    found = predicted(view, CacheModel("breakpoint", minimum=1024, recompute=0, max_breakpoints=4))
    assert found.cached_tokens == 0
    assert found.note == "every cache marker stands behind the breakpoint"
    assert found.cached_tokens_after_fix == len(O200K.encode("Now: \n" + MANUAL))
