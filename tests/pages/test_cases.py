"""The cases: one folder a fault, with its clean twin, both marked."""

from __future__ import annotations

from pathlib import Path

import pytest
from expectations import markers
from lint import check_folder

CASES = sorted(path for path in (Path(__file__).parents[1] / "cases").iterdir() if path.is_dir())


def files_of(case: Path) -> list[Path]:
    return sorted(path for path in case.rglob("*") if path.is_file() and path.suffix != ".pyc")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    wrong = check_folder(case, files_of(case))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_has_a_marked_fault_and_a_clean_twin(case: Path) -> None:
    """``fault…`` files show the fault. ``clean…`` files show it mended: they may only say that nothing is there."""
    kinds = {True: set(), False: set()}
    for file in files_of(case):
        clean = file.stem.startswith("clean")
        kinds[clean] |= {marker.kind for marker in markers(file.read_text(encoding="utf-8"), file.suffix)}
    assert kinds[False] & {"expect", "todo"}
    assert kinds[True] <= {"ok", "todook"}
    assert any(file.stem.startswith("clean") for file in files_of(case))
