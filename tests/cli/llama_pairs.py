"""Random prompts in twos, sent to llama.cpp's own server: what it reused, and what is predicted."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.engines import load_target
from prefixlint.engines.earlier import Sent, reuse
from prefixlint.wire.client import connect
from prefixlint.wire.usage import usage_of
from tiny_llama import llama_server, vocabulary, write_model, write_recurrent_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Kind:
    """A model, how its server runs, and the target that describes it.

    ``output`` tokens are generated: a state that cannot be rolled back then stands behind the prompt's end.
    """

    write: Callable[[Path], None]
    parameters: Mapping[str, object]
    overrides: Mapping[str, object]
    output: int = 0


KINDS = {
    "plain": Kind(write_model, {}, {}),
    "cache-reuse": Kind(write_model, {"n_cache_reuse": 16}, {"cache-reuse": 16}),
    "recurrent": Kind(write_recurrent_model, {}, {"variant": "recurrent"}, 4),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """Lengths of both prompts and of their common part, and the reuse of the second, predicted and reported."""

    lengths: tuple[int, int]
    kept: int
    predicted: int
    found: int | None


def ask(name: str, folder: Path, pairs: int, seed: int = 11) -> Iterator[Asked]:
    """Starts a server and sends it random pairs, one after another."""
    kind, draw = KINDS[name], random.Random(seed)
    cache = load_target("llama-server", kind.overrides).cache
    with llama_server(folder, kind.write, **kind.parameters) as url:
        server = connect(url, timeout=60)
        for _ in range(pairs):
            one, keep = _first(draw)
            other = (*one[:keep], *_second(draw, name, one, keep))
            for prompt in (one, other):
                body = {"prompt": list(prompt), "n_predict": kind.output, "cache_prompt": True, "ignore_eos": True}
                usage = usage_of(server.post("/completion", body).body, "llama-server")
            assert usage is not None
            assert usage.total == len(other)
            predicted = reuse(cache, (Sent(one),), Sent(other)).tokens
            yield Asked((len(one), len(other)), keep, predicted, usage.cached)


def _tokens(draw: random.Random, count: int) -> tuple[int, ...]:
    return tuple(draw.randrange(len(vocabulary()) - 3) for _ in range(count))


def _first(draw: random.Random) -> tuple[tuple[int, ...], int]:
    """A prompt and how much of it the next one keeps: anything, and the places just around checkpoints."""
    one = _tokens(draw, draw.choice([draw.randint(8, 300), draw.randint(600, 1500)]))
    near = [len(one) - draw.randint(1, 6), len(one) - draw.randint(510, 530)]
    return one, max(0, draw.choice([0, 1, len(one), draw.randint(0, len(one)), *near]))


def _second(draw: random.Random, name: str, one: tuple[int, ...], keep: int) -> tuple[int, ...]:
    # A prompt of 5 tokens leaves a checkpoint behind its first one, and the server restores it for any other prompt.
    least = 8 if name == "recurrent" else 0 if keep and name == "plain" else 1
    others = _tokens(draw, draw.randint(least, 80))
    if name != "cache-reuse":
        return others
    # What follows stands in the prompt before, some tokens further on or back.
    return others[:30] + one[min(len(one), keep + draw.randint(0, 30)) :]
