"""The plugin in a pytest of its own, as users run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TEST = """
def test_recorded(llm_requests):
    for question in ("one", "two"):
        llm_requests.client.messages.create(model="claude-sonnet-4-5", system="Be brief.", messages=[
            {"role": "user", "content": question}])
    llm_requests.assert_stable_prefix(at_least=2)
    assert len(llm_requests.requests) == 2


def test_each_test_has_its_own(llm_requests):
    assert llm_requests.requests == []


def test_too_short(llm_requests):
    for question in ("one", "two"):
        llm_requests.client.responses.create(model="gpt-4o", input=question)
    llm_requests.assert_stable_prefix(at_least=50)
"""
HEAVY = ("prefixlint.run", "prefixlint.rulebase", "prefixlint.model", "click", "tiktoken", "libcst", "jinja2", "ruamel")


def python(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    places = os.pathsep.join(os.path.abspath(place) for place in sys.path if place)
    # Without entry points: the plugin is named, and was perhaps installed before it had one.
    environment = {**os.environ, "PYTHONPATH": places, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def test_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_desk.py").write_text(TEST)
    done = python("-m", "pytest", "-q", "-p", "prefixlint.testing.plugin", "test_desk.py", cwd=tmp_path)
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    # The failure points at the test's own line, not into the package.
    line = TEST.splitlines().index("    llm_requests.assert_stable_prefix(at_least=50)") + 1
    assert f"test_desk.py:{line}: AssertionError" in done.stdout, done.stdout
    assert "comparing.py" not in done.stdout


def test_importing_it_costs_next_to_nothing() -> None:
    done = python("-c", "import pytest, sys; before = set(sys.modules); import prefixlint.testing.plugin; "
                  "print(*sorted(set(sys.modules) - before))")  # fmt: skip
    loaded = done.stdout.split()
    assert "prefixlint.testing.plugin" in loaded
    assert not [name for name in loaded if name.startswith(HEAVY)]
    assert sum(name.startswith("prefixlint") for name in loaded) <= 6
