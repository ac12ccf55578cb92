"""Random prompts, each as the two requests that a program makes of it, and what prefixlint predicts of the second."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prefixlint.engines import load_target
from prefixlint.layout.chats import as_chat
from prefixlint.layout.measure import measure
from prefixlint.layout.messages import render
from prefixlint.layout.order import engine_order
from prefixlint.layout.predict import predict
from prefixlint.layout.variations import NEXT, SAME
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import SHAPES, Choice, Segment, Text, Value
from prefixlint.model.sources import SourceFile
from prefixlint.model.templates import Block, Template

if TYPE_CHECKING:
    from pathlib import Path

SPAN = SourceFile("prompt.py", "x" * 80).span(3, 9)
TEXTS = (
    "You are a careful assistant. Answer the user's question in at most three sentences; don't guess.\n\n",
    "你是一名严谨的助手。请根据以下资料回答用户的问题：如果不知道，请直接说明。",
    "Sen dikkatli bir yardımcısın. Kullanıcının sorusunu en çok üç cümleyle yanıtla; İstanbul'un tarihini açıkla. ",
    "def build(user: int) -> list[dict[str, str]]:\n    if not user:\n\t\treturn []\n    return [{'id': 0x1F}]\n\n",
    "# Rules\n\n- one\n- two\n  1. nested **bold**\n\n| a | b |\n| --- | ---: |\n\n```python\nprint('hi')\n```\n\n> ",
    "Current time: ",
    "Today's date is ",
    "The user is called ",
    "\n\nContext:\n",
    " (request ",
    ")\n",
    "   \n \t\n",
    "café naïve Привет, мир! नमस्ते 한국어 🙂🙂 ½ ٣٤ ",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two requests as they are sent, and the prediction for the second: tokens reused, and its length."""

    first: dict[str, Any]
    second: dict[str, Any]
    cached: int
    total: int
    note: str


def made(rng: random.Random, *, tools: bool = False) -> Template:
    """A chat of a system text, sometimes ``tools``, sometimes a conversation, and a question; values stand anywhere."""
    history = Value("history", SPAN, Lifetime.TURN, Origin(SourceKind.HISTORY), Confidence.HIGH, grows=True)
    blocks = [Block("system", "system", _segments(rng, 6), SPAN)]
    if tools and rng.random() < 0.3:
        blocks.insert(0, Block("tools", "tools", _segments(rng, 3), SPAN))
    if rng.random() < 0.5:
        blocks.append(Block("history", "messages", (history,), SPAN))
    blocks.append(Block("user", "messages", _segments(rng, 3), SPAN))
    return Template("pair", "prompt", SPAN, tuple(blocks))


def _segments(rng: random.Random, most: int) -> tuple[Segment, ...]:
    return tuple(_segment(rng) for _ in range(rng.randint(1, most)))


def _segment(rng: random.Random) -> Segment:
    text = rng.choice(TEXTS)
    # A cut anywhere in a text gives boundaries of every kind.
    fixed = Text(text[rng.randrange(len(text)) :] if rng.random() < 0.4 else text, SPAN)
    kind = rng.random()
    if kind < 0.5:
        return fixed
    lifetime = rng.choice([Lifetime.REQUEST, Lifetime.REQUEST, Lifetime.USER, Lifetime.DEPLOYMENT])
    if kind < 0.6:
        return Choice(((fixed,), ()), "flag", SPAN, lifetime)
    source = rng.choice([SourceKind.CLOCK, SourceKind.ID, SourceKind.USER_INPUT, SourceKind.RETRIEVAL])
    return Value("value", SPAN, lifetime, Origin(source), Confidence.HIGH, rng.choice(SHAPES))


def pairs(count: int, seed: int, tokenizer: Path, chat_template: Path, *, tools: bool = False) -> list[Pair]:
    """``count`` pairs for a server with this tokenizer and chat template, some of them with ``tools``."""
    rng = random.Random(seed)
    target = load_target("llama-server", {"tokenizer": str(tokenizer), "chat-template": str(chat_template)})
    out = []
    while len(out) < count:
        template = made(rng, tools=tools)
        measured = measure(template, target)
        blocks = engine_order(template.blocks, target.cache.order)
        first, second = (as_chat(render(blocks, variation)) for variation in (SAME, NEXT))
        if any(not message["content"].strip() for chat in (first, second) for message in chat["messages"]):
            continue  # servers refuse a message without text
        found = predict(measured.view, measured.fixed, target, measured.note, measured.shared)
        out.append(Pair(first, second, found.cached_tokens, measured.view.next_total, found.note))
    return out
