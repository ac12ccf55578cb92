"""Several processes find what one finds, and a worker that dies is stood in for."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python import batches, workers
from prefixlint.frontends.python.analyse import analyse
from prefixlint.frontends.python.batches import run_batch
from prefixlint.frontends.python.root_runs import run_function
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.frontends.python.batches import Batch, Result
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.root_runs import Outcome
    from prefixlint.model.templates import Extraction

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are forks")

RULES = "Answer in one sentence. Speak of nothing but the weather of the day. " * 8
HELPER = """
def build(question, tone):
    return f"In a {tone} tone. Question: {question}\\n" + open("rules.txt").read()
"""
CALLER = """
import openai
from datetime import datetime
from helper import build

def ask_{n}(question):
    prompt = build(question, "{n}")
    return openai.OpenAI().chat.completions.create(model="gpt-4o", messages=[{{"role": "user", "content": prompt}}])

def note_{n}(client):
    prompt = f"It is {{datetime.now()}}. {rules}"
    return client.chat.completions.create(model="gpt-4o", messages=[{{"role": "system", "content": prompt}}])
"""


TEXTS = {
    "helper.py": HELPER,
    "rules.txt": RULES,
    **{f"caller_{n}.py": CALLER.format(n=n, rules=RULES) for n in range(6)},
}
FILES = {path: SourceFile(path, text) for path, text in TEXTS.items()}


def found(jobs: int) -> tuple[dict[str, Extraction], list[str]]:
    """What is found, and the files that were asked for."""
    asked: list[str] = []

    def read(path: str) -> SourceFile | None:
        asked.append(path)
        return FILES.get(path)

    python = [file for path, file in FILES.items() if path.endswith(".py")]
    return dict(analyse(python, read, jobs=jobs)), asked


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "FEWEST", 1)


@pytest.fixture
def alone() -> tuple[dict[str, Extraction], list[str]]:
    return found(1)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("jobs", [2, 3, 16])
def test_any_number_of_processes_finds_the_same(alone: tuple[dict[str, Extraction], list[str]], jobs: int) -> None:
    together, asked = found(jobs)
    assert sum(len(extraction.templates) for extraction in alone[0].values()) >= 12
    assert together == alone[0]
    assert list(together) == list(alone[0])
    assert set(asked) == set(alone[1])
    assert "rules.txt" in asked


@pytest.mark.usefixtures("eager")
def test_what_a_dead_worker_leaves_is_found_all_the_same(
    alone: tuple[dict[str, Extraction], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = os.getpid()
    here: list[str] = []

    def deadly(batch: Batch, interpreter: Interpreter) -> Result:
        if os.getpid() != parent and batch.path in ("caller_2.py", "caller_3.py"):
            os.kill(os.getpid(), signal.SIGKILL)
        if os.getpid() == parent:
            here.append(batch.path)
        return run_batch(batch, interpreter)

    monkeypatch.setattr(workers, "run_batch", deadly)
    together, _ = found(2)
    assert together == alone[0]
    assert {"caller_2.py", "caller_3.py"} <= set(here)


@pytest.mark.usefixtures("eager")
def test_faults_of_ours_come_back_from_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(interpreter: Interpreter, info: FunctionInfo) -> Outcome:
        if info.name == "ask_1":
            raise ValueError("no")
        return run_function(interpreter, info)

    monkeypatch.setattr(batches, "run_function", faulty)
    together, _ = found(2)
    (fault,) = together["caller_1.py"].faults
    assert (fault.where, fault.error) == ("caller_1.py:6:ask_1", "ValueError: no")
    assert not any(extraction.faults for path, extraction in together.items() if path != "caller_1.py")


@pytest.mark.usefixtures("eager")
def test_more_batches_than_a_pipe_holds_tickets_for(
    alone: tuple[dict[str, Extraction], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_PIPE_BYTES", 8)
    assert found(2)[0] == alone[0]


def test_few_functions_start_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("forked"))
    found(4)


def test_ticket_shares_hold_every_batch_once() -> None:
    order = list(range(2500))
    shares = workers._shares(order)
    assert len(shares) == 1024
    assert sorted(number for share in shares for number in share) == order
