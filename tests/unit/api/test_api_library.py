"""The functions of ``prefixlint.api``: what the command line says, as values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from prefixlint.api import ConfigError, Lifetime, Severity, check_paths, check_source, report
from prefixlint.cli.check import check as check_command
from prefixlint.tokens import get_tokenizer

if TYPE_CHECKING:
    from pathlib import Path

RULES = "Answer in one short sentence, name the page of the handbook, and never guess a price. " * 12
STAMPED = f'''\
from datetime import datetime
from openai import OpenAI

RULES = """{RULES}"""

def answer(question: str) -> object:
    return OpenAI().chat.completions.create(
        model="gpt-4o",
        messages=[
            {{"role": "system", "content": f"It is {{datetime.now():%H:%M}}.\\n\\n{{RULES}}"}},
            {{"role": "user", "content": question}},
        ],
    )
'''
MENDED = STAMPED.replace('f"It is {datetime.now():%H:%M}.\\n\\n{RULES}"', "RULES")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "desk.py"
    path.write_text(STAMPED)
    return path


def test_findings_are_those_of_the_command_line(file: Path) -> None:
    result = check_paths([file])
    printed = CliRunner().invoke(check_command, [str(file), "--output-format", "json"], standalone_mode=False)
    (told,) = json.loads(printed.output)["diagnostics"]
    (finding,) = result.findings
    assert (finding.code, finding.message) == (told["code"], told["message"])
    assert (finding.span.start.line, finding.span.start.column) == (10, 51)
    assert finding.lifetime is Lifetime.REQUEST
    assert result.at_least(Severity.ERROR) == (finding,)


def test_a_text_stands_for_the_file_whatever_the_disk_says(file: Path) -> None:
    assert check_source(MENDED, file).findings == ()
    assert [finding.code for finding in check_source(STAMPED, "not_there.py").findings] == ["PFX101"]
    assert [finding.code for finding in check_source(STAMPED.encode(), "not_there.py").findings] == ["PFX101"]


def test_the_stable_prefix_is_the_text_in_front_in_tokens(file: Path) -> None:
    file.write_text(MENDED)
    (layout,) = report([file], targets=["openai:gpt-4o"]).layouts
    # The rules, and the framing that OpenAI documents for each message: 3 tokens and the role.
    rules = len(get_tokenizer("o200k_base").encode(RULES))
    assert rules < layout.stable_prefix_tokens <= rules + 2 * 4
    (prediction,) = layout.predictions
    assert (prediction.engine, prediction.cached_tokens) == ("openai", 0)
    assert report([file]).findings == ()


def test_selection_and_configuration(file: Path, tmp_path: Path) -> None:
    assert check_paths([file], ignore=["pfx1"]).findings == ()
    assert check_paths([file], select=["PFX102"]).findings == ()
    own = tmp_path / "elsewhere.toml"
    own.write_text('ignore = ["PFX101"]\n')
    assert check_paths([file], config=own).findings == ()
    assert len(check_paths([file], config=own, select=["PFX101"]).findings) == 1


def test_what_cannot_be_used_is_an_error(file: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.py"):
        check_paths(["nowhere.py"])
    with pytest.raises(TypeError, match="a list of paths"):
        check_paths(str(file))
    with pytest.raises(ValueError, match="no path"):
        report([])
    with pytest.raises(ConfigError, match="PFX999"):
        check_paths([file], select=["PFX999"])
    with pytest.raises(ConfigError, match="openia"):
        check_paths([file], targets=["openia:gpt-4o"])


def test_a_file_that_is_no_python_is_a_problem_and_a_finding() -> None:
    result = check_source(STAMPED + "def broken(:\n", "desk.py")
    assert [finding.code for finding in result.findings] == ["PFX901"]
    assert result.problems[0].position.line == STAMPED.count("\n") + 1
