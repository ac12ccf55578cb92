from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from prefixlint.model.layouts import SharedPrefix
from prefixlint.model.lifetimes import Lifetime
from prefixlint.report import markdown, table
from prefixlint.report.escape import plain
from prefixlint.report.style import Style
from prefixlint.run.result import RunResult

if TYPE_CHECKING:
    from prefixlint.model.layouts import Layout

EXPECTED = """\
█ stable prefix, reused   ░ stranded: stable, but behind the breakpoint   · varying

app/agent.py:3 PROMPT  openai-chat
  █░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░· 1,824 tokens: openai, gpt-4o, counted with o200k_base
  stable prefix  10 of 1,813 stable tokens, 1,803 stranded
  breakpoint     token 9 to 10 at app/agent.py:4:15  `now()` (request)
  shared within  user 10 (1,790 after a fix)
  unknown        1 value of unknown lifetime
  predicted      openai reuses 0, 1,792 after a fix (below the minimum of 1,024 tokens; kept 5
                 minutes without use)
                 vllm reuses 0, 1,808 after a fix

also lost by, whatever the prompt says:
  openai  another model

1 template in 12 files; 1,803 stable tokens stranded in 1 template; 1 value of unknown lifetime; \
1 file not analysed (see prefixlint check)
"""


def test_golden(result: RunResult) -> None:
    assert table.render(result, Style()) == EXPECTED


def test_colour_and_plain_characters(result: RunResult) -> None:
    coloured = table.render(result, Style(colour=True))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == EXPECTED
    assert coloured != EXPECTED
    assert table.render(result, Style(drawing=False)).isascii()


def test_template_without_a_breakpoint(result: RunResult) -> None:
    layout = replace(
        result.layouts[0],
        breakpoint=None,
        stranded_tokens=0,
        placed=(),
        shared_prefix=(),
        predictions=(),
        total_tokens=10,
    )
    assert table.render(replace(result, layouts=(layout,), problems=()), Style()).split("\n\n", 1)[1] == (
        "app/agent.py:3 PROMPT  openai-chat\n"
        "  ████████████████████████████████████████ 10 tokens: openai, gpt-4o, counted with o200k_base\n"
        "  stable prefix  10 of 1,813 stable tokens\n"
        "  breakpoint     none: nothing in it is known to change\n"
        "\n"
        "1 template in 12 files; 0 stable tokens stranded in 0 templates\n"
    )


def test_scopes_that_share_the_same_are_drawn_together(result: RunResult) -> None:
    shared = [("process", 10), ("day", 10), ("user", 900), ("session", 900), ("turn", 901)]
    prefixes = tuple(SharedPrefix(Lifetime(name), tokens) for name, tokens in shared)
    layout = replace(result.layouts[0], shared_prefix=prefixes)
    text = table.render(replace(result, layouts=(layout,)), Style())
    assert "  shared within  process to day 10, user to session 900, turn 901\n" in text


def test_long_rows_go_on_below_their_beginning(result: RunResult) -> None:
    layout = result.layouts[0]
    far = replace(layout.predictions[1], note="one at the end of the stable part would keep 1,808 tokens")
    layout = replace(layout, predictions=(far,), shared_prefix=(), placed=())
    text = table.render(replace(result, layouts=(layout,), problems=()), Style(width=72)).split("\n\n")[1]
    assert text == (
        "app/agent.py:3 PROMPT  openai-chat\n"
        "  █░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░· 1,824 tokens: openai, gpt-4o,\n"
        "                                           counted with o200k_base\n"
        "  stable prefix  10 of 1,813 stable tokens, 1,803 stranded\n"
        "  breakpoint     token 9 to 10 at app/agent.py:4:15  `now()` (request)\n"
        "  predicted      vllm reuses 0, 1,808 after a fix (one at the end of the\n"
        "                 stable part would keep 1,808 tokens)"
    )


def test_nothing_to_show() -> None:
    assert table.render(RunResult(files=3), Style()) == "0 templates in 3 files\n"


@pytest.mark.parametrize(
    ("counts", "cells"),
    [
        ((10, 0, 0), (40, 0, 0)),
        ((1, 0, 1), (20, 0, 20)),
        ((1, 10_000, 1), (1, 38, 1)),
        ((0, 0, 0), (0, 0, 0)),
        ((30, 60, 10), (12, 24, 4)),
    ],
)
def test_bar(counts: tuple[int, int, int], cells: tuple[int, int, int]) -> None:
    assert table.bar_cells(*counts) == cells


@given(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6)))
def test_bar_is_full_and_shows_every_part(counts: tuple[int, int, int]) -> None:
    cells = table.bar_cells(*counts)
    assert sum(cells) == (40 if sum(counts) else 0)
    assert all((cell > 0) == (count > 0) for cell, count in zip(cells, counts, strict=True))


def test_markdown_golden(result: RunResult) -> None:
    assert markdown.report(result) == (
        "### Prefix cache report\n"
        "\n"
        "1 template in 12 files, 1 file not analysed.\n"
        "\n"
        "| Template | Stable prefix | Stranded | Breakpoint | Predicted reuse | After a fix |\n"
        "| --- | ---: | ---: | --- | ---: | ---: |\n"
        "| PROMPT<br><code>app/agent.py:3</code> | 10 of 1,813 | 1,803 "
        "| token 10, line 4: <code>now()</code><br>1 value of unknown lifetime "
        "| openai 0<br>vllm 0 | openai 1,792<br>vllm 1,808 |\n"
    )


class Cells(HTMLParser):
    """Tags and text of a cell, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.read = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.read += data


@example("##[")
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1))
def test_markdown_text_stays_text(text: str) -> None:
    cell = markdown.text_cell(text)
    assert not re.search(r"[|`*_<>\[\]\\@~]", cell)
    parser = Cells()
    parser.feed(cell)
    parser.close()
    # What a build server would take for a command (``##[``) is escaped first, as in all that is printed.
    assert parser.read == plain(text)
    assert not parser.tags


def test_markdown_stays_within_the_size_that_github_takes(result: RunResult) -> None:
    layouts: list[Layout] = [replace(result.layouts[0], stranded_tokens=number) for number in range(2000)]
    text = markdown.report(replace(result, layouts=tuple(layouts)))
    assert len(text) < 65_536
    rows = sum(line.startswith("| PROMPT") for line in text.splitlines())
    assert text.endswith(f"\n{2000 - rows:,} more templates not shown.\n")
    # Those that strand most come first.
    assert "| 1,999 |" in text.splitlines()[6]
