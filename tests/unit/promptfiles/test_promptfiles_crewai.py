"""CrewAI: the layout of a task, filled in, is what the framework sends.

The expected messages are those that crewai 1.15.17 itself makes of these files (``Prompts.task_execution``,
``Task.prompt`` and ``format_message_for_llm``, with {topic} given as "Rain").
"""

from __future__ import annotations

import pytest
from prefixlint.config.model import Config
from prefixlint.frontends.promptfiles import extract
from prefixlint.model.segments import Text, Value
from prefixlint.model.sources import SourceFile
from prefixlint.run import run

AGENTS = """\
researcher:
  goal: >
    Find facts about {topic}
  backstory: >
    You know {topic}.
  role: >
    {topic} Researcher
"""
TASK = """\
research:
  description: >
    Research {topic}.
  expected_output: >
    A report
  agent: researcher
"""
SYSTEM = "You are Rain Researcher\n. You know Rain.\n\nYour personal goal is: Find facts about Rain"
ASKED = (
    "\nCurrent Task: Research Rain.\n\n\nThis is the expected criteria for your final answer: A report\n\n"
    "you MUST return the actual complete content as the final answer, not a summary."
)
CONTEXT = "\n\nThis is the context you're working with:\nCTX"
END = "\n\nProvide your complete response:"


def messages(tasks: str) -> list[tuple[str, str]]:
    files = {"agents.yaml": SourceFile("agents.yaml", AGENTS)}
    (template,) = extract(SourceFile("tasks.yaml", tasks), files.get).templates
    given = {"topic": "Rain", "context": "CTX"}
    out = []
    for block in template.blocks:
        assert all(isinstance(part, Text | Value) for part in block.segments)
        said = (part.text if isinstance(part, Text) else given[part.expression] for part in block.segments)
        out.append((block.role, "".join(said)))
    return out


@pytest.mark.parametrize(
    ("more", "user"),
    [
        ("", ASKED + END),
        ("  tools: []\n", ASKED + END),
        ("  tools: [search]\n", ASKED),
        ("  context: [other]\n", ASKED + CONTEXT + END),
    ],
)
def test_a_task_is_laid_out_as_the_framework_sends_it(more: str, user: str) -> None:
    assert messages(TASK + more) == [("system", SYSTEM), ("user", user)]


def test_tools_of_the_agent_count_as_well() -> None:
    agents = AGENTS.replace("researcher:\n", "researcher:\n  tools: [search]\n")
    both = f"agents:\n{indented(agents)}tasks:\n{indented(TASK)}"
    _, template = extract(SourceFile("crew.yaml", both)).templates
    last = template.blocks[-1].segments[-1]
    assert isinstance(last, Text)
    assert last.text.endswith("not a summary.")


def indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines())


def test_what_is_stranded_behind_a_role(tmp_path, monkeypatch) -> None:
    # The role stands in front of backstory and goal, though it is written behind them.
    rules = "Never guess, always cite the source, and say so where there is none. " * 10
    source = f"writer:\n  goal: Write well\n  backstory: >\n    {rules}\n  role: Writer for {{question}}\n"
    (tmp_path / "agents.yaml").write_text(source)
    monkeypatch.chdir(tmp_path)
    (finding,) = run(["agents.yaml"], Config(root=str(tmp_path))).findings
    assert (finding.code, finding.span.start.line) == ("PFX105", 5)
    assert finding.stranded_tokens >= 140


@pytest.mark.parametrize(("length", "found"), [(1, []), (12, ["PFX105"])])
def test_the_frameworks_own_last_words_are_not_to_be_moved(
    tmp_path, monkeypatch, length: int, found: list[str]
) -> None:
    # Behind the task stand some 30 tokens that no crew can put elsewhere; what it expects can come first.
    rules = "Never guess, and always cite. " * length
    source = f"ask:\n  description: Answer {{question}}\n  expected_output: >\n    {rules}\n  agent: nobody\n"
    (tmp_path / "tasks.yaml").write_text(source)
    monkeypatch.chdir(tmp_path)
    assert [each.code for each in run(["tasks.yaml"], Config(root=str(tmp_path))).findings] == found
