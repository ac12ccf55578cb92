from __future__ import annotations

from prefixlint.api import LinterRule
from prefixlint.model.findings import Finding, Severity
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.sources import Position, SourceFile, Span
from prefixlint.suppress import Outcome, apply

KNOWN = ("PFX101", "PFX102", "PFX111", "PFX201", "PFX902")
ON = ("PFX101", "PFX102", "PFX201", "PFX902")


class Notice(LinterRule):
    code = "PFX902"
    name = "unused-suppression"
    since = "0"
    summary = ""


def at(code: str, line: int, path: str = "a.py") -> Finding:
    span = Span(path, Position(line, 1), Position(line, 2))
    return Finding(code, "name", Severity.ERROR, Confidence.CERTAIN, "message", span)


def outcome(text: str, *findings: Finding, active: tuple[str, ...] = ON, notice: bool = True) -> Outcome:
    file = SourceFile("a.py", text)
    return apply(
        findings, {"a.py": file}, known=KNOWN, active=active, off=("PFX111",), notice=Notice() if notice else None
    )


def lines_of(result: Outcome) -> list[tuple[str, int]]:
    return [(finding.code, finding.span.start.line) for finding in result.kept]


def told(result: Outcome) -> list[tuple[str, str]]:
    return [(note.severity.value, note.message) for note in result.notices]


def test_named_code_only() -> None:
    result = outcome("x = 1  # prefixlint: ignore[PFX101]\n", at("PFX101", 1), at("PFX102", 1))
    assert lines_of(result) == [("PFX102", 1)]
    assert told(result) == []


def test_several_codes_prefixes_and_case() -> None:
    text = "x = 1  # prefixlint: ignore[pfx1, PFX201] because it is rare\n"
    result = outcome(text, at("PFX101", 1), at("PFX102", 1), at("PFX201", 1))
    assert lines_of(result) == []
    assert told(result) == []


def test_all_codes() -> None:
    result = outcome("x = 1  # prefixlint: ignore\ny = 2\n", at("PFX101", 1), at("PFX201", 1), at("PFX201", 2))
    assert lines_of(result) == [("PFX201", 2)]


def test_whole_file() -> None:
    result = outcome("# prefixlint: ignore-file[PFX101]\n\nx = 1\n", at("PFX101", 3), at("PFX201", 3))
    assert lines_of(result) == [("PFX201", 3)]
    assert lines_of(outcome("x = 1\n# prefixlint: ignore-file\n", at("PFX101", 1), at("PFX201", 1))) == []


def test_findings_in_other_files_stay() -> None:
    assert lines_of(outcome("x = 1  # prefixlint: ignore\n", at("PFX101", 1, "b.py"))) == [("PFX101", 1)]


def test_unused_code_is_told_as_info_at_its_place() -> None:
    result = outcome("x = 1  # prefixlint: ignore[PFX101, PFX102]\n", at("PFX101", 1))
    assert told(result) == [("info", "unused suppression: no PFX102 here; remove it")]
    assert result.notices[0].code == "PFX902"
    assert (result.notices[0].span.start, result.notices[0].span.end) == (Position(1, 10), Position(1, 44))


def test_unused_for_all_codes() -> None:
    text = "x = 1  # prefixlint: ignore\n"
    assert told(outcome(text)) == [("info", "unused suppression: nothing to silence; remove it")]


def test_rules_that_did_not_run_do_not_make_it_unused() -> None:
    some = ("PFX201", "PFX902")
    assert told(outcome("x = 1  # prefixlint: ignore[PFX101]\n", active=some)) == []
    assert told(outcome("x = 1  # prefixlint: ignore\n", active=some)) == []
    assert told(outcome("x = 1  # prefixlint: ignore[PFX111]\n")) == []


def test_unknown_code_and_verb_are_warnings_with_a_hint() -> None:
    assert told(outcome("x = 1  # prefixlint: ignore[PFX10l]\n")) == [
        ("warning", "unknown rule code 'PFX10L' in suppression; did you mean 'PFX102'?")
    ]
    assert told(outcome("x = 1  # prefixlint: ingore[PFX101]\n")) == [
        ("warning", "unknown suppression 'ingore', not ignore or ignore-file; did you mean 'ignore'?")
    ]


def test_malformed_lists_silence_nothing() -> None:
    for text, message in (
        ("x = 1  # prefixlint: ignore[PFX101\n", "suppression without closing bracket is ignored"),
        ("x = 1  # prefixlint: ignore[]\n", "suppression with an empty list of codes is ignored"),
    ):
        result = outcome(text, at("PFX101", 1))
        assert lines_of(result) == [("PFX101", 1)]
        assert told(result) == [("warning", message)]


def test_notices_can_be_silenced_by_their_own_code() -> None:
    assert told(outcome("# prefixlint: ignore-file[PFX902]\nx = 1  # prefixlint: ignore[PFX101]\n")) == []


def test_no_notices_when_the_rule_does_not_run() -> None:
    assert told(outcome("x = 1  # prefixlint: ignore[NONE]\n", notice=False)) == []
