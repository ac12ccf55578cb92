"""``prefixlint verify``, and the token cache model, against llama.cpp's own server (package xllamacpp, on the CPU)."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from prefixlint.engines import load_target
from prefixlint.engines.earlier import Sent, reuse
from prefixlint.wire.client import connect
from prefixlint.wire.usage import usage_of
from test_verify import invoke, write_prompts
from tiny_llama import llama_server, vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("xllamacpp", reason="llama.cpp's server is not installed")
pytest.importorskip("gguf", reason="gguf, which writes the model, is not installed")

PAIRS = 100


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with llama_server(tmp_path_factory.mktemp("model")) as address:
        yield address


@pytest.mark.parametrize("name", ["front_prompt.jinja", "back_prompt.jinja", "front_chat.py", "back_chat.py"])
def test_prediction_and_measurement_agree(name: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_prompts(tmp_path)
    result = invoke(name, "--url", url, "--repeats", "2", "--output-format", "json")
    assert result.exit_code == 0, result.stderr
    for trial in json.loads(result.stdout)["trials"]:
        assert trial["exact"]
        assert trial["warm"]["cached_tokens"] == trial["predicted_cached_tokens"]
        share = trial["warm"]["cached_tokens"] / trial["warm"]["prompt_tokens"]
        assert share > 0.9 if name.startswith("back") else share < 0.1


def test_reuse_of_random_pairs(url: str) -> None:
    server, cache = connect(url, timeout=60), load_target("llama-server").cache
    draw = random.Random(11)
    for _ in range(PAIRS):
        tokens = [draw.randrange(len(vocabulary()) - 3) for _ in range(draw.randint(2, 300))]
        keep = draw.choice([0, 1, len(tokens), draw.randint(0, len(tokens))])
        others = [draw.randrange(len(vocabulary()) - 3) for _ in range(draw.randint(0 if keep else 1, 80))]
        one, other = tuple(tokens), (*tokens[:keep], *others)
        for prompt in (one, other):
            body = {"prompt": list(prompt), "n_predict": 0, "cache_prompt": True}
            usage = usage_of(server.post("/completion", body).body, "llama-server")
        assert usage is not None
        assert usage.total == len(other)
        assert usage.cached == reuse(cache, (Sent(one),), Sent(other)).tokens
