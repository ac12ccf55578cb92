"""What a project says of its own code and files, from its configuration to the findings of ``prefixlint check``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from prefixlint.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Check = Callable[..., list[tuple[str, str, str, int]]]

RULES = "Answer in the language of the question, in at most three short paragraphs, and never invent a price. " * 8


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Findings of a run over ``files`` (and a prefixlint.toml), with info: (code, lifetime, path, line)."""
    monkeypatch.chdir(tmp_path)

    def check(configuration: str, **files: str) -> list[tuple[str, str, str, int]]:
        (tmp_path / "prefixlint.toml").write_text(configuration)
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        with pytest.raises(SystemExit) as ended:
            main(("check", "--show-info", "--output-format", "json"))
        out, err = capsys.readouterr()
        assert (ended.value.code in (0, 1), err) == (True, "")
        found: list[dict[str, Any]] = json.loads(out)["diagnostics"]
        return [(each["code"], each["lifetime"], each["path"], each["start"]["line"]) for each in found]

    return check


def openai(value: str, before: str = "") -> str:
    return f'''\
import acme
from openai import OpenAI
{before}

def ask(question, zeta):
    system = f"""{{{value}}}
{RULES}"""
    return OpenAI().chat.completions.create(
        model="gpt-4o",
        messages=[{{"role": "system", "content": system}}, {{"role": "user", "content": question}}],
    )
'''


def test_a_source_of_a_library(check: Check) -> None:
    files = {"agent.py": openai("acme.weather.sky()")}
    assert check("", **files) == []
    assert check('[sources]\n"acme.weather.sky" = "request"', **files) == [("PFX105", "request", "agent.py", 6)]
    table = '[sources]\n"acme.weather.sky" = { kind = "retrieval", lifetime = "user" }'
    assert check(table, **files) == [("PFX104", "user", "agent.py", 6)]
    assert check('[sources]\n"acme.weather.sea" = "request"', **files) == []
    assert check("", **files) == []


def test_a_source_overrules_the_tables(check: Check) -> None:
    files = {"agent.py": openai("datetime.datetime.now()", "import datetime")}
    assert check("", **files) == [("PFX101", "request", "agent.py", 6)]
    assert check('[sources]\n"datetime.datetime.now" = "constant"', **files) == []


def test_a_source_by_the_bare_name_of_a_method(check: Check) -> None:
    files = {"agent.py": openai("acme.client().board.tide(3)")}
    assert check("", **files) == []
    assert check("[sources]\ntide = 'request'", **files) == [("PFX105", "request", "agent.py", 6)]


def test_names_in_python(check: Check) -> None:
    files = {"agent.py": openai("zeta")}
    assert check("", **files) == []
    assert check("[names]\nzeta = 'request'", **files) == [("PFX105", "request", "agent.py", 6)]
    assert check("[names]\nzeta = { lifetime = 'session', kind = 'id' }", **files) == [
        ("PFX102", "session", "agent.py", 6)
    ]


def test_names_can_silence(check: Check) -> None:
    files = {"agent.py": openai("question")}
    assert check("", **files) == [("PFX105", "request", "agent.py", 6)]
    assert check("[names]\nquestion = 'deployment'", **files) == [("PFX107", "deployment", "agent.py", 6)]
    assert check("[names]\nquestion = 'unknown'", **files) == []


def test_names_in_prompt_files(check: Check) -> None:
    files = {"prompts/answer.j2": "You are the clerk of {{ patient_zeta }}.\n" + RULES}
    assert check("", **files) == []
    assert check("[names]\n'*_zeta' = 'user'", **files) == [("PFX106", "user", "prompts/answer.j2", 1)]


LETTER = "Dear {customer},\n" + RULES.replace("Answer", "Written")


def test_template_files(check: Check) -> None:
    files = {"mail/letter.xyz": LETTER, "mail/old/letter.xyz": LETTER}
    found = [("PFX106", "user", "mail/letter.xyz", 1), ("PFX106", "user", "mail/old/letter.xyz", 1)]
    assert check("", **files) == []
    assert check("[templates]\ninclude = ['mail/**/*.xyz']", **files) == found
    assert check("[templates]\ninclude = ['*.xyz']\nexclude = ['mail/old']", **files) == found[:1]
    assert check("[templates]\ninclude = ['other/*.xyz']", **files) == []


def test_template_globs_count_from_the_configuration(check: Check, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "mail").mkdir()
    monkeypatch.chdir(tmp_path / "mail")
    found = check("[templates]\ninclude = ['mail/*.xyz']", **{"mail/letter.xyz": LETTER})
    assert found == [("PFX106", "user", "letter.xyz", 1)]


def test_template_keys(check: Check) -> None:
    files = {"settings.yaml": f"name: post\nwording: |\n  Dear {{customer}},\n  {RULES}\n"}
    assert check("", **files) == []
    assert check("[templates]\nkeys = ['wording']", **files) == [("PFX106", "user", "settings.yaml", 3)]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[tool.prefixlint.names]\nx = 'reqest'", "names.x.lifetime must be one of"),
        ("[tool.prefixlint.sources]\nx = {kind = 'clock'}", "sources.x has no lifetime"),
        ("[tool.prefixlint.sinks]\nx = {promt = 'p'}", "sinks.x: unknown key 'promt'; did you mean 'prompt'?"),
        ("[tool.prefixlint.templates]\ninclde = []", "templates: unknown key 'inclde'; did you mean 'include'?"),
        (
            "[tool.prefixlint]\nsources.now = 'day'\nsinks.now.prompt = 'p'",
            "'now' is under sources and under sinks; keep one",
        ),
    ],
)
def test_wrong_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], table: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(table)
    with pytest.raises(SystemExit) as ended:
        main(("check",))
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err.startswith(f"Error: pyproject.toml: {message}")
