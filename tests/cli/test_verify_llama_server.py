"""``prefixlint verify``, and the token cache model, against llama.cpp's own server (package xllamacpp, on the CPU)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from llama_pairs import KINDS, ask
from test_verify import invoke, write_prompts
from tiny_llama import llama_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("xllamacpp", reason="llama.cpp's server is not installed")
pytest.importorskip("gguf", reason="gguf, which writes the model, is not installed")

PAIRS = 15


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


@pytest.mark.parametrize("kind", KINDS)
def test_reuse_of_random_pairs(kind: str, tmp_path: Path) -> None:
    wrong = [asked for asked in ask(kind, tmp_path, PAIRS) if asked.predicted != asked.found]
    assert wrong == []
