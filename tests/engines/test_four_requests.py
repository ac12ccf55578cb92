"""The four requests of a published measurement (a long manual, again, with the time in front, with the time behind),
with a real vocabulary and its chat template: every length and reuse that the report states, by transformers' tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import registry
from prefixlint.engines import load_target
from prefixlint.layout import build
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text, Value
from prefixlint.model.sources import SourceFile
from prefixlint.model.templates import Block, Template
from prefixlint.tokens.chat_files import chat_template, special_tokens
from transformers import PreTrainedTokenizerFast

pytestmark = pytest.mark.downloads

SPAN = SourceFile("prompt.py", "x" * 80).span(3, 9)
MANUAL = (Path(__file__).parents[2] / "examples/four_requests/manual.md").read_text(encoding="utf-8")
STAMPS = ("2026-03-14T09:26:53", "2027-11-02T18:40:07")
LINE = " is the time of this request."
CLOCK = Value(
    "now()", SPAN, Lifetime.REQUEST, Origin(SourceKind.CLOCK), Confidence.CERTAIN, "datetime-iso", "now().isoformat()"
)


def common(one: list[int], other: list[int]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def test_the_report_explains_each_request(cache_folder: Path) -> None:
    folder = registry.tokenizer_folder(cache_folder, "gemma3")
    theirs = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), **special_tokens(folder))
    text = chat_template(str(folder)).text

    def sent(prompt: str) -> list[int]:
        chat = [{"role": "user", "content": prompt}]
        options: dict[str, Any] = {"chat_template": text, "add_generation_prompt": True, "return_dict": False}
        return list(theirs.apply_chat_template(chat, **options))

    def layout(*segments: Text | Value) -> Any:
        target = load_target("llama-server", {"tokenizer": str(folder)})
        return build(Template("test", "prompt", SPAN, (Block("user", "messages", segments, SPAN),)), [target])

    base = layout(Text(MANUAL, SPAN))
    front = layout(CLOCK, Text(f"{LINE}\n{MANUAL}", SPAN))
    behind = layout(Text(f"{MANUAL}\n", SPAN), CLOCK, Text(LINE, SPAN))

    # Cold, and again: all but the token that every request computes.
    assert base.total_tokens == len(sent(MANUAL))
    assert base.predictions[0].cached_tokens == base.total_tokens - 1
    # The time in front: the chat template's own head and what two times have in common.
    first, second = (sent(f"{stamp}{LINE}\n{MANUAL}") for stamp in STAMPS)
    assert front.total_tokens == len(first)
    assert front.predictions[0].cached_tokens <= common(first, second) <= front.predictions[0].cached_tokens + 1
    assert front.predictions[0].cached_tokens < 12
    # The time behind: all of the manual.
    first, second = (sent(f"{MANUAL}\n{stamp}{LINE}") for stamp in STAMPS)
    assert behind.total_tokens == len(first)
    assert behind.predictions[0].cached_tokens <= common(first, second) <= behind.predictions[0].cached_tokens + 1
    assert behind.predictions[0].cached_tokens > base.total_tokens - 8
    assert behind.stranded_tokens < 16 < 1_000 < front.stranded_tokens


def test_a_line_is_as_long_as_its_place_makes_it(cache_folder: Path) -> None:
    """There 28 tokens in front of the manual and 29 behind it: a line break merges with what it stands beside."""
    folder = registry.tokenizer_folder(cache_folder, "gemma3")
    theirs = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))

    def count(text: str) -> int:
        return len(theirs.encode(text, add_special_tokens=False))

    def layout(*segments: Text | Value) -> Any:
        target = load_target("llama-server", {"tokenizer": str(folder / "tokenizer.json")})
        return build(Template("test", "prompt", SPAN, (Block("", "messages", segments, SPAN),)), [target])

    base = layout(Text(MANUAL, SPAN)).total_tokens
    front = layout(CLOCK, Text(f"{LINE}\n{MANUAL}", SPAN))
    behind = layout(Text(f"{MANUAL}\n", SPAN), CLOCK, Text(LINE, SPAN))
    assert base == count(MANUAL) == 1_183
    # The line is 26 tokens and its break one more in front; behind, the break and the manual's own are one token.
    assert front.total_tokens - base == 27
    assert behind.total_tokens - base == 26
    # So the manual's last token is another one than without the line: the bound leaves it out, the expectation not.
    assert behind.breakpoint.token_guaranteed == count(MANUAL) - 1
    assert behind.breakpoint.token > count(MANUAL)
