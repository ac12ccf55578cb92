"""Rule pages in the width of a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from prefixlint.report.reflow import reflowed
from prefixlint.rulebase import rule_page
from prefixlint_rules import RULES

if TYPE_CHECKING:
    from prefixlint.api import Rule


def test_paragraphs_and_items_are_wrapped_and_the_rest_stays() -> None:
    text = (
        "# A heading that is longer than the width\n\none two three four five\nsix\n\n"
        "- an item that goes\n  on and on\n  - below it as well\n- another\n\n"
        "| a table | that is wide |\n| --- | --- |\n\n```python\nlong = line + of + code + that + stays\n```\n\nlast\n"
    )
    assert reflowed(text, 16) == (
        "# A heading that is longer than the width\n\none two three\nfour five six\n\n"
        "- an item that\n  goes on and on\n  - below it as\n    well\n- another\n\n"
        "| a table | that is wide |\n| --- | --- |\n\n```python\nlong = line + of + code + that + stays\n```\n\nlast\n"
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
@pytest.mark.parametrize("width", [60, 100])
def test_pages_keep_their_words_and_their_code(rule: Rule, width: int) -> None:
    page = rule_page(rule)
    made = reflowed(page, width)
    assert made.split() == page.split()
    fences = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
    assert fences.findall(made) == fences.findall(page)
    prose = [line for line in fences.sub("", made).splitlines() if not line.startswith(("|", "#", "    "))]
    assert [line for line in prose if len(line) > width and " " in line.strip()] == []


def test_a_block_without_an_end_stays_to_the_end_of_the_page() -> None:
    assert reflowed("one two three\n\n```\none two three four\n", 8) == "one two\nthree\n\n```\none two three four\n"
