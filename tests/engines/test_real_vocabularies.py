"""Vocabularies of published models in GGUF files: the tokens that llama.cpp's own tests state."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import registry
from prefixlint.tokens import get_tokenizer

sys.path.append(str(Path(__file__).parents[1] / "unit" / "tokens"))

from continuations import trials

pytestmark = pytest.mark.downloads

NAMES = [
    *(
        "command-r",
        "deepseek-coder",
        "deepseek-llm",
        "falcon",
        "gemma-4",
        "gpt-2",
        "llama-bpe",
        "llama-spm",
        "mpt",
        "phi-3",
    ),
    *("qwen2", "qwen35", "refact", "starcoder"),
]
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


def test_tekken_files_and_meta_s_own(cache_folder: Path) -> None:
    """The same tokens as the tokenizer.json files that others made of them."""
    texts = [*TEXTS, *(trial.text + more for trial in trials(3, 100, 2) for more in trial.continuations)]
    pairs = [
        ("tekken_240718.json", "mistral_nemo"),
        ("tekken_240911.json", "mistral_nemo"),
        ("llama3.model", "llama3_1"),
    ]
    for file, name in pairs:
        ours = get_tokenizer(str(registry.original_tokenizers(cache_folder) / file))
        theirs = get_tokenizer(str(registry.tokenizer_folder(cache_folder, name)))
        assert ours.encode("[INST] <s>") == theirs.encode("[INST] <s>")
        assert [ours.encode(text) for text in texts] == [theirs.encode(text) for text in texts]
    chat = "[INST] hi[/INST]<s>a</s>[TOOL_CALLS]"
    tekken = str(registry.original_tokenizers(cache_folder) / "tekken_240718.json")
    nemo = str(registry.tokenizer_folder(cache_folder, "mistral_nemo"))
    assert get_tokenizer(tekken, chat=True).encode(chat) == get_tokenizer(nemo, chat=True).encode(chat)
    llama4 = get_tokenizer(str(registry.original_tokenizers(cache_folder) / "llama4.model"), chat=True)
    # The ids that llama-models states beside its lists.
    assert llama4.encode("<|header_start|><|image_start|><|reasoning_reserved_special_token_0|>") == [
        200005,
        200080,
        201134,
    ]


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
