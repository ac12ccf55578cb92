"""Programs are executed under two clocks, two hash seeds and two users: they send what prefixlint predicts."""

from __future__ import annotations

import pytest
from differential_programs import Program, Recording, disagreements, faults, lint, programs, record

FOUND = programs()
BY_NAME = {program.name: program for program in FOUND}
PAIRS = sorted({name.rpartition("/")[0] for name in BY_NAME})
Recordings = dict[str, list[Recording]]


@pytest.fixture(scope="session")
def recordings() -> Recordings:
    return record(FOUND)


@pytest.mark.parametrize("program", FOUND, ids=lambda program: program.name)
def test_what_is_sent_is_what_is_predicted(program: Program, recordings: Recordings) -> None:
    for recording in recordings[program.name]:
        assert recording.error is None, recording.error
    result = lint(program)
    assert not result.crashes, result.crashes[0].traceback
    wrong = faults(program, result, recordings[program.name])
    if program.gap is None:
        assert not wrong, "\n".join(wrong)
    else:
        assert wrong, f"the gap is closed: take the first line away ({program.gap})"


@pytest.mark.parametrize("pair", PAIRS)
def test_a_layout_does_not_fit_what_its_twin_sends(pair: str, recordings: Recordings) -> None:
    """Shows that the comparison can fail: twins differ in nothing but the order or what makes a value stable."""
    fault, clean = BY_NAME[f"{pair}/fault"], BY_NAME[f"{pair}/clean"]
    if fault.gap is None:
        assert disagreements(lint(fault).layouts, recordings[clean.name])
    if clean.gap is None:
        assert disagreements(lint(clean).layouts, recordings[fault.name])


def test_every_fault_has_a_clean_twin() -> None:
    assert len(FOUND) >= 120
    assert sorted(BY_NAME) == sorted(f"{pair}/{half}" for pair in PAIRS for half in ("clean", "fault"))


@pytest.mark.parametrize("program", FOUND, ids=lambda program: program.name)
def test_faults_name_their_place(program: Program) -> None:
    assert bool(program.marked()) is program.faulty
