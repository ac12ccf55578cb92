"""The whole tool on small files: the stages as they are."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from prefixlint.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., "Done"]

RULES = "Answer in the language of the question, in at most three short paragraphs, and never invent a price. " * 8
AGENT = f'''\
import datetime
from openai import OpenAI


def ask(question):
    now = datetime.datetime.now().isoformat()
    system = f"""You are the support agent of ACME.
It is {{now}}.
{RULES}"""{{comment}}
    return OpenAI().chat.completions.create(
        model="gpt-4o",
        messages=[{{"role": "system", "content": system}}, {{"role": "user", "content": question}}],
    )
'''.replace("{{", "{").replace("}}", "}")


def agent(comment: str = "") -> str:
    return AGENT.replace("{comment}", comment)


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in a folder; in this process, so that the tokenizer is loaded once."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run(folder: Path, *arguments: str) -> Done:
        monkeypatch.chdir(folder)
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *capsys.readouterr())

    return run


def codes(done: Done) -> list[tuple[str, str, int, int]]:
    found = json.loads(done.stdout)["diagnostics"]
    return [(each["code"], each["severity"], each["start"]["line"], each["start"]["column"]) for each in found]


def test_clock_in_front(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(agent())
    done = run(tmp_path, "check", "--output-format", "json")
    assert (done.returncode, done.stderr) == (1, "")
    assert codes(done) == [("PFX101", "error", 8, 7)]
    finding = json.loads(done.stdout)["diagnostics"][0]
    assert finding["path"] == "agent.py"
    assert finding["lifetime"] == "request"
    assert finding["stranded_tokens"] > 64


def test_yaml_and_jinja(run: Run, tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "a.jinja").write_text(f"You are an agent.\nIt is {{{{ current_time }}}}.\n{RULES}\n")
    (tmp_path / "prompts" / "b.yaml").write_text(
        f"system: |\n  You are an agent.\n  It is {{current_time}}.\n  {RULES}\n"
    )
    done = run(tmp_path, "check", "--output-format", "concise")
    assert done.returncode == 1
    assert [line.split()[:3] for line in done.stdout.splitlines()[:-1]] == [
        ["prompts/a.jinja:2:7:", "PFX101", "error"],
        ["prompts/b.yaml:3:9:", "PFX101", "error"],
    ]


@pytest.mark.parametrize("comment", ["  # prefixlint: ignore[PFX101]", "  # prefixlint: ignore"])
def test_suppressed_on_the_last_line_of_a_triple_quoted_string(run: Run, tmp_path: Path, comment: str) -> None:
    (tmp_path / "agent.py").write_text(agent(comment))
    done = run(tmp_path, "check", "--show-info")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "No faults found in 1 file (1 template); 1 suppressed\n"


def test_suppressed_above_a_triple_quoted_string(run: Run, tmp_path: Path) -> None:
    text = agent().replace("    system = f", "    # prefixlint: ignore[PFX101] wanted\n    system = f")
    (tmp_path / "agent.py").write_text(text)
    assert run(tmp_path, "check", "--show-info").returncode == 0


def test_a_comment_within_the_prompt_is_prompt_text(run: Run, tmp_path: Path) -> None:
    text = agent().replace("It is {now}.", "# prefixlint: ignore[PFX101]\nIt is {now}.")
    (tmp_path / "agent.py").write_text(text)
    assert codes(run(tmp_path, "check", "--output-format", "json")) == [("PFX101", "error", 9, 7)]


def test_files_that_cannot_be_analysed_are_warnings_and_the_rest_is_checked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(agent())
    (tmp_path / "broken.py").write_text(agent().replace("def ask", "def def ask"))
    (tmp_path / "latin.py").write_bytes(agent().replace("support", "s\u00fcpport").encode("latin-1"))
    (tmp_path / "nul.py").write_text(agent() + "\0")
    (tmp_path / "image.py").write_bytes(bytes(range(256)))
    done = run(tmp_path, "check", "--output-format", "json")
    assert (done.returncode, done.stderr) == (1, "")
    assert [(each["path"], each["code"]) for each in json.loads(done.stdout)["diagnostics"]] == [
        ("agent.py", "PFX101"),
        ("broken.py", "PFX901"),
        ("latin.py", "PFX901"),
        ("nul.py", "PFX901"),
    ]
    assert json.loads(done.stdout)["summary"]["unanalysed_files"] == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(agent())
    (tmp_path / "agent.py").chmod(0)
    done = run(tmp_path, "check", "--output-format", "concise")
    assert done.returncode == 1
    assert "PFX901 warning cannot read file: Permission denied" in done.stdout


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="names of files are Unicode there")
def test_a_file_whose_name_is_not_utf_8(run: Run, tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/agent\xff.py", "w", encoding="utf-8") as file:
        file.write(agent())
    done = run(tmp_path, "check", "--output-format", "json")
    assert (done.returncode, done.stderr) == (1, "")
    assert codes(done) == [("PFX101", "error", 8, 7)]


def test_report_agrees_with_check(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(agent())
    (template,) = json.loads(run(tmp_path, "report", "--output-format", "json").stdout)["templates"]
    (finding,) = json.loads(run(tmp_path, "check", "--output-format", "json").stdout)["diagnostics"]
    assert template["id"] == finding["template"]
    point = template["breakpoint"]
    assert (point["path"], point["line"], point["column"]) == ("agent.py", 8, 7)
    assert point["token_guaranteed"] <= finding["stable_tokens_before"]
    assert template["target"]["tokenizer"] == "o200k_base"
    assert "`now`" in run(tmp_path, "report").stdout


def test_a_configured_provider_minimum_makes_it_an_info(run: Run, tmp_path: Path) -> None:
    """The prompt has fewer than 1,024 tokens: OpenAI never caches it, other engines behind that client do."""
    (tmp_path / "agent.py").write_text(agent())
    done = run(tmp_path, "check", "--target", "openai:gpt-4o", "--show-info", "--output-format", "json")
    assert (done.returncode, codes(done)) == (0, [("PFX101", "info", 8, 7)])
    done = run(tmp_path, "check", "--target", "vllm", "--output-format", "json")
    assert (done.returncode, codes(done)) == (1, [("PFX101", "error", 8, 7)])


def test_code_without_a_prompt_is_clean(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import datetime\nprint(f'It is {datetime.datetime.now()}, and all is well')\n")
    (tmp_path / "compose.yaml").write_text("services:\n  web:\n    image: ${IMAGE}\n")
    done = run(tmp_path, "check", "--show-info")
    assert (done.returncode, done.stdout, done.stderr) == (0, "No faults found in 2 files (0 templates)\n", "")
