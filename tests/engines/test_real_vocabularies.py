"""Vocabularies of published models in GGUF files: the tokens that llama.cpp's own tests state."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import registry
from prefixlint.tokens import get_tokenizer

pytestmark = pytest.mark.downloads

NAMES = ["command-r", "gpt-2", "llama-bpe", "llama-spm", "mpt", "phi-3", "qwen2", "qwen35", "refact", "starcoder"]
BETWEEN = "\n__ggml_vocab_test__\n"


@pytest.mark.parametrize("name", NAMES)
def test_tokens_of_llama_cpp(name: str, llama_cpp_models: Path) -> None:
    path = llama_cpp_models / f"ggml-vocab-{name}.gguf"
    texts = Path(f"{path}.inp").read_text(encoding="utf-8").split(BETWEEN)
    tokens = Path(f"{path}.out").read_text(encoding="utf-8").splitlines()
    tokenizer = get_tokenizer(str(path))
    for text, line in zip(texts, tokens, strict=False):
        assert tokenizer.encode(text) == [int(token) for token in line.split()], text
    assert min(len(texts), len(tokens)) > 40


TEXTS = [
    "You're  a helper.\n\n- one\n\t- two: 0x1F, 2024-11-29",
    "你是一名严谨的助手。Привет! İstanbul'un tarihini açıkla. 🙂🙂 e\u0301 ½",
    "def f(a):\n    return {'a': a}  # <s> [INST] </s>",
    " leading and trailing ",
    "",
]
THEIRS = """\
import json, sys, sentencepiece
model = sentencepiece.SentencePieceProcessor(model_file=sys.argv[1])
print(json.dumps([model.encode(text) for text in json.loads(sys.argv[2])]))
"""


def test_tokens_of_sentencepiece(cache_folder: Path) -> None:
    python = registry.engine_python(cache_folder)
    models = sorted(registry.sentencepiece_models(cache_folder).iterdir())
    assert len(models) >= 4
    for model in models:
        command = [python, "-c", THEIRS, model, json.dumps(TEXTS)]
        theirs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        tokenizer = get_tokenizer(str(model))
        assert [tokenizer.encode(text) for text in TEXTS] == theirs
