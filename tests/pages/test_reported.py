"""docs/faults.md: each kind has a report, and a case in which its rule finds it, with a mended twin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from expectations import markers
from lint import KNOWN

ROOT = Path(__file__).parents[2]
ROW = re.compile(
    r"^\| (?P<kind>[^|]+) \| (?P<reports>[^|]+) \| (?P<rule>PFX\d{3}) \| `(?P<case>\w+)` \|$", re.MULTILINE
)
ROWS = [match.groupdict() for match in ROW.finditer((ROOT / "docs" / "faults.md").read_text(encoding="utf-8"))]


def test_there_are_at_least_thirty_kinds() -> None:
    assert len(ROWS) >= 30
    for column in ("kind", "reports", "case"):
        assert len({row[column] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["case"])
def test_kind_has_a_report_and_a_case(row: dict[str, str]) -> None:
    links = re.findall(r"\[[^\]]+\]\((https://github\.com/[\w.-]+/[\w.-]+/(?:issues|pull)/\d+)\)", row["reports"])
    assert links
    assert row["rule"] in KNOWN
    folder = ROOT / "tests" / "cases" / row["case"]
    found = [file for file in folder.rglob("*") if file.is_file() and file.stem.startswith("fault")]
    expected = {
        marker.code
        for file in found
        for marker in markers(file.read_text(encoding="utf-8"), file.suffix)
        if marker.kind == "expect"
    }
    assert row["rule"] in expected
    assert any(file.stem.startswith("clean") for file in folder.rglob("*"))
