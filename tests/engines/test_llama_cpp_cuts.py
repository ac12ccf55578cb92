"""Every way to cut text for a GGUF file's vocabulary: the tokens that llama.cpp's own server gives."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import registry
from prefixlint.tokens.gguf import _backend, _families
from prefixlint.tokens.huggingface import made_of

sys.path.append(str(Path(__file__).parents[1] / "unit" / "tokens"))

from continuations import SAMPLES, trials
from test_gguf_cuts import NAMES, characters, uncut

pytestmark = pytest.mark.downloads

NUMBERS = ["12 1234 12345 a123456 ½123456 123456½  1234567x 12  3  ab  1234", "1½234 12345678901234567890 ٣٤١٢"]
LETTERS = ["I'LL we'Re Don'T ʼn can't", "漢字かな漢 mixed字word's 字s", "<sentinel:12> IMGIMGABZ", "नमस्ते e\u0301 ñ"]
SPACE = ["  x\n\n  12", "a\u3000b\u2003 c\u00a0\n\n\n\n d \r\n", "   \t\t x  \n"]


def vocabulary(name: str) -> dict[str, Any]:
    """The keys and values of a GGUF file that cuts as ``name``; its tokens reach over every kind of border."""
    return characters() if _families()[name].get("characters") else uncut()


def asked(name: str) -> dict[str, Any]:
    own = {key.rpartition(".")[2]: value for key, value in vocabulary(name).items()}
    kind = "gemma4" if name == "gemma4" else "gpt2"
    end = len(own["tokens"])
    return {
        "model": kind,
        "pre": name,
        "tokens": [*own["tokens"], "<|end|>"],
        "types": [*own["token_type"], 3],
        "merges": own["merges"],
        "bos": end,
        "eos": end,
    }


def test_tokens_of_llama_cpp_for_every_cut(cache_folder: Path, tmp_path: Path) -> None:
    rng = random.Random(8)
    texts = [*SAMPLES.values(), *NUMBERS, *LETTERS, *SPACE]
    texts += [trial.text + rng.choice(trial.continuations) for trial in trials(8, 150, 2)]
    texts = [text for text in texts if "\x00" not in text and "\u0378" not in text]
    wanted, out = tmp_path / "wanted.json", tmp_path / "out.json"
    models = [asked(name) for name in NAMES]
    wanted.write_text(json.dumps({"texts": texts, "models": models}), encoding="utf-8")
    script = Path(__file__).with_name("llama_cpp_tokens.py")
    subprocess.run([registry.engine_python(cache_folder), script, wanted, out], check=True, capture_output=True)
    for name, theirs in zip(NAMES, json.loads(out.read_text(encoding="utf-8")), strict=True):
        metadata = {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": name, **vocabulary(name)}
        ours = made_of(name, _backend(Path("a.gguf"), metadata))
        for text, tokens in zip(texts, theirs, strict=True):
            assert ours.encode(text) == tokens, (name, text)
    assert len(texts) > 120
