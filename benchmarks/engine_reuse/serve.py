"""Sends chats to llama.cpp's own server and notes what it reused.

Runs in the environment of the engine: ``python serve.py MODEL.gguf CHATS.json OUT.json``. One slot and no cache of
earlier prompts, so that each request meets what the one before it left.
"""

from __future__ import annotations

import json
import sys

import xllamacpp


def main(model: str, chats: str, out: str) -> None:
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_parallel = 1
    params.n_ctx = 8192
    params.cache_ram_mib = 0
    params.n_predict = 0
    params.use_jinja = True
    params.warmup = False
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    answers = []
    with open(chats, encoding="utf-8") as file:
        for chat in json.load(file):
            request = {**chat, "max_tokens": 0, "n_predict": 0, "cache_prompt": True, "temperature": 0}
            answer = server.handle_chat_completions(request)
            timings = answer.get("timings")
            if timings is None:
                answers.append({"error": str(answer)[:300]})
            else:
                answers.append({"cached": timings["cache_n"], "computed": timings["prompt_n"]})
    with open(out, "w", encoding="utf-8") as file:
        json.dump(answers, file)


if __name__ == "__main__":
    main(*sys.argv[1:4])
