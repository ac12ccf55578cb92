"""Lines of stranded text, in programs small enough to count them by hand."""

from __future__ import annotations

from prefixlint.api import check_source
from prefixlint.report.behind import Behind, stranded_text

LINE = "Answer in one short sentence, name the page of the handbook, and never guess a price."
ABOVE = f'''\
from datetime import datetime
from openai import OpenAI

RULES = """\\
First: {LINE}

Second: {LINE}
Third: {LINE}
Fourth: {LINE}
"""

def answer(question):
    return OpenAI().chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": f"{{datetime.now()}}\\n{{RULES}}"}}, {{"role": "user", "content": question}}])
'''
JINJA = f"""\
You are the harbour master's assistant.
{{% for line in history %}}
{{{{ line }}}}
{{% endfor %}}

First: {LINE} {LINE}
Second: {LINE} {LINE}
{{{{ question }}}}
Third: {LINE} {LINE}
"""


def behind(source: str, name: str, code: str, most: int) -> Behind:
    result = check_source(source, name)
    finding = next(each for each in result.findings if each.code == code)
    layout = next(each for each in result.layouts if each.template.id == finding.template)
    return stranded_text(finding, layout, result.sources, most)


def test_text_of_a_constant_is_shown_where_it_stands() -> None:
    found = behind(ABOVE, "desk.py", "PFX101", 2)
    assert found.source is not None
    assert (found.source.path, found.numbers, found.more) == ("desk.py", (5, 7), 2)
    assert found.source.text[found.first[0] :].startswith("First: ")
    every = behind(ABOVE, "desk.py", "PFX101", 10)
    assert (every.numbers, every.more) == ((5, 7, 8, 9), 0)


def test_only_what_outlives_the_value_counts_and_a_line_break_alone_is_no_text() -> None:
    found = behind(JINJA, "prompts/desk.jinja", "PFX108", 2)
    assert (found.numbers, found.more) == ((6, 7), 1)


def test_nothing_is_shown_of_files_that_are_not_at_hand() -> None:
    result = check_source(ABOVE, "desk.py")
    assert stranded_text(result.findings[0], result.layouts[0], {}, 2) == Behind()
    assert stranded_text(result.findings[0], None, result.sources, 2) == Behind()
