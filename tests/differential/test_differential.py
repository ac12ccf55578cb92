"""The programs are executed under two clocks, two hash seeds and two users; what they send is what prefixlint predicts."""

from __future__ import annotations

import pytest
from differential_programs import Program, faults, programs, record

FOUND = programs()


@pytest.fixture(scope="session")
def recordings() -> dict[str, list[dict[str, object]]]:
    return record(FOUND)


@pytest.mark.parametrize("program", FOUND, ids=lambda program: program.name)
def test_what_is_sent_is_what_is_predicted(
    program: Program, recordings: dict[str, list[dict[str, object]]]
) -> None:
    for recording in recordings[program.name]:
        assert recording["error"] is None, recording["error"]
    wrong = faults(program, recordings[program.name])
    if program.gap is None:
        assert not wrong, "\n".join(wrong)
    else:
        assert wrong, f"the gap is closed: take the first line away ({program.gap})"


def test_every_fault_has_a_clean_twin() -> None:
    names = {program.name for program in FOUND}
    assert len(names) >= 120
    assert {name.rpartition("/")[0] + "/clean" for name in names} == {n for n in names if n.endswith("/clean")}
    assert sum(program.faulty for program in FOUND) * 2 == len(FOUND)


def test_every_fault_names_its_place() -> None:
    for program in FOUND:
        assert bool(program.marked()) is program.faulty, program.name
