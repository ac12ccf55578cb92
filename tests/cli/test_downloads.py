"""``--allow-download`` against a hub on this machine; without it nothing is asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import prefixlint
import prefixlint_rules
import pytest
import tokenizers
from prefixlint.tokens.download import hub_id

if TYPE_CHECKING:
    from collections.abc import Iterator

PROMPT = """\
from openai import OpenAI

OpenAI().chat.completions.create(model="own", messages=[{"role": "user", "content": "ab ab"}])
"""


class Hub(BaseHTTPRequestHandler):
    """Serves ``files`` by their path, as the hub does; ``asked`` are the paths of all requests."""

    files: dict[str, bytes]
    asked: list[str]

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def answer(self, *, body: bool) -> None:
        self.asked.append(self.path)
        content = self.files.get(self.path)
        known = any(path.startswith("/".join(self.path.split("/")[:3])) for path in self.files)
        self.send_response(200 if content is not None else 404)
        if content is None:
            self.send_header("X-Error-Code", "EntryNotFound" if known else "RepoNotFound")
        self.send_header("ETag", f'"{len(content or b"")}"')
        self.send_header("X-Repo-Commit", "0123456789abcdef0123456789abcdef01234567")
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        if body and content is not None:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[str]:
    """A hub with the model ``me/own``, whose tokenizer has one token for each "ab"."""
    backend = tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 1, " ": 2, "ab": 3}, [("a", "b")]))
    Hub.files = {
        "/me/own/resolve/main/tokenizer.json": backend.to_str().encode(),
        "/me/bare/resolve/main/README.md": b"nothing",
    }
    Hub.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def report(folder: Path, hub: str, tokenizer: str, *options: str) -> tuple[dict[str, object], str]:
    """The target that counts, and what is said on standard error."""
    (folder / "app.py").write_text(PROMPT, encoding="utf-8")
    (folder / "prefixlint.toml").write_text(
        f'target = ["vllm"]\n[targets.vllm]\ntokenizer = "{tokenizer}"\n', encoding="utf-8"
    )
    environment = {**os.environ, "HF_ENDPOINT": hub, "HF_HOME": str(folder / "hf"), "HF_HUB_DISABLE_XET": "1"}
    # The same prefixlint as this test's own, wherever the command is started.
    sources = [str(Path(package.__path__[0]).resolve().parent) for package in (prefixlint, prefixlint_rules)]
    environment["PYTHONPATH"] = os.pathsep.join(sources)
    environment.pop("HF_HUB_CACHE", None)
    environment.pop("HF_HUB_OFFLINE", None)
    command = [sys.executable, "-m", "prefixlint", "report", "app.py", "--output-format", "json", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["templates"][0]["target"], done.stderr


def test_a_tokenizer_is_fetched_only_where_that_is_allowed(tmp_path: Path, hub: str) -> None:
    target, said = report(tmp_path, hub, "me/own")
    assert Hub.asked == []
    assert (target["tokenizer"], target["exact"]) == ("o200k_base", False)
    assert "me/own is neither a file nor in the Hugging Face cache" in said
    assert "--allow-download" in said
    target, said = report(tmp_path, hub, "me/own", "--allow-download")
    assert "/me/own/resolve/main/tokenizer.json" in Hub.asked
    assert "fetched the tokenizer of me/own" in said
    assert (target["tokenizer"], target["exact"]) == ("me/own", True)
    # From then on it is in the cache.
    Hub.asked.clear()
    assert report(tmp_path, hub, "me/own")[0]["tokenizer"] == "me/own"
    assert report(tmp_path, hub, "me/own", "--allow-download")[1] == ""
    assert Hub.asked == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("me/gone", "the Hugging Face hub has no model me/gone"),
        (
            "me/bare",
            "me/bare on the Hugging Face hub holds no tokenizer (tokenizer.json, tekken.json, tokenizer.model)",
        ),
    ],
)
def test_what_cannot_be_had_is_told_and_the_run_goes_on(name: str, message: str, tmp_path: Path, hub: str) -> None:
    target, said = report(tmp_path, hub, name, "--allow-download")
    assert message in said
    assert (target["tokenizer"], target["exact"]) == ("o200k_base", False)


def test_a_hub_that_is_not_reached(tmp_path: Path) -> None:
    target, said = report(tmp_path, "http://127.0.0.1:9", "me/own", "--allow-download")
    assert "me/own could not be fetched from the Hugging Face hub" in said
    assert target["exact"] is False


@pytest.mark.parametrize(
    ("model", "wanted"),
    [
        ("qwen2.5:7b", "Qwen/Qwen2.5-7B-Instruct"),
        ("qwen3:8b", "Qwen/Qwen3-8B"),
        ("qwen3.5", None),
        ("openrouter/deepseek/deepseek-chat", "deepseek-ai/DeepSeek-V3.1"),
        ("gemma3", None),
        ("claude-sonnet-4-5", None),
    ],
)
def test_models_by_other_names(model: str, wanted: str | None) -> None:
    assert hub_id(model) == wanted
