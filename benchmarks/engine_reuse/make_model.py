"""Writes a llama model of one tiny layer with random weights around a real vocabulary.

Runs in the environment of the engine: ``python make_model.py TOKENIZER_FOLDER CHAT_TEMPLATE OUT.gguf``. How many tokens
an engine reuses does not depend on the weights.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import gguf
import numpy as np

WIDTH, HEADS, INNER = 32, 2, 64
# How llama.cpp cuts text for the vocabularies that are used here.
PRE = {"qwen3": "qwen2", "llama3_1": "llama-bpe", "deepseek_v3": "deepseek-v3", "mistral_nemo": "tekken"}


def main(folder: Path, template: Path, out: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    words = dict(tokenizer["model"]["vocab"])
    kinds = dict.fromkeys(words, gguf.TokenType.NORMAL)
    for token in tokenizer["added_tokens"]:
        words[token["content"]] = token["id"]
        kinds[token["content"]] = gguf.TokenType.CONTROL if token["special"] else gguf.TokenType.USER_DEFINED
    by_id = {number: word for word, number in words.items()}
    size = max(by_id) + 1
    texts = [by_id.get(number, f"[unused {number}]") for number in range(size)]

    writer = started(out, size)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(PRE[folder.name])
    writer.add_token_list(texts)
    writer.add_token_types([kinds.get(text, gguf.TokenType.UNUSED) for text in texts])
    merges = tokenizer["model"]["merges"]
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    for part, add in (("bos_token", writer.add_bos_token_id), ("eos_token", writer.add_eos_token_id)):
        token = config.get(part)
        content = token["content"] if isinstance(token, dict) else token
        if content in words:
            add(words[content])
    writer.add_chat_template(template.read_text(encoding="utf-8"))

    finished(writer, size)


def started(out: Path, size: int) -> gguf.GGUFWriter:
    """A writer that knows all of the model but its vocabulary of ``size`` tokens."""
    writer = gguf.GGUFWriter(out, "llama")
    writer.add_context_length(8192)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(size)
    return writer


def finished(writer: gguf.GGUFWriter, size: int) -> None:
    """Writes the file, with random weights."""
    rng = np.random.default_rng(5)

    def tensor(name: str, *shape: int) -> None:
        writer.add_tensor(name, (rng.standard_normal(shape) * 0.1).astype(np.float32))

    tensor("token_embd.weight", size, WIDTH)
    tensor("output_norm.weight", WIDTH)
    for name in ("attn_norm", "ffn_norm"):
        tensor(f"blk.0.{name}.weight", WIDTH)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        tensor(f"blk.0.{name}.weight", WIDTH, WIDTH)
    for name in ("ffn_gate", "ffn_up"):
        tensor(f"blk.0.{name}.weight", INNER, WIDTH)
    tensor("blk.0.ffn_down.weight", WIDTH, INNER)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
