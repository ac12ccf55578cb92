"""``prefixlint diff`` on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Invoke = Callable[..., Result]

RULES = "You are the help desk of a bicycle rental. " * 30


def chat(question: str, day: str, model: str = "gpt-4o") -> dict[str, object]:
    system = {"role": "system", "content": f"{RULES}\nToday: {day}\nBe brief."}
    return {"model": model, "messages": [system, {"role": "user", "content": question}]}


@pytest.fixture
def pair(folder: Path) -> None:
    (folder / "a.json").write_text(json.dumps(chat("Hello", "2026-01-02")))
    (folder / "b.json").write_text(json.dumps(chat("Hello there", "2026-01-03")))


@pytest.mark.usefixtures("pair")
def test_pair_of_bodies(invoke: Invoke) -> None:
    result = invoke("diff", "a.json", "b.json", "--target", "vllm", "--target", "openai:gpt-4o")
    assert result.exit_code == 0
    # 30 times 10 tokens; then " \n", "Today", ":", " ", "202", "6", "-", "01", "-"; and 3 of framing in front.
    assert "a.json and b.json share 312 tokens and part at token 312, line 2, column 16" in result.stdout
    assert "│02\\nBe brief.  a.json" in result.stdout
    assert "│03\\nBe brief.  b.json" in result.stdout
    rows = [line.split() for line in result.stdout.splitlines() if line.startswith(("vllm ", "openai:"))]
    assert [row[:4] for row in rows] == [["vllm", "327", "312", "304"], ["openai:gpt-4o", "327", "312", "0"]]
    assert "vllm: counted with o200k_base as a stand-in" in result.stdout
    assert "openai:gpt-4o: counted" not in result.stdout


@pytest.mark.usefixtures("pair")
def test_the_target_follows_the_body(invoke: Invoke) -> None:
    document = json.loads(invoke("diff", "a.json", "b.json", "--output-format", "json").stdout)
    first = document["targets"][0]
    assert (document["version"], first["target"], first["exact"]) == (1, "openai:gpt-4o", True)
    assert (first["shared_tokens"], first["tokens"], first["reused_tokens"]) == (312, [326, 327], 0)
    assert first["places"][0] == {
        "path": "messages[0].content",
        "line": 2,
        "column": 16,
        "before": "f a bicycle rental. \nToday: 2026-01-",
        "behind": "02\nBe brief.",
    }


def test_the_same_text_twice(invoke: Invoke, folder: Path) -> None:
    (folder / "a.txt").write_text("Hello world")
    result = invoke("diff", "a.txt", "a.txt", "--target", "llama-server")
    assert result.stdout.startswith("a.txt and a.txt are the same: 2 tokens\n")
    # The last token is always computed again.
    assert "llama-server       2       2       1" in result.stdout


def test_settings_that_differ_are_named(invoke: Invoke, folder: Path) -> None:
    for name, choice in (("a.json", "auto"), ("b.json", "none")):
        (folder / name).write_text(json.dumps({**chat("Hello", "2026"), "tool_choice": choice}))
    assert "They also differ in tool_choice" in invoke("diff", "a.json", "b.json").stdout


def test_log(invoke: Invoke, folder: Path) -> None:
    records = [json.dumps(chat(f"{number} bicycles", f"2026-01-0{number % 3 + 1}")) for number in range(1, 10)]
    records += ["{broken", json.dumps({"traceId": "t", "type": "SPAN", "input": "x"})]
    (folder / "log.jsonl").write_text("\n".join(records))
    result = invoke("diff", "log.jsonl", "--target", "vllm")
    assert result.exit_code == 0
    assert result.stdout.startswith("9 requests to gpt-4o, 327 tokens: all share the first 312 tokens\n")
    # Six of the eight others are of another day than the first, two of the same day ask something else.
    assert "        6   75% at token 312 (messages[0].content, line 2)" in result.stdout
    # 312 and "02", "\n", "Be", " brief", "."; then the message's end, and the 3 tokens in front of the next.
    assert "        2   25% at token 321 (messages[1].content, line 1)" in result.stdout
    assert "not read: log.jsonl:10: not valid JSON" in result.stdout
    assert "not counted: 1 record of something else than a request" in result.stdout
    document = json.loads(invoke("diff", "log.jsonl", "--target", "vllm", "--output-format", "json").stdout)
    (group,) = document["groups"]
    assert [entry["requests"] for entry in group["breaks"]] == [6, 2]
    assert document["records_without_request"] == 1
    assert document["problems"] == ["log.jsonl:10: not valid JSON"]


def test_a_request_that_the_chat_template_refuses_is_passed_over(invoke: Invoke, folder: Path) -> None:
    (folder / "own.jinja").write_text(
        "{% for m in messages %}{{ m.content }}{% endfor %}{{ raise_exception('no tools') if tools }}"
    )
    (folder / "prefixlint.toml").write_text("[targets.vllm]\nchat-template = 'own.jinja'\n")
    refused = {**chat("Hello", "2026"), "tools": [{"type": "function"}]}
    (folder / "log.jsonl").write_text("\n".join(json.dumps(one) for one in (chat("Hello", "2026"), refused)))
    result = invoke("diff", "log.jsonl", "--target", "vllm")
    assert result.exit_code == 0
    assert result.stdout.startswith("1 request to gpt-4o")
    assert "not read: log.jsonl:2: " in result.stdout
    assert "refuses the conversation: no tools" in result.stdout


def test_three_files(invoke: Invoke, folder: Path) -> None:
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"Rules first.\nQuestion {number}")
    # "Rules", " first", ".\n", "Question", " ", and the number.
    result = invoke("diff", "0.txt", "1.txt", "2.txt", "--target", "llama-server")
    assert result.stdout.startswith("3 requests, 6 tokens: all share the first 5 tokens\n")


def test_standard_input_and_output_file(invoke: Invoke, folder: Path) -> None:
    (folder / "a.txt").write_text("Hello world")
    result = invoke("diff", "a.txt", "-", "--output-file", "out.txt", data=b"Hello moon")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "a.txt and standard input share 1 token and part at token 1" in (folder / "out.txt").read_text()


def test_control_characters_of_a_prompt_do_not_reach_the_terminal(invoke: Invoke, folder: Path) -> None:
    (folder / "a.txt").write_text("Hello\x1b[2Jworld")
    (folder / "b.txt").write_text("Hello\x1b[2Jmoon")
    assert "\x1b" not in invoke("diff", "a.txt", "b.txt").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.json"], "a.json is one request: name another"),
        (["a.json", "none.json"], "cannot read none.json: No such file or directory"),
        (["a.json", "b.json", "--target", "vlm"], "unknown target 'vlm'"),
        (["empty.txt", "a.json"], "empty.txt is empty"),
        (["span.jsonl"], "there is no request in it; span.jsonl:1: it has none of messages"),
        ([], "Missing argument"),
    ],
)
@pytest.mark.usefixtures("pair")
def test_wrong_use_is_2(invoke: Invoke, folder: Path, arguments: list[str], message: str) -> None:
    (folder / "empty.txt").write_text("\n")
    (folder / "span.jsonl").write_text('{"level": "info"}\n')
    result = invoke("diff", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
