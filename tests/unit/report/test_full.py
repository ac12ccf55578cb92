from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.model.findings import Fix, Related
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.sources import Position, Span
from prefixlint.report.full import render
from prefixlint.report.style import Style

if TYPE_CHECKING:
    from prefixlint.run.result import RunResult

EXPECTED = """\
error[PFX101]: `now()` changes with every request; move it behind them
 --> app/agent.py:4:15
  │
3 │ PROMPT = f\"\"\"You are the assistant of ACME.
4 │ Current time: {now()}. User: {user}
  │               ^^^^^^^ lasts one request
  ┼── stable prefix 10 of 1,813 stable tokens │ stranded 1,803 ──
5 │ Answer in one sentence.
6 │ Never invent a price.
  │
 ::: app/clock.py:5:9
  │
5 │     return datetime.datetime.now()
  │            ----------------------- created here
  │
 ::: app/agent.py:8:1
  │
8 │ client.chat.completions.create(model="gpt-4o", messages=[{"role": "system", "content": PROMPT}])
  │ ------------------------------ sent here
  │
  = see https://example.org/volatile-timestamp/

warning[PFX901]: cannot be parsed: print statement
 --> app/old.py:3:7
  = prefixlint explain PFX901

"""


def test_golden(result: RunResult) -> None:
    assert render(result, result.findings[:2], Style()) == EXPECTED


def test_without_drawing_characters_it_is_ascii(result: RunResult) -> None:
    text = render(result, result.findings[:2], Style(drawing=False))
    assert text.isascii()
    assert text == EXPECTED.replace("┼──", "+--").replace(" ──\n", " --\n").replace("│", "|")


def test_colour_changes_nothing_but_colour(result: RunResult) -> None:
    import re

    text = render(result, result.findings[:2], Style(colour=True))
    assert "\x1b[1;31merror[PFX101]\x1b[0m" in text
    # Stranded text is dimmed.
    assert "\x1b[2mAnswer in one sentence.\x1b[0m" in text
    assert re.sub(r"\x1b\[[\d;]*m", "", text) == EXPECTED


def test_a_finding_that_is_not_the_breakpoint_says_what_precedes_it(result: RunResult) -> None:
    finding = result.findings[0]
    span = Span("app/agent.py", Position(4, 30), Position(4, 36))
    later = replace(
        finding, span=span, related=(), stable_tokens_before=21, stranded_tokens=1, history_stranded=True, url=""
    )
    assert render(result, [later], Style()) == (
        "error[PFX101]: `now()` changes with every request; move it behind them\n"
        " --> app/agent.py:4:30\n"
        "  │\n"
        '3 │ PROMPT = f"""You are the assistant of ACME.\n'
        "4 │ Current time: {now()}. User: {user}\n"
        "  │                              ^^^^^^ lasts one request\n"
        "  ┼── 21 tokens in front │ stranded 1 and the conversation ──\n"
        "5 │ Answer in one sentence.\n"
        "6 │ Never invent a price.\n"
        "  │\n"
        "  = prefixlint explain PFX101\n"
        "\n"
    )


def test_fix_more_places_and_long_message(result: RunResult) -> None:
    finding = result.findings[0]
    several = replace(
        finding,
        message="word " * 40,
        related=finding.related * 3,
        fix=Fix("unsafe", "move the line to the end"),
        lifetime=Lifetime.DAY,
    )
    text = render(result, [several], Style(width=60))
    head = text.split(" -->")[0]
    assert all(len(line) <= 60 for line in head.splitlines())
    assert " ".join(head.split()) == "error[PFX101]: " + " ".join(["word"] * 40)
    assert "  = and 2 more places\n  = unsafe fix: move the line to the end\n" in text
    # A day is no lifetime of one request or user: nothing is claimed below the value.
    assert "              ^^^^^^^\n" in text


def test_a_block_that_a_value_elsewhere_spoils_is_not_said_to_change(result: RunResult) -> None:
    finding = replace(result.findings[0], stranded_tokens=0, related=(), url="")
    block = replace(finding, span=Span("app/agent.py", Position(5, 1), Position(6, 23)))
    assert "5 │ Answer in one sentence.\n  │ ^^^^^^^^^^^^^^^^^^^^^^^…\n" in render(result, [block], Style())
    assert "^^^^^^^ lasts one request\n" in render(result, [finding], Style())


def test_the_breakpoint_has_the_numbers_of_the_report(result: RunResult) -> None:
    """Requests can share the beginning of the value itself: 12 tokens, though 10 stand in front of it."""
    layout = replace(result.layouts[0], stable_prefix_tokens=12)
    text = render(replace(result, layouts=(layout,)), result.findings[:1], Style())
    assert "┼── stable prefix 12 of 1,813 stable tokens │ stranded 1,803 ──\n" in text


def test_places_on_one_line_share_it_and_those_within_the_value_are_left_out(result: RunResult) -> None:
    created, sent = result.findings[0].related
    returned = Related(replace(created.span, start=Position(5, 2)), "returned here")
    inner = Related(Span("app/agent.py", Position(4, 16), Position(4, 19)), "called here")
    missing = Related(Span("app/gone.py", Position(7, 2), Position(7, 3)), "passed here")
    finding = replace(result.findings[0], related=(created, returned, inner, missing, sent), url="")
    assert render(result, [finding], Style()).split("  │\n", 2)[2] == (
        " ::: app/clock.py:5:9\n"
        "  │\n"
        "5 │     return datetime.datetime.now()\n"
        "  │            ----------------------- created here\n"
        "  │     ------------------------------ returned here\n"
        "  │\n"
        " ::: app/gone.py:7:2 passed here\n"
        " ::: app/agent.py:8:1\n"
        "  │\n"
        '8 │ client.chat.completions.create(model="gpt-4o", messages=[{"role": "system", "content": PROMPT}])\n'
        "  │ ------------------------------ sent here\n"
        "  │\n"
        "  = prefixlint explain PFX101\n"
        "\n"
    )


def test_hostile_text_cannot_reach_the_terminal(result: RunResult) -> None:
    hostile = "\x1b]0;owned\x07\x1b[2J\u202e\u2028\r\n"
    finding = replace(
        result.findings[0],
        message=hostile,
        span=replace(result.findings[0].span, path=f"a{hostile}.py"),
        related=(replace(result.findings[0].related[0], note=hostile),),
        fix=Fix("safe", hostile),
        url=hostile,
    )
    text = render(result, [finding], Style())
    assert not set(text) & set("\x1b\x07\u202e\u2028\r")
    assert "a\\x1b]0;owned\\x07\\x1b[2J\\u202e\\u2028\\r\\n.py:4:15" in text
