from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.model.findings import Finding, Severity
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.sources import Position, Span
from prefixlint.report import lines
from prefixlint.report.escape import json_text, plain
from prefixlint.run.result import RunResult


def test_concise(result: RunResult) -> None:
    assert lines.concise(result.findings) == (
        "app/agent.py:4:15: PFX101 error `now()` changes with every request; move it behind them\n"
        "app/old.py:3:7: PFX901 warning cannot be parsed: print statement\n"
        "app/zero.py:1:3: PFX902 info unused suppression: no PFX104 here; remove it\n"
    )


def test_github(result: RunResult) -> None:
    finding = replace(
        result.findings[0], message="100% of\nit, a: b", span=replace(result.findings[0].span, path="a,b:c.py")
    )
    assert lines.github([finding, result.findings[2]]) == (
        "::error file=a%2Cb%3Ac.py,line=4,col=15,endLine=4,endColumn=22,title=PFX101 volatile-timestamp"
        "::100%25 of%0Ait, a: b\n"
        "::notice file=app/zero.py,line=1,col=3,endLine=1,endColumn=29,title=PFX902 unused-suppression"
        "::unused suppression: no PFX104 here; remove it\n"
    )


def test_github_over_several_lines_names_no_end_column() -> None:
    span = Span("a.py", Position(1, 9), Position(3, 2))
    finding = Finding("PFX101", "n", Severity.WARNING, Confidence.HIGH, "m", span)
    assert lines.github([finding]) == "::warning file=a.py,line=1,col=9,endLine=3,title=PFX101 n::m\n"


def unescaped(text: str) -> str:
    """As the runner reads a command's data: its own parser's four replacements."""
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


@given(
    st.text(st.characters(min_codepoint=9, max_codepoint=126)),
    st.text(st.characters(min_codepoint=9, max_codepoint=126)),
)
def test_github_commands_cannot_be_injected_into(message: str, path: str) -> None:
    finding = Finding(
        "PFX101", "n", Severity.ERROR, Confidence.HIGH, message, Span(path, Position(1, 1), Position(1, 2))
    )
    text = lines.github([finding])
    found = re.fullmatch(
        r"::error file=([^,:\n\r]*),line=1,col=1,endLine=1,endColumn=2,title=PFX101 n::([^\n\r]*)\n", text
    )
    assert found is not None
    printable = re.compile(r"[^\x00-\x09\x0b\x0c\x0e-\x1f\x7f]*")
    if printable.fullmatch(message):
        assert unescaped(found[2]) == message
    if printable.fullmatch(path):
        assert unescaped(found[1]) == path


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a ::error::b", "a \\x3a:error::b"),
        ("::set-output name=a::b", "\\x3a:set-output name=a::b"),
        ("std::vector and x[::2]", "std::vector and x[::2]"),
        ("a##vso[task.complete]", "a\\x23#vso[task.complete]"),
        ("##[error]", "\\x23#[error]"),
        ("## Rules [1]", "## Rules [1]"),
    ],
)
def test_commands_of_build_servers_are_text(text: str, shown: str) -> None:
    assert plain(text) == shown
    assert json.loads(json_text({"a": text})) == {"a": text}


def test_json_is_read_as_it_was_and_shows_no_hidden_character() -> None:
    text = "é漢🙂 \x1b\x9b\u202e\u2028\U000e0041 ##vso[a] # a::b"
    written = json_text([text])
    assert json.loads(written) == [text]
    assert "é漢🙂 " in written
    assert not [char for char in written if char != "\n" and not char.isprintable()]


def test_summary(result: RunResult) -> None:
    assert lines.summary(result, result.findings[:2]) == (
        "Found 1 error, 1 warning in 12 files (1 template); 1 info hidden (--show-info)\n"
    )
    assert lines.summary(result, result.findings) == "Found 1 error, 1 warning, 1 info in 12 files (1 template)\n"
    assert lines.summary(replace(result, suppressed=1200), result.findings[:1]) == (
        "Found 1 error in 12 files (1 template); 1 info hidden (--show-info); 1,200 suppressed\n"
    )
    assert lines.summary(RunResult(files=1), ()) == "No faults found in 1 file (0 templates)\n"


def test_statistics(result: RunResult) -> None:
    assert lines.statistics([*result.findings, result.findings[1]]) == (
        "2  PFX901  file-not-analysed\n"
        "1  PFX101  volatile-timestamp  1,803 tokens stranded\n"
        "1  PFX902  unused-suppression\n"
    )
    assert lines.statistics([]) == ""
