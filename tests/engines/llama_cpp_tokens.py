"""Asks llama.cpp's own server for the tokens of texts.

Runs in the environment of the engine: ``python llama_cpp_tokens.py WANTED.json OUT.json``. The first file holds
``texts``, and in ``models`` vocabularies for which a tiny model is made: keys and values of a GGUF file by name.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "engine_reuse"))

import xllamacpp
from make_model import finished, started


def tokens(model: Path, texts: list[str]) -> list[list[int]]:
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.port = 0
    params.n_parallel = 1
    params.n_ctx = 512
    params.warmup = False
    params.cpuparams.n_threads = 1
    server = xllamacpp.Server(params)
    answers = []
    for text in texts:
        body = json.dumps({"content": text, "add_special": False, "parse_special": False}).encode()
        request = Request(f"{server.listening_address}/tokenize", body, {"Content-Type": "application/json"})
        with urlopen(request) as answer:
            answers.append(json.load(answer)["tokens"])
    return answers


def write(path: Path, vocabulary: dict[str, object]) -> None:
    size = len(vocabulary["tokens"])
    writer = started(path, size)
    writer.add_tokenizer_model(vocabulary["model"])
    if "pre" in vocabulary:
        writer.add_tokenizer_pre(vocabulary["pre"])
    writer.add_token_list(vocabulary["tokens"])
    writer.add_token_types(vocabulary["types"])
    if "merges" in vocabulary:
        writer.add_token_merges(vocabulary["merges"])
    if "scores" in vocabulary:
        writer.add_token_scores(vocabulary["scores"])
    if "charsmap" in vocabulary:
        writer.add_precompiled_charsmap(bytes(vocabulary["charsmap"]))
        writer.add_add_space_prefix(vocabulary["add_space_prefix"])
        writer.add_remove_extra_whitespaces(vocabulary["remove_extra_whitespaces"])
    for name in ("bos", "eos", "unk"):
        if name in vocabulary:
            getattr(writer, f"add_{name}_token_id")(vocabulary[name])
    finished(writer, size)


def main(wanted: str, out: str) -> None:
    asked = json.loads(Path(wanted).read_text(encoding="utf-8"))
    answers = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, vocabulary in enumerate(asked["models"]):
            path = Path(scratch) / f"{number}.gguf"
            write(path, vocabulary)
            answers.append(tokens(path, asked["texts"]))
            path.unlink()
    Path(out).write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
