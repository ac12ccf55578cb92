import pytest
from prefixlint.config.selection import Selection, enabled


@pytest.mark.parametrize(
    ("code", "default", "layers", "expected"),
    [
        ("PFX101", True, [], True),
        ("PFX111", False, [], False),
        ("PFX101", True, [Selection(select=("PFX2",))], False),
        ("PFX201", True, [Selection(select=("PFX2",))], True),
        ("PFX201", True, [Selection(select=("PFX",))], True),
        ("PFX101", True, [Selection(ignore=("PFX1",))], False),
        ("PFX101", True, [Selection(ignore=("PFX101",))], False),
        # The longer prefix wins, ignore wins a tie.
        ("PFX101", True, [Selection(select=("PFX101",), ignore=("PFX1",))], True),
        ("PFX102", True, [Selection(select=("PFX101",), ignore=("PFX1",))], False),
        ("PFX101", True, [Selection(select=("PFX1",), ignore=("PFX1",))], False),
        # A rule that is off by default needs its whole code.
        ("PFX111", False, [Selection(select=("PFX1",))], False),
        ("PFX111", False, [Selection(select=("PFX111",))], True),
        ("PFX111", False, [Selection(extend=("PFX111",))], True),
        ("PFX101", True, [Selection(extend=("PFX111",))], True),
        # A later layer over an earlier one.
        ("PFX101", True, [Selection(ignore=("PFX101",)), Selection(select=("PFX1",))], True),
        ("PFX101", True, [Selection(select=("PFX1",)), Selection(ignore=("PFX101",))], False),
        ("PFX101", True, [Selection(ignore=("PFX1",)), Selection(extend=("PFX101",))], True),
        ("PFX201", True, [Selection(select=("PFX2",)), Selection(select=("PFX1",))], False),
    ],
)
def test_enabled(code: str, default: bool, layers: list[Selection], expected: bool) -> None:
    assert enabled(code, default, layers) is expected
