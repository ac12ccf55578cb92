"""``check --fix``, ``--unsafe-fixes`` and ``--diff``: what is printed, what is written, exit status."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner, Result
from prefixlint.cli import main as cli

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RULES = "".join(
    f"Rule {number}: a boat that comes in after dusk waits for pier {number} to clear.\n" for number in range(9)
)
CLOCK = f'''from datetime import datetime
from openai import OpenAI

client = OpenAI()


def ask(question):
    system = f"""Now: {{datetime.now()}}

{RULES}"""  # the harbour's rules
    return client.chat.completions.create(
        model="gpt-4o", messages=[{{"role": "system", "content": system}}, {{"role": "user", "content": question}}]
    )
'''
LISTING = f'''import os
from openai import OpenAI

client = OpenAI()


def ask(folder, question):
    names = ", ".join(os.listdir(folder))
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {{"role": "system", "content": f"Files: {{names}}\\n" + """{RULES}"""}},
            {{"role": "user", "content": question}},
        ],
    )
'''
SORTED = LISTING.replace("os.listdir(folder)", "sorted(os.listdir(folder))")


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command in ``tmp_path``, with all the real stages."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(cli.app, ["check", *arguments], input=stdin, standalone_mode=False)

    return invoke


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "clock.py").write_text(CLOCK)
    (tmp_path / "listing.py").write_text(LISTING)
    return tmp_path


def test_fix_makes_the_safe_ones_only(check: Callable[..., Result], folder: Path) -> None:
    done = check("--fix", "--output-format", "concise")
    assert done.return_value == 1
    assert "clock.py:8:23: PFX101" in done.stdout
    assert "listing.py" not in done.stdout
    assert "; 1 fixed" in done.stdout
    assert (folder / "listing.py").read_text() == SORTED
    assert (folder / "clock.py").read_text() == CLOCK


def test_unsafe_fixes_are_made_where_they_are_asked_for(check: Callable[..., Result], folder: Path) -> None:
    done = check("--fix", "--unsafe-fixes")
    assert done.return_value == 0, done.stdout
    text = (folder / "clock.py").read_text()
    assert text == CLOCK.replace("Now: {datetime.now()}\n\n", "", 1).replace(
        f'{RULES}"""', f'{RULES[:-1]}\n\nNow: {{datetime.now()}}\n"""'
    )
    again = check("--fix", "--unsafe-fixes")
    assert again.return_value == 0
    assert (folder / "clock.py").read_text() == text


def test_unsafe_fixes_without_fix_are_told_and_not_made(check: Callable[..., Result], folder: Path) -> None:
    done = check("--unsafe-fixes")
    assert "= unsafe fix: move the line `Now: {datetime.now()}` behind the text that stays the" in done.stdout
    assert "= safe fix: sort `os.listdir(folder)`" in done.stdout
    assert (folder / "clock.py").read_text() == CLOCK


def test_a_diff_changes_nothing_and_can_be_applied(check: Callable[..., Result], folder: Path) -> None:
    done = check("--unsafe-fixes", "--diff")
    assert done.return_value == 1
    assert done.stderr.endswith("Would fix 2 findings\n")
    assert (folder / "clock.py").read_text() == CLOCK
    subprocess.run(["patch", "-p0"], cwd=folder, input=done.stdout, text=True, check=True, capture_output=True)
    after = check("--unsafe-fixes", "--diff")
    assert (after.return_value, after.stdout, after.stderr) == (0, "", "Nothing to fix\n")


def test_json_tells_of_the_fix_and_sarif_holds_it(check: Callable[..., Result], folder: Path) -> None:
    found = json.loads(check("--unsafe-fixes", "--output-format", "json").stdout)["diagnostics"]
    assert [each["fix"]["applicability"] for each in found] == ["unsafe", "safe"]
    results = json.loads(check("--unsafe-fixes", "--output-format", "sarif").stdout)["runs"][0]["results"]
    changes = results[1]["fixes"][0]["artifactChanges"][0]["replacements"]
    assert [change["insertedContent"]["text"] for change in changes] == ["sorted(", ")"]


def test_standard_input_is_fixed_to_standard_output(check: Callable[..., Result], tmp_path: Path) -> None:
    done = check("--fix", "--stdin-filename", "listing.py", "-", stdin=LISTING)
    assert done.stdout == SORTED
    assert "No faults found" in done.stderr
    assert done.return_value == 0


def test_files_outside_the_arguments_are_not_touched(check: Callable[..., Result], tmp_path: Path) -> None:
    """The listing is made in another module, which is read on the way and was not named."""
    (tmp_path / "names.py").write_text("import os\n\n\ndef names(folder):\n    return ', '.join(os.listdir(folder))\n")
    text = LISTING.replace('", ".join(os.listdir(folder))', "names(folder)").replace(
        "import os", "from names import names"
    )
    (tmp_path / "app.py").write_text(text)
    before = (tmp_path / "names.py").read_text()
    assert check("--fix", "app.py").return_value == 1
    assert (tmp_path / "names.py").read_text() == before
    assert check("--fix").return_value == 0
    assert (tmp_path / "names.py").read_text() == before.replace("os.listdir(folder)", "sorted(os.listdir(folder))")


def test_what_the_baseline_knows_is_not_fixed(check: Callable[..., Result], folder: Path) -> None:
    check("--write-baseline", "base.txt")
    done = check("--baseline", "base.txt", "--fix", "--unsafe-fixes")
    assert done.return_value == 0
    assert re.search(r"No faults found .*; 2 in the baseline", done.stdout)
    assert (folder / "clock.py").read_text() == CLOCK


def test_wrong_use(check: Callable[..., Result], folder: Path) -> None:
    done = check("--fix", "--write-baseline", "base.txt")
    assert isinstance(done.exception, click.UsageError)
    assert done.exception.message.startswith("--write-baseline writes down what is there")
