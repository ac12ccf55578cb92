"""The breakpoint's tokens, counted anew in what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.tokens import get_tokenizer
from prefixlint.tokens.chat import chat_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from differential_prediction import Prediction
    from prefixlint.model.layouts import Layout
    from prefixlint.model.targets import Target

MERGED = 4
"""Tokens in front of a value that its characters may merge with, at most: white space and the word before it."""


def tokens_disagreement(layout: Layout, prediction: Prediction, recordings: Sequence[str]) -> str | None:
    """How the tokens that all recordings share contradict the breakpoint, or None.

    Only where nothing but fixed text stands in front of it: the layout's other values are samples of their kind.
    """
    front = prediction.fixed_front(recordings[0])
    if layout.breakpoint is None or front is None:
        return None
    counted = [_tokens(recording, layout.target) for recording in recordings]
    shared = min(_common(counted[0], other) for other in counted[1:])
    guaranteed = layout.breakpoint.token_guaranteed
    if guaranteed > shared:
        return f"{guaranteed} tokens are guaranteed, but the recordings share {shared}"
    if recordings[0].startswith("\x1e", len(front)):
        return None  # Whole messages come and go there: the framing of the next one may be the same.
    whole = len(_tokens(front, layout.target))
    if not whole - MERGED <= guaranteed <= whole:
        return f"{guaranteed} tokens are guaranteed, but {whole} stand in front of the value"
    return None


def _tokens(recording: str, target: Target) -> list[str]:
    """A recording in tokens; the framing of a message by its role. A part that is not complete has no end."""
    tokenizer, chat = get_tokenizer(target.tokenizer), chat_format(target.chat_format)
    out = ["opening"] * chat.opening
    for number, part in enumerate(recording.split("\x1e")[1:]):
        role, _, text = part.partition("\x1f")
        if number:
            out += [f"end of {number - 1}"] * chat.tail("user")
        out += [f"{role} {number}"] * chat.head(role)
        out += [str(token) for token in tokenizer.encode(text)]
    return out


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
