"""Results of earlier runs: the same as anew, gone with any change, never in the way."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from prefixlint.cache import codec
from prefixlint.cache.store import Store
from prefixlint.config import load
from prefixlint.model.findings import Severity
from prefixlint.report import jsonout
from prefixlint.run import run, stored
from prefixlint.run.stages import Stages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Check = Callable[[], tuple[Any, int]]

RULES = "Answer in one sentence. Speak of nothing but the weather of the day. " * 12
MAIN = """import openai
from rules import RULES
from clock import now

def answer(question):
    client = openai.OpenAI()
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "system", "content": f"It is {now()}. {RULES}"},
            {"role": "user", "content": question},
        ],
    )
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "main.py").write_text(MAIN)
    (folder / "rules.py").write_text(f"RULES = {RULES!r}\n")
    (folder / "clock.py").write_text("import datetime\n\ndef now():\n    return datetime.datetime.now()\n")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(stored, "QUICK", -1.0)
    return folder


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Runs ``check`` with a store; gives its JSON and how often the front end was asked."""
    store = Store(str(tmp_path / "store"))

    def once() -> tuple[Any, int]:
        asked = []
        usual = Stages()

        def analyse(*arguments: object) -> object:
            asked.append(1)
            return usual.python_analyse(*arguments)  # type: ignore[arg-type]

        result = run(["."], load(".", None), stages=Stages(python_analyse=analyse), store=store)  # type: ignore[arg-type]
        return json.loads(jsonout.check(result, result.at_least(Severity.INFO))), len(asked)

    return once


def test_the_second_run_says_the_same_without_looking_again(project: Path, check: Check) -> None:
    first, second = check(), check()
    assert (first[1], second[1]) == (1, 0)
    assert first[0] == second[0]
    assert [d["code"] for d in first[0]["diagnostics"]] == ["PFX101"]


@pytest.mark.parametrize("name", ["main.py", "rules.py", "clock.py"])
def test_a_change_anywhere_on_the_way_is_seen(project: Path, check: Check, name: str) -> None:
    check()
    file = project / name
    before = os.stat(file)
    text = file.read_text()
    file.write_text(
        text.replace("datetime.datetime.now()", "'noon' + '    '    ") + ("\n" if name != "clock.py" else "")
    )
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    report, asked = check()
    assert asked == 1
    assert len(report["diagnostics"]) == (0 if name == "clock.py" else 1)


def test_a_module_that_appears_is_seen(project: Path, check: Check) -> None:
    (project / "clock.py").unlink()
    assert "clock.py" not in json.dumps(check()[0])  # judged by its name alone
    (project / "clock.py").write_text("import datetime\n\ndef now():\n    return datetime.datetime.now()\n")
    assert "clock.py" in json.dumps(check()[0])


def test_a_damaged_entry_is_made_anew(project: Path, check: Check, tmp_path: Path) -> None:
    first = check()
    entries = list((tmp_path / "store").iterdir())
    assert len(entries) == 2
    for entry in entries:
        entry.write_bytes(entry.read_bytes()[:100])
    assert check() == first
    assert check()[1] == 0


def test_what_cannot_be_kept_is_told_and_found_all_the_same(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(extractions: object) -> bytes:
        raise codec.NotStorable("Novelty")

    monkeypatch.setattr(codec, "dump", refuse)
    store = Store(str(tmp_path / "store"))
    result = run(["."], load(".", None), store=store)
    assert [finding.code for finding in result.findings] == ["PFX101"]
    assert result.crashes == ()
    assert "Novelty" in store.trouble
