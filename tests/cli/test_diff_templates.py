"""``prefixlint diff --templates``: a log made by running a program's own prompt against what its source predicts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from test_verify import whole

if TYPE_CHECKING:
    from pathlib import Path

RULES = "You are the help desk of a bicycle rental. Quote the paragraph of the manual by its number. " * 20
SOURCE = f"""from datetime import date, datetime

from openai import OpenAI

client = OpenAI()
RULES = {RULES!r}


def answer(question, user):
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {{"role": "system", "content": f"The time is {{datetime.now()}}. {{RULES}} The day is {{date.today()}}. "
             f"Answer in short sentences."}},
            {{"role": "user", "content": question}},
        ],
    )
"""


def body(time: str, day: str, question: str) -> dict[str, Any]:
    """What the program sends, written out by hand."""
    system = f"The time is {time}. {RULES} The day is {day}. Answer in short sentences."
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    return {"model": "gpt-4o", "messages": messages}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def log(folder: Path, *bodies: dict[str, Any]) -> None:
    (folder / "log.jsonl").write_text("".join(json.dumps(one) + "\n" for one in bodies), encoding="utf-8")


def joined() -> dict[str, Any]:
    done = whole("diff", "log.jsonl", "--templates", "app.py", "--output-format", "json")
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_the_source_predicts_is_confirmed(folder: Path) -> None:
    times = [f"2026-03-14 09:2{n}:53.58979{n}" for n in range(5)]
    log(folder, *(body(time, "2026-03-14", f"Question {n}?") for n, time in enumerate(times)))
    found = joined()
    (template,) = found["templates"]
    assert template["template"] == "app.py:10:answer"
    assert (template["requests"], template["verdict"], found["requests_of_no_template"]) == (5, "confirmed", 0)
    point, (least, most) = template["predicted_breakpoint"], template["shared_tokens"]
    assert point["token_guaranteed"] <= least <= most
    values = {value["expression"]: value for value in template["values"]}
    assert values["datetime.now()"]["verdict"] == "confirmed"
    assert (values["datetime.now()"]["changes"], values["datetime.now()"]["pairs"]) == (4, 4)
    # A day that did not end in the log is neither.
    assert (values["date.today()"]["changes"], values["date.today()"]["verdict"]) == (0, "open")


def test_a_log_that_says_otherwise_refutes(folder: Path) -> None:
    # The clock stands still (a frozen test clock), and the day changes with each request.
    log(folder, *(body("12:00", f"2026-03-1{n}", "What?") for n in range(5)))
    (template,) = joined()["templates"]
    assert template["verdict"] == "refuted"
    values = {value["expression"]: value["verdict"] for value in template["values"]}
    assert values == {"datetime.now()": "refuted", "date.today()": "refuted", "question": "refuted"}


def test_requests_of_other_prompts_are_counted_apart(folder: Path) -> None:
    other = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Write a poem about bicycles, please."}]}
    log(folder, body("1", "2", "3"), other, other)
    done = whole("diff", "log.jsonl", "--templates", "app.py")
    assert done.exit_code == 0
    assert "app.py:10 answer: 1 request\n  nothing to compare it with" in done.stdout
    assert "2 requests of no template in the source" in done.stdout


def test_text(folder: Path) -> None:
    log(folder, *(body(f"09:0{n}", "Monday", f"Q{n}") for n in range(3)))
    done = whole("diff", "log.jsonl", "--templates", "app.py")
    assert "app.py:10 answer: 3 requests" in done.stdout
    assert "`datetime.now()` (request)" in done.stdout
    assert "changed in 2 of 2" in done.stdout


def test_source_without_a_prompt(folder: Path) -> None:
    (folder / "empty.py").write_text("x = 1\n")
    log(folder, body("1", "2", "3"))
    done = whole("diff", "log.jsonl", "--templates", "empty.py")
    assert (done.exit_code, "there is no prompt in empty.py" in done.stderr) == (2, True)
