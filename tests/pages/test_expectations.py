"""The markers themselves: a harness that cannot fail would prove nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from expectations import disagreements, markers
from prefixlint.api import Confidence, Finding, Position, Severity, Span

if TYPE_CHECKING:
    from pathlib import Path


def finding(path: Path, line: int, code: str = "PFX101", expression: str = "datetime.now()") -> Finding:
    span = Span(str(path), Position(line, 1), Position(line, 2))
    return Finding(code, "some-rule", Severity.ERROR, Confidence.HIGH, "message", span, expression=expression)


def scope(text: str, suffix: str) -> list[tuple[int, int]]:
    return [(marker.first, marker.last) for marker in markers(text, suffix)]


def test_python_marker_covers_the_statement_below() -> None:
    assert scope("# expect: PFX101 `x`\n# ok: PFX102\na = f'''\n{x}\n'''\nb = 1\n", ".py") == [(3, 5), (3, 5)]


def test_python_marker_covers_an_element_of_a_list() -> None:
    text = "m = [\n    # expect: PFX101\n    {'a': 1,\n     'b': x},\n    {'c': 2},\n]\n"
    assert scope(text, ".py") == [(3, 4)]


def test_yaml_marker_covers_the_key_and_what_is_under_it() -> None:
    assert scope("a: 1\n# expect: PFX105 `q`\nb: |\n  x\n\n  {q}\nc: 2\n", ".yaml") == [(3, 6)]


def test_jinja_marker_covers_the_line_below() -> None:
    assert scope("{# expect: PFX101 `now()` #}\n{{ now() }}\ntext\n", ".jinja") == [(2, 2)]


def test_marker_for_a_file_without_comments(tmp_path: Path) -> None:
    program, prompt = tmp_path / "a.py", tmp_path / "prompts" / "system.txt"
    prompt.parent.mkdir()
    prompt.write_text("It is {now}.\n")
    program.write_text("# expect: PFX101 `now` at prompts/system.txt:1\nx = 1\n")
    there = finding(prompt, 1, expression="now")
    assert disagreements([program, prompt], [there]) == []
    assert [line.split(": ")[1] for line in disagreements([program, prompt], [finding(prompt, 2)])] == [
        "missing",
        "unexpected",
    ]


@pytest.mark.parametrize("text", ["# expect: 101\nx = 1\n", "# todo: PFX101 now()\nx = 1\n", "x = 1\n# ok: PFX101\n"])
def test_a_marker_that_says_nothing_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="line"):
        markers(text, ".py")


@pytest.mark.parametrize(
    ("kind", "found", "said"),
    [
        ("expect", True, []),
        ("expect", False, ["missing"]),
        ("ok", True, ["false alarm"]),
        ("ok", False, []),
        ("todo", True, ["found now"]),
        ("todo", False, []),
        ("todook", True, []),
        ("todook", False, ["gone now"]),
    ],
)
def test_verdicts(kind: str, found: bool, said: list[str], tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(f"# {kind}: PFX101 `now()`\nx = 1\n")
    lines = disagreements([file], [finding(file, 2)] if found else [])
    assert [
        next(word for word in ["missing", "false alarm", "found now", "gone now", "unexpected"] if word in line)
        for line in lines
    ] == said


@pytest.mark.parametrize(
    ("line", "code", "expression"), [(3, "PFX101", "now()"), (2, "PFX102", "now()"), (2, "PFX101", "today()")]
)
def test_a_finding_elsewhere_or_of_another_kind_is_unexpected(
    line: int, code: str, expression: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.py"
    file.write_text("# expect: PFX101 `now()`\nx = 1\ny = 2\n")
    lines = disagreements([file], [finding(file, line, code, expression)])
    assert len(lines) == 2
    assert "missing" in lines[0]
    assert "unexpected" in lines[1]
