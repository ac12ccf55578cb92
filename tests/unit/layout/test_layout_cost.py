"""Each distinct text is tokenized once for a tokenizer and run, and only templates are tokenized."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from layout_support import block, clock, history, template, text, value
from prefixlint import tokens
from prefixlint.engines import load_target
from prefixlint.layout import build
from prefixlint.layout.remembering import remembering
from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    import pytest
    from prefixlint.tokens import Tokenizer

RULES = "Answer in one sentence. Cite the page of the manual. Never guess a number. " * 10


class Counting:
    """A tokenizer that notes what it is asked for."""

    def __init__(self, inner: Tokenizer) -> None:
        self.inner = inner
        self.asked: Counter[tuple[str, str]] = Counter()

    @property
    def name(self) -> str:
        return self.inner.name

    def encode(self, text: str) -> list[int]:
        self.asked["encode", text] += 1
        return self.inner.encode(text)

    def token_starts(self, text: str) -> list[int]:
        self.asked["token_starts", text] += 1
        return self.inner.token_starts(text)

    def guaranteed(self, text: str) -> int:
        self.asked["guaranteed", text] += 1
        return self.inner.guaranteed(text)


def test_each_text_is_tokenized_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counting: dict[str, Counting] = {}
    real = tokens.get_tokenizer

    def counted(name: str, *, chat: bool = False) -> Counting:
        return counting.setdefault(name, Counting(real(name, chat=chat)))

    monkeypatch.setattr(tokens, "get_tokenizer", counted)
    remembering.cache_clear()
    targets = [load_target(name) for name in ("openai:gpt-4o", "vllm", "llama-server", "anthropic", "openai:gpt-4")]
    rules = block(text(RULES), role="system", component="system")
    stamped = block(text("Today is "), clock(), text(". " + RULES), role="system", component="system")
    asked = block(value("question", Lifetime.REQUEST, "text"), role="user")
    made = [template(rules, asked), template(stamped, asked), template(stamped, block(history()), asked)]
    try:
        layouts = [build(each, targets) for each in (*made, *made)]
    finally:
        remembering.cache_clear()
    assert set(counting) == {"o200k_base", "cl100k_base"}
    for tokenizer in counting.values():
        assert tokenizer.asked
        assert max(tokenizer.asked.values()) == 1, tokenizer.asked.most_common(3)
    # No text is longer than a whole request of one of the templates.
    longest = max(len(text) for tokenizer in counting.values() for _, text in tokenizer.asked)
    assert longest <= len("Today is 2026-03-14 09:26:53. " + RULES)
    assert layouts[0] == layouts[3]
