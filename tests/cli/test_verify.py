"""``prefixlint verify`` against servers on loopback that keep a prefix cache, and against servers that fail."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from prefixlint.cli import main as cli
from stub_server import Fixed, LlamaServer, Ollama, OpenAICompatible, Reply, Stub, reply, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RULES = (
    "You are the help desk of a bicycle rental. Answer from the manual and from nothing else. Quote the paragraph by "
    "its number. Prices are in euros. "
) * 12

FRONT = f"""Current time: {{{{ now }}}}
{RULES}
"""
BACK = f"""{RULES}
Current time: {{{{ now }}}}
"""
CHAT = """from datetime import datetime

from openai import OpenAI

client = OpenAI()


def answer(question):
    return client.chat.completions.create(
        model="MODEL",
        messages=[
            {"role": "system", "content": f"SYSTEM"},
            {"role": "user", "content": question},
        ],
    )
"""


def write_prompts(folder: Path) -> None:
    """The same prompt four times: plain and as a chat, with the time in front and at the end."""
    (folder / "front_prompt.jinja").write_text(FRONT)
    (folder / "back_prompt.jinja").write_text(BACK)
    front = CHAT.replace("SYSTEM", "Now: {datetime.now()} " + RULES).replace("MODEL", "qwen2.5:7b")
    back = CHAT.replace("SYSTEM", RULES + " Now: {datetime.now()}").replace("MODEL", "qwen2.5:7b")
    (folder / "front_chat.py").write_text(front)
    (folder / "back_chat.py").write_text(back)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_prompts(tmp_path)
    return tmp_path


def invoke(*arguments: str) -> Result:
    return whole("verify", *arguments)


def whole(*arguments: str) -> Result:
    """The command line on the real stages; exit code and output as a shell would see them."""
    import click

    @click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
    @click.argument("rest", nargs=-1, type=click.UNPROCESSED)
    def command(rest: tuple[str, ...]) -> None:
        cli.main(rest)

    return CliRunner().invoke(command, arguments)


def trials(stub: Stub, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    with serving(stub) as url:
        result = invoke(*arguments, "--url", url, "--output-format", "json")
    assert result.stdout, result.stderr
    return result.exit_code, json.loads(result.stdout)["trials"]


@pytest.mark.parametrize("name", ["front_prompt.jinja", "back_prompt.jinja", "front_chat.py", "back_chat.py"])
@pytest.mark.usefixtures("files")
def test_llama_server_agrees_to_the_token(name: str) -> None:
    stub = LlamaServer()
    status, found = trials(stub, name, "--repeats", "2")
    assert (status, len(found)) == (0, 2)
    for trial in found:
        assert (trial["exact"], trial["tolerance"], trial["agrees"]) == (True, 0, True)
        assert trial["warm"]["cached_tokens"] == trial["predicted_cached_tokens"]
        stable = trial["warm"]["cached_tokens"] / trial["warm"]["prompt_tokens"]
        assert stable > 0.9 if name.startswith("back") else stable < 0.1
        # Earlier runs do not count: the line in front differs from trial to trial.
        assert trial["cold"]["cached_tokens"] < 8
        assert trial["warm"]["tokens_per_second"] == pytest.approx(500)
    paths = {path for method, path, *_ in stub.seen if method == "POST"}
    assert ("/completion" in paths) == name.endswith("jinja")


@pytest.mark.usefixtures("files")
def test_text_output() -> None:
    with serving(LlamaServer()) as url:
        result = invoke("back_prompt.jinja", "--url", url, "--repeats", "1")
    assert result.exit_code == 0
    assert "verified: prediction and measurement agree exactly, in the server's own tokens" in result.stdout
    assert "prefill warm: 500 tokens/s (500 to 500), computed tokens only" in result.stdout
    assert result.stderr.startswith(f"POST {url}/completion (llama-completion), 2 requests, the first of")


@pytest.mark.usefixtures("files")
def test_a_server_that_reuses_less_than_predicted() -> None:
    class Forgetful(LlamaServer):
        def cached(self, prompt: str, block: int = 1) -> tuple[int, int]:
            return super().cached(prompt, block)[0], 0

    with serving(Forgetful()) as url:
        result = invoke("back_prompt.jinja", "--url", url, "--repeats", "2")
    assert result.exit_code == 1
    assert "not confirmed: 2 of 2 measurements are not as predicted" in result.stdout


@pytest.mark.parametrize(("name", "api"), [("back_prompt.jinja", "ollama-generate"), ("back_chat.py", "ollama-chat")])
@pytest.mark.usefixtures("files")
def test_ollama(name: str, api: str) -> None:
    stub = Ollama()
    status, (trial,) = trials(stub, name, "--repeats", "1", "--model", "qwen2.5:7b")
    assert (status, trial["agrees"]) == (0, True)
    assert trial["warm"]["tokens_per_second"] == pytest.approx(1000)
    sent = [body for _, path, body, _ in stub.seen if path == f"/api/{api.partition('-')[2]}"]
    assert len(sent) == 2
    assert all(body["stream"] is False for body in sent)


@pytest.mark.usefixtures("files")
def test_ollama_before_0_33_3_is_not_verified() -> None:
    with serving(Ollama(counts_cached=False)) as url:
        result = invoke("back_chat.py", "--url", url, "--repeats", "1")
    assert result.exit_code == 1
    assert "not verified: the server does not say how many tokens it reused" in result.stdout
    assert "0.33.3" in result.stdout
    assert "no rate" in result.stdout


@pytest.mark.parametrize("api", ["openai-chat", "openai-responses", "anthropic"])
@pytest.mark.parametrize("name", ["front_chat.py", "back_chat.py"])
@pytest.mark.usefixtures("files")
def test_compatible_servers(api: str, name: str) -> None:
    status, (trial,) = trials(
        OpenAICompatible(), name, "--api", api, "--target", "vllm", "--repeats", "1", "--model", "Qwen/Qwen3-8B"
    )
    assert (status, trial["agrees"]) == (0, True)
    # The server reports no duration: then there is no rate, whatever the clock says.
    assert trial["warm"]["tokens_per_second"] is None
    assert trial["warm"]["elapsed_seconds"] > 0


def test_prediction_is_for_the_target_as_configured(files: Path) -> None:
    arguments = ("back_chat.py", "--target", "vllm", "--repeats", "1", "--model", "Qwen/Qwen3-8B")
    status, (trial,) = trials(OpenAICompatible(), *arguments)
    assert (status, trial["agrees"], trial["predicted_cached_tokens"] > 300) == (0, True, True)
    # Nothing as short as this prompt is cached, says the configuration; the server does not agree.
    (files / "prefixlint.toml").write_text("[targets.vllm]\nminimum = 5000\n")
    status, (trial,) = trials(OpenAICompatible(), *arguments)
    assert (status, trial["agrees"], trial["predicted_cached_tokens"]) == (1, False, 0)


@pytest.mark.usefixtures("files")
def test_vllm_without_its_flag_names_it() -> None:
    with serving(OpenAICompatible(details=False)) as url:
        result = invoke("back_chat.py", "--url", f"{url}/v1", "--repeats", "1")
    assert result.exit_code == 1
    assert "--enable-prompt-tokens-details" in result.stdout


@pytest.mark.usefixtures("files")
def test_a_stream_is_read_for_its_usage() -> None:
    usage = {"prompt_tokens": 500, "prompt_tokens_details": {"cached_tokens": 496}}
    text = f'data: {{"choices": []}}\n\ndata: {json.dumps({"usage": usage})}\n\ndata: [DONE]\n\n'
    stub = Fixed(lambda: (200, "text/event-stream", text.encode()))
    _, (trial,) = trials(stub, "back_chat.py", "--api", "openai-chat", "--repeats", "1")
    assert (trial["warm"]["prompt_tokens"], trial["warm"]["cached_tokens"]) == (500, 496)


def error(status: int, message: str = "bad luck") -> Callable[[], Reply]:
    return lambda: reply({"error": {"message": message, "type": "x"}}, status)


@pytest.mark.parametrize(
    ("give", "status", "message"),
    [
        (error(401), 2, "answers 401: bad luck; name the variable that holds the key: --key-env"),
        (error(403), 2, "answers 403: bad luck; name the variable that holds the key: --key-env"),
        (error(404), 2, "answers 404: bad luck; is it the right address, --api and --model?"),
        (error(429), 4, "answers 429: bad luck; the server limits requests"),
        (error(500), 4, "answers 500: bad luck"),
        (error(500, "\x1b]0;title\x07\u202e"), 4, r"answers 500: \x1b]0;title\x07\u202e"),
        (lambda: reply({}, 302), 2, "redirects (302), which is not followed"),
        (lambda: (200, "application/json", b'{"usage": '), 4, "answers with something that is not JSON: "),
        (lambda: (200, "text/html", b"<html>\x1b[2Jlogin</html>"), 4, "answers with something that is not JSON: "),
        (lambda: (200, "text/event-stream", b"data: {broken\n"), 4, "answers with something that is not JSON: "),
        (lambda: reply([1]), 4, "answers with JSON that is no object"),
        (lambda: reply({"error": "model is loading"}), 4, "reports an error: model is loading"),
    ],
)
@pytest.mark.usefixtures("files")
def test_failing_server_is_one_line(give: Callable[[], Reply], status: int, message: str) -> None:
    with serving(Fixed(give)) as url:
        result = invoke("back_chat.py", "--url", url, "--api", "openai-chat", "--repeats", "1")
    assert result.exit_code == status
    lines = result.stderr.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("Error: ")
    assert message in lines[1]
    assert "\x1b" not in result.stderr
    assert result.stdout == ""


@pytest.mark.usefixtures("files")
def test_dead_server() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    result = invoke("back_chat.py", "--url", f"127.0.0.1:{port}")
    assert result.exit_code == 4
    assert result.stderr.startswith(f"Error: cannot reach http://127.0.0.1:{port}/props: Connection refused")


@pytest.mark.usefixtures("files")
def test_timeout() -> None:
    def slow() -> Reply:
        time.sleep(0.6)
        return reply({})

    with serving(Fixed(slow)) as url:
        result = invoke("back_chat.py", "--url", url, "--api", "openai-chat", "--timeout", "0.2")
    assert result.exit_code == 4
    assert "gave no answer within 0.2 seconds (--timeout)" in result.stderr


@pytest.mark.usefixtures("files")
def test_only_loopback_unless_allowed() -> None:
    # A documentation address: nothing is connected to.
    result = invoke("back_chat.py", "--url", "http://192.0.2.7:8000", "--api", "openai-chat")
    assert result.exit_code == 2
    assert "192.0.2.7 is not this machine: --allow-remote sends the prompt there" in result.stderr
    allowed = invoke("back_chat.py", "--url", "http://192.0.2.7", "--api", "openai-chat", "--allow-remote", "--dry-run")
    assert allowed.exit_code == 0


@pytest.mark.usefixtures("files")
def test_keys_come_from_the_environment_and_are_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-unasked")
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    echo = Fixed(error(401, "wrong key sk-very-secret"))
    arguments = ["back_chat.py", "--api", "openai-chat", "--repeats", "1"]
    with serving(echo) as url:
        result = invoke(*arguments, "--url", url, "--key-env", "MY_KEY")
        without = invoke(*arguments, "--url", url)
        missing = invoke(*arguments, "--url", url, "--key-env", "NO_SUCH_KEY")
        messages = invoke("back_chat.py", "--api", "anthropic", "--url", url, "--key-env", "MY_KEY")
    assert echo.seen[0][3]["Authorization"] == "Bearer sk-very-secret"
    assert "Authorization" not in echo.seen[1][3]
    assert echo.seen[2][3]["x-api-key"] == "sk-very-secret"
    assert "with a key" in result.stderr
    assert "***" in result.stderr
    for one in (result, without, missing, messages):
        assert "sk-" not in one.output.replace("sk-very-secret", "sk-" if one is not without else "")
    assert (missing.exit_code, "the environment has no NO_SUCH_KEY" in missing.stderr) == (2, True)


@pytest.mark.usefixtures("files")
def test_dry_run_shows_everything_and_sends_nothing() -> None:
    stub = LlamaServer()
    with serving(stub) as url:
        result = invoke("back_chat.py", "--url", url, "--api", "openai-chat", "--dry-run", "--repeats", "2")
        unnamed = invoke("back_chat.py", "--url", url, "--dry-run")
    assert result.exit_code == 0
    assert stub.seen == []
    head, _, rest = result.stdout.partition("\n")
    assert head == f"POST {url}/v1/chat/completions (openai-chat), 4 requests"
    assert rest.count('"messages"') == 4
    assert RULES[:60] in rest
    assert unnamed.exit_code == 2
    assert "name it with --api" in unnamed.stderr


@pytest.mark.usefixtures("files")
def test_only_what_varies_differs_between_the_two_requests() -> None:
    stub = LlamaServer()
    trials(stub, "back_prompt.jinja", "--repeats", "1")
    one, other = (body["prompt"] for _, path, body, _ in stub.seen if path == "/completion")
    assert one != other
    assert one.partition("Current time: ")[0] == other.partition("Current time: ")[0]
    assert one.startswith("Run ")


def test_a_marker_of_the_source_is_sent_to_anthropic(files: Path) -> None:
    (files / "marked.py").write_text(
        "from anthropic import Anthropic\n\nclient = Anthropic()\n\n\ndef answer(question):\n"
        "    return client.messages.create(\n        model='claude-sonnet-4-5', max_tokens=9,\n"
        f"        system=[{{'type': 'text', 'text': {RULES!r}, 'cache_control': {{'type': 'ephemeral'}}}}],\n"
        "        messages=[{'role': 'user', 'content': question}],\n    )\n"
    )
    stub = OpenAICompatible()
    trials(stub, "marked.py", "--api", "anthropic", "--repeats", "1")
    (system,) = stub.seen[0][2]["system"]
    assert system["cache_control"] == {"type": "ephemeral"}
    assert stub.seen[0][2]["model"] == "claude-sonnet-4-5"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.py", "--url", "127.0.0.1:1"], "nothing to verify"),
        (["back_chat.py", "--url", "ftp://127.0.0.1"], "is no http or https address"),
        (["back_chat.py", "--url", "http://127.0.0.1:x"], "has no valid port"),
        (["back_chat.py", "--url", "http://me:secret@127.0.0.1"], "may hold no user, password or query"),
        (["back_chat.py", "--url", "http://127.0.0.1:1", "--template", "other"], "it has answer (line"),
        (["back_chat.py", "--url", "http://127.0.0.1:1/completion"], "is a chat, and llama-completion takes a plain"),
        (["back_chat.py", "--url", "http://127.0.0.1:1/api/chat", "--target", "vlm"], "unknown target 'vlm'"),
        (["back_chat.py"], "Missing option '--url'"),
    ],
)
@pytest.mark.usefixtures("files")
def test_wrong_use_is_2(arguments: list[str], message: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "secret" not in result.stderr
