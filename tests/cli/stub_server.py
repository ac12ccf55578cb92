"""Small servers on loopback that speak each API and really keep a prefix cache, one token a word or framing mark."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Reply = tuple[int, str, bytes]
"""Status, content type and body."""


def reply(value: object, status: int = 200) -> Reply:
    return status, "application/json", json.dumps(value).encode()


class Stub:
    """What a server does: ``answer`` gets method, path and body. ``seen`` has every request with its headers."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, Any, dict[str, str]]] = []
        self.prompts: list[list[str]] = []

    def answer(self, method: str, path: str, body: Any) -> Reply:
        return reply({"error": {"message": "no such path"}}, 404)

    def cached(self, prompt: str, block: int = 1) -> tuple[int, int]:
        """Length of the prompt in words, and how many of them an earlier one lets it reuse."""
        words = re.findall(r"\w+|\s+|[^\w\s]", prompt)
        best = 0
        for old in self.prompts:
            same = next((at for at, (a, b) in enumerate(zip(old, words, strict=False)) if a != b), None)
            best = max(best, min(len(old), len(words)) if same is None else same)
        self.prompts.append(words)
        reused = max(0, min(best, len(words) - 1))
        return len(words), reused - reused % block


def templated(messages: list[dict[str, Any]]) -> str:
    texts = []
    for message in messages:
        content = message["content"]
        text = content if isinstance(content, str) else "".join(part["text"] for part in content)
        texts.append(f"<|{message['role']}|>{text}<|end|>")
    return "".join(texts) + "<|assistant|>"


class LlamaServer(Stub):
    def answer(self, method: str, path: str, body: Any) -> Reply:
        if path == "/props":
            return reply({"default_generation_settings": {}, "total_slots": 1})
        if path == "/apply-template":
            return reply({"prompt": templated(body["messages"])})
        if path == "/tokenize":
            words = re.findall(r"\w+|\s+|[^\w\s]", body["content"])
            return reply({"tokens": [abs(hash(word)) for word in words]})
        if path in ("/completion", "/v1/chat/completions"):
            total, cached = self.cached(body["prompt"] if path == "/completion" else templated(body["messages"]))
            timings = {"cache_n": cached, "prompt_n": total - cached, "prompt_ms": 2.0 * (total - cached)}
            return reply({"content": "x", "tokens_cached": total + 1, "tokens_evaluated": total, "timings": timings})
        return super().answer(method, path, body)


class Ollama(Stub):
    def __init__(self, *, counts_cached: bool = True) -> None:
        super().__init__()
        self.counts_cached = counts_cached

    def answer(self, method: str, path: str, body: Any) -> Reply:
        if path == "/api/version":
            return reply({"version": "0.34.0"})
        if path in ("/api/chat", "/api/generate"):
            total, cached = self.cached(body["prompt"] if "prompt" in body else templated(body["messages"]))
            usage = {"prompt_eval_count": total, "prompt_eval_duration": 1_000_000 * (total - cached)}
            if self.counts_cached:
                usage["prompt_eval_cached_count"] = cached
            return reply({"model": body["model"], "done": True, **usage})
        return super().answer(method, path, body)


class OpenAICompatible(Stub):
    """vLLM: blocks of 16; ``details`` is its flag --enable-prompt-tokens-details."""

    def __init__(self, *, details: bool = True) -> None:
        super().__init__()
        self.details = details

    def answer(self, method: str, path: str, body: Any) -> Reply:
        if path == "/v1/chat/completions":
            total, cached = self.cached(templated(body["messages"]), 16)
            details = {"cached_tokens": cached} if self.details else None
            return reply({"choices": [], "usage": {"prompt_tokens": total, "prompt_tokens_details": details}})
        if path == "/v1/responses":
            total, cached = self.cached(templated(body["input"]), 16)
            usage = {"input_tokens": total, "input_tokens_details": {"cached_tokens": cached}, "total_tokens": total}
            return reply({"output": [], "error": None, "usage": usage})
        if path == "/v1/messages":
            turns = [{"role": "system", "content": body["system"]}] if "system" in body else []
            total, cached = self.cached(templated([*turns, *body["messages"]]), 16)
            usage = {
                "input_tokens": total - cached,
                "cache_read_input_tokens": cached,
                "cache_creation_input_tokens": 0,
            }
            return reply({"type": "message", "usage": usage})
        return super().answer(method, path, body)


class Fixed(Stub):
    """Answers every request with the same reply."""

    def __init__(self, give: Callable[[], Reply]) -> None:
        super().__init__()
        self.give = give

    def answer(self, method: str, path: str, body: Any) -> Reply:
        return self.give()


@contextmanager
def serving(stub: Stub) -> Iterator[str]:
    """The stub on a free port of loopback, as its address."""

    class Handler(BaseHTTPRequestHandler):
        def respond(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            stub.seen.append((self.command, self.path, body, dict(self.headers.items())))
            status, kind, data = stub.answer(self.command, self.path, body)
            try:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                if 300 <= status < 400:
                    self.send_header("Location", "http://example.invalid/")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass  # the client gave up waiting

        do_GET = do_POST = respond

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
