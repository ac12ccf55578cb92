"""Vocabularies of published models in GGUF files: the tokens that llama.cpp's own tests state."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
import registry
from prefixlint.tokens import get_tokenizer
from prefixlint.tokens.gguf_file import read_metadata

sys.path.append(str(Path(__file__).parents[1] / "unit" / "tokens"))

from continuations import SAMPLES, trials

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


def unmarked(text: str) -> bool:
    """Whether normalisation is the same everywhere: the tokenizers library takes a character with the marks behind it
    as one, SentencePiece and llama.cpp the longest text in their table."""
    return not any(char in "\x00\u200d" or unicodedata.category(char)[0] == "M" for char in text)


def test_unigram_of_a_gguf(cache_folder: Path, llama_cpp_models: Path, tmp_path: Path) -> None:
    """XLM-RoBERTa's 250,000 words with SentencePiece's normalisation: the tokens of llama.cpp's server."""
    path = llama_cpp_models / "ggml-vocab-nomic-bert-moe.gguf"
    found = {key.removeprefix("tokenizer.ggml."): value for key, value in read_metadata(path).items()}
    texts = [*TEXTS[:-1], *(trial.text for trial in trials(6, 150, 1))]
    texts = [text for text in texts if unmarked(text)]
    model = {
        "model": "t5",
        "tokens": found["tokens"],
        "types": found["token_type"],
        "scores": found["scores"],
        "charsmap": found["precompiled_charsmap"],
        "add_space_prefix": found["add_space_prefix"],
        "remove_extra_whitespaces": found["remove_extra_whitespaces"],
        "bos": 0,
        "eos": 2,
        "unk": 3,
    }
    wanted, out = tmp_path / "wanted.json", tmp_path / "out.json"
    wanted.write_text(json.dumps({"texts": texts, "models": [model]}), encoding="utf-8")
    script = Path(__file__).with_name("llama_cpp_tokens.py")
    subprocess.run([registry.engine_python(cache_folder), script, wanted, out], check=True, capture_output=True)
    (theirs,) = json.loads(out.read_text(encoding="utf-8"))
    tokenizer = get_tokenizer(str(path))
    for text, tokens in zip(texts, theirs, strict=True):
        assert tokenizer.encode(text) == tokens, text


TRAINED = """\
import json, sys, sentencepiece
texts, asked = json.load(open(sys.argv[1], encoding="utf-8"))
folder = sys.argv[2]
for rule in ("nmt_nfkc", "identity"):
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts * 20), model_prefix=f"{folder}/{rule}", model_type="unigram", vocab_size=900,
        normalization_rule_name=rule, byte_fallback=rule == "identity", remove_extra_whitespaces=rule != "identity",
        hard_vocab_limit=False, minloglevel=2)
    model = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/{rule}.model")
    print(json.dumps([model.encode(text) for text in asked]))
"""


def test_unigram_of_sentencepiece(cache_folder: Path, tmp_path: Path) -> None:
    asked = [*TEXTS, *(trial.text for trial in trials(7, 200, 1))]
    asked = [text for text in asked if unmarked(text)]
    samples = [line for text in SAMPLES.values() for line in text.splitlines() if line.strip()]
    (tmp_path / "texts.json").write_text(json.dumps([samples, asked]), encoding="utf-8")
    command = [registry.engine_python(cache_folder), "-c", TRAINED, tmp_path / "texts.json", tmp_path]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    for rule, line in zip(("nmt_nfkc", "identity"), answer, strict=True):
        tokenizer = get_tokenizer(str(tmp_path / f"{rule}.model"))
        for text, tokens in zip(asked, json.loads(line), strict=True):
            assert tokenizer.encode(text) == tokens, (rule, text)
