"""Every fault of ``tests/cases`` that a fix exists for is mended, and mending the mended files changes nothing.

Run as a script, it prints a table of what is fixed, how, and why the rest is not.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from prefixlint.config import load
from prefixlint.run import run
from prefixlint.run.fixing import Mended, mend

if TYPE_CHECKING:
    from prefixlint.run.result import RunResult

CASES = Path(__file__).parents[2] / "cases"

NOT_FIXED = {
    "rag_before_instructions": "the instructions speak of the articles above",
    "history_as_text": "the instructions speak of the debate above",
    "request_id_in_header": "the line is a variable of its own, in front of a constant",
    "conditional_head": "the condition stands around a statement",
    "marker_on_changing_block": "block and marker hold one text: where it is cut is a decision",
    "scripted_turns": "the second request goes on from the first",
    "tools_as_they_arrive": "what the server sends are dicts, which cannot be compared",
    "tools_chosen_per_request": "which tools a request has is a decision",
    "regenerated_call_ids": "an id that is replayed must stay where it is",
    "examples_switched_on": "the text is added to in another statement",
    "signature_fields": "the fields stand in the order in which their class declares them",
    "sliding_window": "what to drop from a conversation is a decision",
}
"""Folders with a finding of PFX1xx or PFX2xx that no fix is offered for, and why."""


def mended(folder: Path) -> tuple[RunResult, Mended]:
    config = load(str(folder), None)
    names = [str(folder)]
    result = run(names, config)
    return result, mend(result, lambda texts: run(names, config, unsaved=tuple(texts.values())), unsafe=True)


def test_what_is_not_fixed_is_left_alone() -> None:
    for name in NOT_FIXED:
        if (CASES / name).is_dir():
            assert not mended(CASES / name)[1].changed, name


def test_findings_of_the_cases_are_fixed() -> None:
    left: dict[str, list[str]] = defaultdict(list)
    for folder in sorted(each for each in CASES.iterdir() if each.is_dir() and each.name not in NOT_FIXED):
        result, done = mended(folder)
        # One move can mend several values that stand together.
        if not done.made:
            wrong = [each for each in result.findings if each.code[:4] in ("PFX1", "PFX2")]
            left[folder.name] += [f"{each.code} {each.expression}" for each in wrong]
    assert not {name: findings for name, findings in left.items() if findings}


def main() -> None:
    for folder in sorted(each for each in CASES.iterdir() if each.is_dir()):
        result, done = mended(folder)
        for each in done.made:
            print(f"| {folder.name} | {each.finding.code} | {each.fix.applicability} | {each.fix.message} |")
        if not done.made and any(finding.code[:4] in ("PFX1", "PFX2") for finding in result.findings):
            print(f"| {folder.name} | | not fixed | {NOT_FIXED.get(folder.name, '?')} |")


if __name__ == "__main__":
    main()
