"""Functions and methods of the project that its configuration calls sources or sinks: they are not entered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from prefixlint.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Check = Callable[..., list[tuple[str, str, int]]]

MANUAL = "MANUAL = " + repr("A parcel that nobody calls for is kept for ten days and then goes back. " * 12)
FILES = {
    "src/mypkg/__init__.py": "",
    "src/mypkg/texts.py": MANUAL,
    "src/mypkg/clock.py": "import os\n\n\ndef now():\n    return os.environ['STAMP']\n",
    "src/mypkg/llm.py": """\
import requests


def ask(system, messages=None, prompt=None, tools=None):
    return requests.post("http://llm", json={"s": system, "m": messages, "p": prompt, "t": tools})


class Client:
    def tell(self, first, text):
        return ask(None, prompt=text)

    @staticmethod
    def say(text):
        return ask(None, prompt=text)
""",
}
SINK = """
[sinks]
"mypkg.llm.ask" = { messages = "messages", system = "system", prompt = "prompt", tools = "tools", engine = "vllm" }
"mypkg.llm.Client.tell" = { prompt = "text" }
"Client.say" = { prompt = "text" }
"acme.send" = { prompt = "body", positional = ["body"] }
complete = { system = "rules", messages = "turns", model = "using" }
"""
CLOCK = '[sources]\n"mypkg.clock.now" = { kind = "clock", lifetime = "request" }\n'


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., object]:
    """The JSON document that a command prints for ``code`` in src/mypkg/app.py beside ``FILES``."""
    monkeypatch.chdir(tmp_path)

    def lint(command: str, configuration: str, code: str) -> object:
        for name, text in {**FILES, "src/mypkg/app.py": code, "prefixlint.toml": configuration}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        with pytest.raises(SystemExit) as ended:
            main((command, "--output-format", "json"))
        out, err = capsys.readouterr()
        assert (ended.value.code in (0, 1), err) == (True, "")
        return json.loads(out)

    return lint


def findings(document: object) -> list[tuple[str, str, int]]:
    assert isinstance(document, dict)
    return [(each["code"], each["expression"], each["start"]["line"]) for each in document["diagnostics"]]


HEAD = "import acme\nfrom mypkg import llm\nfrom mypkg.clock import now\nfrom mypkg.texts import MANUAL\n\n\n"


def test_a_source_of_the_project_is_not_entered(lint: Callable[..., object]) -> None:
    code = HEAD + 'def reply(q):\n    return llm.ask(f"It is {now()}. {MANUAL}", prompt=q)\n'
    # By itself it reads a variable of the environment: nothing that changes from request to request.
    assert findings(lint("check", SINK, code)) == []
    assert findings(lint("check", SINK + CLOCK, code)) == [("PFX101", "now()", 8)]


@pytest.mark.parametrize(
    "call",
    [
        "llm.ask(TEXT)",
        "llm.ask(system=TEXT, prompt=q)",
        "llm.ask(None, [{'role': 'user', 'content': TEXT}])",
        "llm.ask(None, None, TEXT)",
        "llm.Client().tell(q, TEXT)",
        "llm.Client().tell(q, text=TEXT)",
        "llm.Client.say(TEXT)",
        "llm.Client().say(TEXT)",
        "acme.send(TEXT)",
        "acme.send(body=TEXT)",
        "acme.connect().bot.complete(rules=TEXT, turns=q)",
    ],
)
def test_sinks(lint: Callable[..., object], call: str) -> None:
    code = HEAD + "def reply(q):\n    return " + call.replace("TEXT", 'f"{now()} {MANUAL}"') + "\n"
    assert findings(lint("check", SINK + CLOCK, code)) == [("PFX101", "now()", 8)]
    assert findings(lint("check", "", code)) == []


def test_parts_engine_and_model_of_a_sink(lint: Callable[..., object]) -> None:
    code = HEAD + 'def reply(q):\n    return llm.ask(MANUAL, prompt=f"Answer {q} now.")\n'
    document = lint("report", SINK, code)
    assert isinstance(document, dict)
    (template,) = [each for each in document["templates"] if each["name"] == "reply"]
    assert (template["form"], template["target"]["engine"]) == ("own-call", "vllm")
    placed = dict.fromkeys((s["role"], s["kind"]) for s in template["segments"] if s["tokens"])
    assert list(placed) == [("system", "text"), ("user", "text"), ("user", "value")]
    code = HEAD + 'def reply(q):\n    return acme.bot().complete(rules=MANUAL, turns=q, using="gpt-4o")\n'
    document = lint("report", SINK, code)
    assert isinstance(document, dict)
    (template,) = [each for each in document["templates"] if each["name"] == "reply"]
    assert template["target"]["model"] == "gpt-4o"


def test_text_passed_to_a_sink_by_a_caller(lint: Callable[..., object]) -> None:
    code = (
        HEAD
        + """\
def send(text):
    return llm.ask(text)


def reply(q):
    return send(f"{now()} {MANUAL}")
"""
    )
    assert findings(lint("check", SINK + CLOCK, code)) == [("PFX101", "now()", 12)]
