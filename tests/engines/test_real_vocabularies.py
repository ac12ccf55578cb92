"""Vocabularies of published models in GGUF files: the tokens that llama.cpp's own tests state."""

from __future__ import annotations

from pathlib import Path

import pytest
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
