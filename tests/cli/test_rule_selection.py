"""Which rules run and how they are set up, from the configuration and the command line to what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

MANUAL = "Answer from the manual and from nothing else. Give the page of each answer. " * 12
PROGRAM = f'''import random
from datetime import datetime

from openai import OpenAI

client = OpenAI()
MANUAL = """{MANUAL}"""


def ask(question, messages, chunks):
    shots = "\\n".join(random.sample(["a", "b", "c"], 2))
    best = sorted(chunks, key=lambda chunk: chunk.score)
    found = "\\n".join(chunk.text for chunk in best)
    system = f"{{datetime.now()}} {{shots}} {{MANUAL}}"
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {{"role": "system", "content": system}},
            *messages[-8:],
            {{"role": "user", "content": f"{{found}} {{question}}"}},
        ],
    )
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "desk.py").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    with pytest.raises(SystemExit) as ended:
        main(["check", "--output-format", "concise", "--show-info", *options, "app"])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


def codes(capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """Codes that ``check`` prints, in order."""
    status, out, err = check(capsys, *options)
    assert status in (0, 1), err
    lines = out.splitlines()
    return sorted(line.split(": ")[1].split()[0] for line in lines if line.startswith("app"))


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([], ["PFX101", "PFX204", "PFX301"]),
        (["--preview"], ["PFX101", "PFX204", "PFX207", "PFX301"]),
        (["--select", "PFX2"], ["PFX204"]),
        (["--select", "PFX2", "--preview"], ["PFX204", "PFX207"]),
        (["--select", "PFX2", "--extend-select", "PFX301"], ["PFX204", "PFX301"]),
        (["--ignore", "PFX2"], ["PFX101", "PFX301"]),
        (["--ignore", "PFX2,PFX3"], ["PFX101"]),
        (["--select", "PFX", "--ignore", "PFX1"], ["PFX204", "PFX301"]),
        (["--select", "PFX101,PFX204", "--ignore", "PFX2"], ["PFX101", "PFX204"]),
    ],
)
def test_command_line(capsys: pytest.CaptureFixture[str], folder: Path, options: list[str], found: list[str]) -> None:
    assert codes(capsys, *options) == found


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ("select = ['PFX3']", ["PFX301"]),
        ("select = ['PFX3']\nextend-select = ['PFX101']", ["PFX101", "PFX301"]),
        ("ignore = ['PFX101']", ["PFX204", "PFX301"]),
        ("preview = true", ["PFX101", "PFX204", "PFX207", "PFX301"]),
        ("preview = true\nignore = ['PFX207']", ["PFX101", "PFX204", "PFX301"]),
        ("[per-file-ignores]\n'app/*.py' = ['PFX1', 'PFX204']", ["PFX301"]),
        ("[per-file-ignores]\n'other/*.py' = ['PFX1']", ["PFX101", "PFX204", "PFX301"]),
        # Until a window is full it is a conversation that grows: what stands in front of it strands it, however small.
        ("min-stranded-tokens = 100000", ["PFX101", "PFX204", "PFX301"]),
        ("[rules.PFX301]\nmin-window = 8", ["PFX101", "PFX204", "PFX301"]),
        ("[rules.PFX301]\nmin-window = 9", ["PFX101", "PFX204"]),
        ("[names]\nmessages = 'constant'", ["PFX101", "PFX204"]),
        ("[sources]\n'random.sample' = 'constant'", ["PFX101", "PFX301"]),
    ],
)
def test_configuration(capsys: pytest.CaptureFixture[str], folder: Path, settings: str, found: list[str]) -> None:
    (folder / "prefixlint.toml").write_text(settings, encoding="utf-8")
    assert codes(capsys) == found


def test_minimum_of_all_rules_and_of_one(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    program = PROGRAM.replace("            *messages[-8:],\n", "")
    (folder / "app" / "desk.py").write_text(program, encoding="utf-8")
    assert codes(capsys) == ["PFX101", "PFX204"]
    (folder / "prefixlint.toml").write_text("min-stranded-tokens = 100000", encoding="utf-8")
    assert codes(capsys) == []
    (folder / "prefixlint.toml").write_text(
        "min-stranded-tokens = 100000\n[rules.PFX204]\nmin-stranded-tokens = 64", encoding="utf-8"
    )
    assert codes(capsys) == ["PFX204"]


def test_a_rule_in_preview_is_not_selected_by_chance(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    status, _, told = check(capsys, "--select", "PFX207")
    assert status == 2
    assert "PFX207 is a rule in preview; set preview = true or give --preview" in told
    assert codes(capsys, "--select", "PFX207", "--preview") == ["PFX207"]
