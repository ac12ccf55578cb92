"""A few hundred of the hostile inputs, and those that once were too much; the rest is for the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import hostile_inputs
import pytest
from hostile_inputs import OWN, ROOT, Figures, Input, faults, made, many, misplaced

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS = tuple(str(ROOT / each) for each in OWN)
HEAD = "from openai import OpenAI\nclient = OpenAI()\nprompt = "
ONCE_TOO_MUCH = {
    # Python reads no number of more than 4,300 digits, and neither does Jinja.
    "a number in Jinja": Input("prompts/a.jinja", b"You are {{ x[" + b"9" * 5000 + b"] }} {{ question }}"),
    "a condition of digits": Input(
        "prompts/a.jinja", b"You are {% if " + b"9" * 5000 + b" %}{{ question }}{% endif %}"
    ),
    # Behind a string of several lines the parser counts columns from its first one.
    "a place behind a text": Input("a.py", (HEAD + '"""' + "x" * 60 + '\nare\n"""\\u12 = 3\n').encode()),
}


@pytest.mark.parametrize("name", ONCE_TOO_MUCH)
def test_inputs_of_faults_that_were_found(tmp_path: Path, name: str) -> None:
    assert list(faults(ONCE_TOO_MUCH[name], str(tmp_path))) == []


def test_some_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hostile_inputs, "LONGEST", hostile_inputs.HANGS)  # other tests may run meanwhile
    figures = Figures()
    for _ in many(figures, 7, range(300), FOLDERS, os.getcwd()):
        pass
    assert figures.broken == []
    assert {".py", ".yaml", ".jinja", ".txt", ".ipynb"} <= figures.kinds.keys()


def test_the_same_number_is_the_same_input() -> None:
    assert [made(3, number, FOLDERS) for number in range(20)] == [made(3, number, FOLDERS) for number in range(20)]
    assert len({made(3, number, FOLDERS) for number in range(20)}) == 20


def test_a_place_outside_of_the_file_would_be_told(tmp_path: Path) -> None:
    from dataclasses import replace

    from prefixlint.config import Config
    from prefixlint.model.sources import Position, Span
    from prefixlint.run.pipeline import run

    result = run([], Config(root=str(tmp_path)), stdin=("a.py", (HEAD + "(").encode()))
    (finding,) = result.findings
    assert list(misplaced(result)) == []
    place = Position(3, 90)
    wrong = replace(finding, code="PFX101", span=Span("a.py", place, place))
    assert len(list(misplaced(replace(result, findings=(wrong,))))) == 3
