"""Markdown that is read as it is: skills and what belongs to them, pages that show prompts."""

from __future__ import annotations

import pytest
from prefixlint.frontends.promptfiles import extract
from prefixlint.model.lifetimes import SourceKind
from prefixlint.model.segments import Value
from prefixlint.model.sources import SourceFile

SKILL = "---\nname: sheets\ndescription: Fills in spreadsheets.\n---\n"
PROMPT = "You are a clerk. Answer the question of the user with the rules below.\n"


def values(source: str) -> list[str]:
    """Expressions of what varies in a skill, and the line each stands in."""
    (template,) = extract(SourceFile("skills/sheets/SKILL.md", SKILL + source)).templates
    return [part.expression for block in template.blocks for part in block.segments if isinstance(part, Value)]


@pytest.mark.parametrize(
    ("source", "commands"),
    [
        ("Check the cells for `#REF!`, `#N/A`, `#DIV/0!` and `#VALUE!` first.\n", []),
        ("| `#NAME?` | unknown | `#NULL!`|`x` |\n", []),
        ("Never write `a != b` or `!`important`.\n", []),
        ("State: !`git status --short`\n", ["git status --short"]),
        ("!`./list.sh`\nThen go on.\n", ["./list.sh"]),
        ("Sum up $ARGUMENTS.\n", ["ARGUMENTS"]),
    ],
)
def test_commands_of_a_skill_begin_a_word(source: str, commands: list[str]) -> None:
    assert values(source) == commands


def test_a_command_is_run_each_time() -> None:
    (template,) = extract(SourceFile("agents/a.md", SKILL + "Today: !`date`\n")).templates
    (value,) = [part for part in template.blocks[0].segments if isinstance(part, Value)]
    assert value.origin.kind is SourceKind.ENVIRONMENT
    assert (value.span.start.line, value.span.start.column) == (5, 8)


def templates(path: str, source: str, *others: str) -> int:
    files = {name: SourceFile(name, SKILL) for name in others}
    found = extract(SourceFile(path, source), files.get)
    assert found.problems == ()
    return len(found.templates)


def test_pages_of_a_skill_are_read_as_they_are() -> None:
    source = f"{{context}}\n{PROMPT}"
    assert templates("skills/sheets/references/prompts.md", source) == 1
    assert templates("skills/sheets/references/prompts.md", source, "skills/sheets/SKILL.md") == 0
    assert templates("skills/sheets/references/prompts.txt", source, "skills/sheets/SKILL.md") == 1
    assert templates("skills/other/references/prompts.md", source, "skills/sheets/SKILL.md") == 1


def test_a_project_that_is_a_skill_may_hold_prompts() -> None:
    source = f"{{context}}\n{PROMPT}"
    assert templates("prompts/answer.md", source, "SKILL.md") == 1
    assert templates("references/prompts.md", source, "SKILL.md") == 0


SHOWN = f"""\
# Prompts for clerks

The first one:

```
{PROMPT}
{{context}}
```

And in a program:

```python
prompt = f"Documents: {{documents}}"
```
"""


def test_a_page_that_shows_prompts_is_none() -> None:
    assert templates("docs-of/clerk-prompts.md", SHOWN) == 0
    assert templates("docs-of/clerk-prompts.md", SHOWN + "\nAnswer for {customer} now.\n") == 1
    assert templates("docs-of/clerk-prompts.txt", SHOWN) == 1


def test_a_page_about_chat_templates_is_none() -> None:
    said = (
        "# Dates in chat templates\n\nYou are given a template. Always use the following, step by step, and write the "
        "answer to the user's question in JSON. Here is an example of the instructions below.\n"
    )
    template = "{% if date %}{{ date }}{% endif %}{% for m in messages %}{{ m.content }}{% endfor %}\n"
    assert templates("rules/dates.md", f"{said}```jinja\n{template}```\n") == 0
    assert templates("rules/dates.md", f"{said}{template}") == 1


def test_a_prompt_may_fence_what_it_is_given() -> None:
    source = f"{PROMPT}\nProgram:\n```\n{{code}}\n```\n\nError:\n```\n{{error}}\n```\n"
    assert templates("prompts/mend.md", source) == 1


BLOCK = '```python\nprompt = Prompt.load("answer.json")\n```\n\n'
JSON = '```json\n{"instruction": "Answer the question: {question}"}\n```\n\n'
RULES = "The clerk reads what is asked, and answers in a line. What is not known is left out.\n"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("`instruction` is a text with `{variable}` placeholders.\n" + JSON + BLOCK * 3, 0),
        ("`instruction` is a text with `{variable}` in it.\n" + JSON + BLOCK * 3, 1),
        (JSON + BLOCK, 1),
        ("Judge what is given.\n\n" + BLOCK * 3 + "```\n{question}\n```\n", 1),
        ("Judge what is given.\n\n" + BLOCK * 3 + JSON, 0),
    ],
)
def test_a_manual_of_prompts_shows_what_they_look_like(source: str, found: int) -> None:
    assert templates("prompt/prompt-formats.md", f"# Formats\n\n{RULES}{PROMPT}{source}") == found
