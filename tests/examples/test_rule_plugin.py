"""The example package with a rule of its own, installed as users would install it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = "Answer in one short sentence, name the page of the handbook, and never guess a price. " * 80
PROGRAM = f'''\
from datetime import datetime
from openai import OpenAI

RULES = """{RULES}"""


def answer(question: str) -> object:
    return OpenAI().chat.completions.create(
        model="gpt-4o",
        messages=[
            {{"role": "system", "content": f"It is {{datetime.now():%H:%M}}. {{RULES}}"}},
            {{"role": "user", "content": question}},
        ],
    )
'''


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in it, built without a network."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--target", str(folder), str(ROOT / "examples/rule_plugin")],
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def prefixlint(place: Path | None, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    own = [os.path.abspath(each) for each in sys.path if each]
    places = [str(place), *own] if place is not None else own
    return subprocess.run(
        [sys.executable, "-m", "prefixlint", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_it_is_there_once_it_is_installed(place: Path, tmp_path: Path) -> None:
    assert "ACME001" in prefixlint(place, "rules", cwd=tmp_path).stdout
    assert "ACME001" not in prefixlint(None, "rules", cwd=tmp_path).stdout
    assert prefixlint(place, "explain", "ACME001", cwd=tmp_path).stdout.startswith("# short-prefix (ACME001)")


def test_it_finds_is_configured_and_suppressed(place: Path, tmp_path: Path) -> None:
    def found(*arguments: str) -> list[dict[str, object]]:
        done = prefixlint(place, "check", "--output-format", "json", *arguments, "desk.py", cwd=tmp_path)
        assert done.stderr == ""
        found: list[dict[str, object]] = json.loads(done.stdout)["diagnostics"]
        return found

    (tmp_path / "desk.py").write_text(PROGRAM)
    codes = sorted(str(each["code"]) for each in found())
    assert codes == ["ACME001", "PFX101"]
    (own,) = found("--select", "ACME001")
    assert re.fullmatch(r"the stable prefix has \d+ of 1,\d{3} tokens, and we agreed on 1,024", str(own["message"]))
    assert own["url"] is None
    (tmp_path / "prefixlint.toml").write_text("[rules.ACME001]\nmin-prefix = 4\n")
    assert found("--select", "ACME001") == []
    (tmp_path / "prefixlint.toml").write_text("[rules.ACME001]\nmin-pefix = 4\n")
    done = prefixlint(place, "check", "desk.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "has no option 'min-pefix'; it has: min-prefix, min-prompt" in done.stderr
    (tmp_path / "prefixlint.toml").unlink()
    (tmp_path / "desk.py").write_text(PROGRAM.replace("    return OpenAI", "    # prefixlint: ignore\n    return OpenAI"))
    assert found() == []
