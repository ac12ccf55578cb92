"""``check --output-format markdown``, written by hand for a small run."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.ratchet.changes import Change
from prefixlint.ratchet.prefixes import Prefix
from prefixlint.report import markdown
from prefixlint.run.result import RunResult

if TYPE_CHECKING:
    from prefixlint.model.findings import Finding


def prefix(tokens: int) -> Prefix:
    return Prefix("openai:gpt-4o", tokens, "0" * 12, "o200k_base")


CHANGES = (
    Change("app/new.py", 4, "greet", None, prefix(30), new=True),
    Change("app/agent.py", 3, "PROMPT", prefix(1813), prefix(10), "`now()` added at line 4", fails=True),
    Change("app/b.py", 9, "tell", prefix(1000), prefix(1200), "grew"),
    Change("app/old.py", 0, "old_one", prefix(50), None),
)


def clock(result: RunResult) -> Finding:
    return next(finding for finding in result.findings if finding.code == "PFX101")


def test_golden(result: RunResult) -> None:
    found = replace(
        clock(result), message="`now()` changes | with every request", stranded_tokens=1803, history_stranded=False
    )
    result = replace(result, findings=(found,))
    assert markdown.check(result, (found,), "2 older than main", CHANGES, "main") == (
        "### prefixlint\n"
        "\n"
        "Found 1 error in 12 files (1 template); 2 older than main.\n"
        "\n"
        "#### 4 prompts changed since <code>main</code>\n"
        "\n"
        "| Prompt | Stable prefix | What changed |\n"
        "| --- | ---: | --- |\n"
        "| PROMPT<br><code>app/agent.py:3</code> | **1,813 → 10** | <code>now()</code> added at line 4 |\n"
        "| greet<br><code>app/new.py:4</code> | 30 | new |\n"
        "| tell<br><code>app/b.py:9</code> | 1,000 → 1,200 | the stable prefix grew |\n"
        "| old&#95;one<br><code>app/old.py</code> | 50 | gone |\n"
        "\n"
        "#### Findings\n"
        "\n"
        "| Finding | Place | Stranded |\n"
        "| --- | --- | ---: |\n"
        "| **error** PFX101 volatile-timestamp<br><code>now()</code> changes &#124; with every request "
        "| <code>app/agent.py:4</code> | 1,803 |\n"
    )


def test_nothing_found() -> None:
    text = "### prefixlint\n\nNo faults found in 3 files (0 templates).\n"
    assert markdown.check(RunResult(files=3), ()) == text
    assert markdown.check(RunResult(files=3), (), since="HEAD~1") == text + "\nNo prompt changed.\n"


def test_a_message_with_an_odd_backtick_stays_text() -> None:
    assert markdown.sentence_cell("a `b` c`") == "a &#96;b&#96; c&#96;"


def test_both_tables_stay_within_the_size_that_github_takes(result: RunResult) -> None:
    change = replace(CHANGES[1], template="x" * 200)
    changes = (*(replace(change, fails=False) for _ in range(3000)), change)
    findings = tuple(replace(clock(result), message="`|`" * 60) for _ in range(3000))
    text = markdown.check(result, findings, "", changes, "main")
    assert len(text) < 65_536
    rows = len(re.findall(r"^\| x", text, re.MULTILINE)), len(re.findall(r"^\| \*\*error", text, re.MULTILINE))
    assert min(rows) > 10
    assert f"\n{3001 - rows[0]:,} more prompts not shown.\n" in text
    assert text.endswith(f"\n{3000 - rows[1]:,} more findings not shown.\n")
    # What shrank comes first.
    assert "**" in next(line for line in text.splitlines() if line.startswith("| x"))
