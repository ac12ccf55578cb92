"""Layouts of earlier runs are those that would be made anew, and none is used where what is behind it has changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from prefixlint.cache.store import Store
from prefixlint.engines.targets import load_target
from prefixlint.frontends.python.analyse import analyse
from prefixlint.layout import build
from prefixlint.model.sources import SourceFile
from prefixlint.run import laid_out
from prefixlint.run.laid_out import LaidOut

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from prefixlint.model.layouts import Layout
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template

RULES = "Answer in one sentence. Speak of nothing but the weather of the day. " * 8
PROGRAM = f"""import datetime, openai

def answer(question, brief):
    how = "Be brief." if brief else "Explain."
    client = openai.OpenAI()
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {{"role": "system", "content": f"It is {{datetime.datetime.now()}}. {RULES} {{how}} {RULES}"}},
            {{"role": "user", "content": question}},
        ],
    )
"""


def template(text: str = PROGRAM) -> Template:
    (found,) = analyse([SourceFile("app.py", text)], lambda path: None)["app.py"].templates
    return found


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the targets that layouts are built for."""
    monkeypatch.setattr(laid_out, "QUICK", -1.0)
    return []


def laid(store: Store | None, built: list[str], of: Template, *wanted: str | Target) -> Layout:
    targets = [load_target(one) if isinstance(one, str) else one for one in wanted]

    def counted(template: Template, targets: Sequence[Target]) -> Layout:
        built.append(targets[0].name)
        return build(template, targets)

    layouts = LaidOut(store, ["."])
    found = layouts.of(of, targets, counted)
    layouts.save()
    return found


def test_the_second_time_it_is_the_same_and_not_built(tmp_path: Path, built: list[str]) -> None:
    store = Store(str(tmp_path))
    first = laid(store, built, template(), "openai:gpt-4o")
    assert first.inversions
    assert first.others or first.placed
    second = laid(store, built, template(), "openai:gpt-4o")
    assert built == ["openai:gpt-4o"]
    assert repr(second) == repr(first)
    assert repr(first) == repr(build(template(), [load_target("openai:gpt-4o")]))


def test_another_target_or_fact_is_another_layout(tmp_path: Path, built: list[str]) -> None:
    store = Store(str(tmp_path))
    laid(store, built, template(), "openai:gpt-4o")
    laid(store, built, template(), "openai:gpt-4o", "vllm:gpt-4o")
    laid(store, built, template(), replace(load_target("openai:gpt-4o"), configured=True))
    assert len(built) == 3


def test_a_changed_text_is_another_layout(tmp_path: Path, built: list[str]) -> None:
    store = Store(str(tmp_path))
    laid(store, built, template(), "openai:gpt-4o")
    laid(store, built, template(PROGRAM + "\n# the end\n"), "openai:gpt-4o")
    laid(store, built, template(PROGRAM.replace("one sentence", "two sentences")), "openai:gpt-4o")
    assert len(built) == 3


@pytest.mark.parametrize("data", [b"", b"[]", b'{"a": 1}', b"\xff"])
def test_what_is_damaged_is_built_anew(tmp_path: Path, built: list[str], data: bytes) -> None:
    store = Store(str(tmp_path))
    first = laid(store, built, template(), "openai:gpt-4o")
    store.put(LaidOut(store, ["."]).key, data)
    assert repr(laid(store, built, template(), "openai:gpt-4o")) == repr(first)
    assert len(built) == 2


def test_a_chat_template_or_a_tokenizer_of_the_users_is_read_each_time(tmp_path: Path, built: list[str]) -> None:
    store = Store(str(tmp_path))
    for _ in range(2):
        laid(store, built, template(), replace(load_target("openai:gpt-4o"), tokenizer=str(tmp_path / "none.json")))
    assert len(built) == 2


def test_without_a_store_nothing_is_kept(built: list[str]) -> None:
    for _ in range(2):
        laid(None, built, template(), "openai:gpt-4o")
    assert len(built) == 2
