"""Prompt files as the project declares them: taken whatever they are called, left out, and texts under its own keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.promptfiles import extract, might_hold_prompt
from prefixlint.frontends.promptfiles.file_kinds import Kind, kind
from prefixlint.knowledge.prompt_files import Declared, declared
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.model.templates import Template


def nothing(path: str) -> bool:
    return False


def only(*paths: str) -> Callable[[str], bool]:
    return lambda path: path in paths


def templates(path: str, source: str) -> tuple[Template, ...]:
    """What a run would find in the file."""
    if not might_hold_prompt(path, source.encode()):
        return ()
    found = extract(SourceFile(path, source))
    assert found.problems == ()
    return found.templates


LETTER = "Dear {customer}, we have received the parcel."


@pytest.mark.parametrize(
    ("path", "source", "form"),
    [
        ("mail/letter.tmpl", LETTER, "text-prompt"),
        ("mail/letter.xyz", LETTER, "text-prompt"),
        ("mail/letter", LETTER, "text-prompt"),
        ("docs/letter.md", "Dear $customer, we have received the parcel.", "text-prompt"),
        ("mail/letter.html.j2", "<html>Dear {{ customer }}, we have it.</html>", "jinja-file"),
        ("mail/letter.txt", "system:\nBe brief.\n\nuser:\n{{ request }}\n", "jinja-text"),
    ],
)
def test_an_included_file_is_a_prompt(path: str, source: str, form: str) -> None:
    assert templates(path, source) == ()
    with declared(Declared(only(path), nothing)):
        (template,) = templates(path, source)
        assert template.form == form
        assert templates("other/" + path, source) == ()
    assert templates(path, source) == ()


def test_kinds_of_included_files() -> None:
    with declared(Declared(only("a.yml", "locales/b.json", "c.rst", "README.md"), nothing)):
        found = [kind(path) for path in ("a.yml", "locales/b.json", "c.rst", "README.md", "locales/d.json", "d.rst")]
    assert found == [Kind.YAML, Kind.JSON, Kind.TEXT, Kind.TEXT, None, None]


def test_an_excluded_file_is_none() -> None:
    source = "You are a clerk. Answer the question of {{ user_name }} with the rules below.\n"
    assert len(templates("prompts/a.j2", source)) == 1
    with declared(Declared(nothing, only("prompts/a.j2"))):
        assert templates("prompts/a.j2", source) == ()
        assert kind("prompts/a.j2") is None
        assert len(templates("prompts/b.j2", source)) == 1


def test_exclusion_wins_over_inclusion() -> None:
    with declared(Declared(only("a.tmpl"), only("a.tmpl"))):
        assert templates("a.tmpl", LETTER) == ()


def test_broken_template_in_an_included_file_is_told() -> None:
    with declared(Declared(only("letter.txt"), nothing)):
        (problem,) = extract(SourceFile("letter.txt", "Dear {{ customer }}, {% if gone %}sorry.")).problems
    assert problem.position.line == 1
    assert extract(SourceFile("letter.txt", "Dear {{ customer }}, {% if gone %}sorry.")).problems == ()


SETTINGS = """\
title: 'Parcels of {company}'
steps:
  - Instruction_Text: 'Dear {customer}, it is here.'
    note: 'Only for {clerk}.'
"""


@pytest.mark.parametrize("path", ["config/settings.yaml", "app.yml"])
def test_texts_under_declared_keys_are_prompts(path: str) -> None:
    assert templates(path, SETTINGS) == ()
    with declared(Declared(nothing, nothing, frozenset({"instruction_text"}))):
        (template,) = templates(path, SETTINGS)
        assert template.name == "steps.0.Instruction_Text"
        assert template.span.start.line == 3
        assert templates(path, "title: 'Parcels of {company}'\n") == ()
    assert templates(path, SETTINGS) == ()


def test_a_declared_key_holds_for_all_below_it_and_in_files_of_other_trades() -> None:
    source = (
        "jobs:\n  tell:\n    wording:\n      - 'Dear {customer}, it is here.'\n      - 'Dear {clerk}, it is gone.'\n"
    )
    with declared(Declared(nothing, nothing, frozenset({"wording"}))):
        assert [t.name for t in templates("ci.yml", source)] == ["jobs.tell.wording.0", "jobs.tell.wording.1"]
