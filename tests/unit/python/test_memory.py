"""What is remembered of an earlier run gives what a run without memory gives, and no more is run than must be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prefixlint.frontends.python import batches, workers
from prefixlint.frontends.python.analyse import analyse
from prefixlint.frontends.python.frames import Bounds
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prefixlint.frontends.python.batches import Batch, Result
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.model.templates import Extraction

RULES = "Answer in one sentence. Speak of nothing but the weather of the day. " * 3
SEND = 'client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": %s}])'

VARIANTS: dict[str, tuple[str | None, ...]] = {
    "texts.py": (
        f"RULES = {RULES!r}\n",
        f"RULES = 'First of all. ' + {RULES!r}\n",
        f"from clock import now\nRULES = {RULES!r} + str(now())\n",
    ),
    "clock.py": (
        "import datetime\n\ndef now():\n    return datetime.datetime.now()\n",
        "import datetime\n\ndef now():\n    return datetime.date.today()\n",
        "from texts import RULES\n\ndef now():\n    return 'noon' + RULES\n",
        None,
    ),
    "build.py": (
        "from texts import RULES\nfrom clock import now\n\ndef build(question):\n"
        "    return f'It is {now()}. {RULES} Question: {question}'\n",
        "from texts import RULES\n\ndef build(question):\n    return f'{RULES} Question: {question}'\n",
        "from texts import *\n\n\n\ndef build(question, *more):\n    return question + RULES\n",
        "def build(question):\n    return open('rules.txt').read() + question\n",
    ),
    "base.py": (
        "from abc import ABC, abstractmethod\n\nclass Base(ABC):\n"
        "    @abstractmethod\n    def prompt(self, page): ...\n"
        f"    def ask(self, client, page):\n        text = self.prompt(page)\n        return {SEND % 'text'}\n",
        "class Base:\n    def prompt(self, page):\n        return 'You are a cook. ' + page\n\n"
        f"    def ask(self, client, page):\n        text = self.prompt(page)\n        return {SEND % 'text'}\n",
    ),
    "made.py": (
        f"from base import Base\n\nclass Made(Base):\n    def prompt(self, page):\n        return page + {RULES!r}\n",
        f"from base import Base\n\nclass Made(Base):\n    def prompt(self, page):\n        return {RULES!r} + page\n",
        "from base import Base\n\nclass Made(Base):\n    def other(self):\n        return 1\n",
    ),
    "asks.py": (
        "from build import build\n\ndef ask(client, question):\n    prompt = build(question)\n"
        f"    return {SEND % 'prompt'}\n",
        f"from build import build\n\ndef ask(client, prompt):\n    return {SEND % 'build(prompt)'}\n",
        f"\ndef ask(client, prompt):\n    return {SEND % 'prompt'}\n",
    ),
    "main.py": (
        "import uuid\nfrom asks import ask\nfrom texts import RULES\n\ndef main(client):\n"
        "    return ask(client, f'{uuid.uuid4()} {RULES}')\n",
        "from asks import ask\n\ndef main(client):\n    return ask(client, 'What is the weather? ' * 20)\n",
        "from made import Made\n\ndef main(client, page):\n    return Made().ask(client, page)\n",
    ),
    "rules.txt": (RULES, "Be brief. " * 40, None),
}
State = dict[str, int]
FIRST: State = dict.fromkeys(VARIANTS, 0)


@dataclass
class Kept:
    data: bytes | None = None
    saved: int = field(default=0)

    def load(self) -> bytes | None:
        return self.data

    def save(self, data: bytes) -> None:
        self.data = data
        self.saved += 1


def found(state: State, memory: Kept | None, bounds: Bounds = Bounds()) -> Mapping[str, Extraction]:
    texts = {path: VARIANTS[path][number] for path, number in state.items()}
    files = {path: SourceFile(path, text) for path, text in texts.items() if text is not None}
    python = [file for path, file in files.items() if path.endswith(".py")]
    return analyse(python, files.get, bounds=bounds, memory=memory)


def said(extractions: Mapping[str, Extraction]) -> str:
    """All that was found; files have no equality of their own."""
    return repr({path: (e.templates, e.problems, e.faults) for path, e in extractions.items()})


states = st.fixed_dictionaries({path: st.integers(0, len(texts) - 1) for path, texts in VARIANTS.items()})


@settings(max_examples=40, deadline=None)
@given(st.lists(states, min_size=2, max_size=4))
def test_a_run_with_memory_finds_what_one_without_finds(runs: list[State]) -> None:
    memory = Kept()
    for state in runs:
        assert said(found(state, memory)) == said(found(state, None))


@settings(max_examples=40, deadline=None)
@given(states, st.data(), st.sampled_from([Bounds(steps_of_one=60), Bounds(steps=80), Bounds(steps_of_file=90)]))
def test_so_it_does_after_each_single_change_and_at_its_bounds(
    state: State, data: st.DataObject, bounds: Bounds
) -> None:
    memory = Kept()
    found(state, memory, bounds)
    for _ in range(3):
        path = data.draw(st.sampled_from(sorted(VARIANTS)))
        state = {**state, path: data.draw(st.integers(0, len(VARIANTS[path]) - 1))}
        assert said(found(state, memory, bounds)) == said(found(state, None, bounds))


@pytest.fixture
def run_anew(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the batches that are run."""
    paths: list[str] = []

    def noted(batch: Batch, interpreter: Interpreter) -> Result:
        paths.append(batch.path)
        return batches.run_batch(batch, interpreter)

    monkeypatch.setattr(workers, "run_batch", noted)
    return paths


def test_nothing_is_run_again_where_nothing_has_changed(run_anew: list[str]) -> None:
    memory = Kept()
    found(FIRST, memory)
    assert {"asks.py", "base.py", "made.py", "main.py"} <= set(run_anew)
    run_anew.clear()
    found(FIRST, memory)
    assert run_anew == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("clock.py", {"asks.py", "main.py"}),
        ("made.py", {"made.py", "base.py"}),
        ("rules.txt", set()),
    ],
)
def test_a_change_is_followed_to_what_it_feeds_and_no_further(
    run_anew: list[str], changed: str, expected: set[str]
) -> None:
    memory = Kept()
    found(FIRST, memory)
    run_anew.clear()
    found({**FIRST, changed: 1}, memory)
    assert set(run_anew) == expected


def test_a_prompt_file_is_followed_to_the_code_that_reads_it(run_anew: list[str]) -> None:
    reading = {**FIRST, "build.py": 3}
    memory = Kept()
    found(reading, memory)
    run_anew.clear()
    found({**reading, "rules.txt": 1}, memory)
    assert set(run_anew) == {"asks.py", "main.py"}


SHOP = {
    "rules.py": f"""RULES = {RULES!r}

def polite(text):
    return "Please. " + text

def unused(text):
    return text
""",
    "shop.py": f"""from rules import RULES, polite

class Shop:
    def ask(self, client, question):
        prompt = f"{{question}} {{polite(RULES)}}"
        return {SEND % "prompt"}

    def tell(self, client, name):
        prompt = f"{{name}} {{RULES}}"
        return {SEND % "prompt"}
""",
    "desk.py": f"""from rules import RULES

def answer(client, question):
    return {SEND % "question + RULES"}
""",
}


@pytest.mark.parametrize(
    ("path", "before", "after", "expected"),
    [
        ("rules.py", "    return text\n", "    more = text\n    return more\n", set()),
        ("rules.py", "def polite", "# how to speak\n\ndef polite", set()),
        ("rules.py", '"Please. "', '"Please, "', {"shop.py"}),
        ("rules.py", "RULES = 'Answer", "RULES = 'Reply", {"shop.py", "desk.py"}),
        ("shop.py", '        prompt = f"{name}', '        name += "!"\n        prompt = f"{name}', {"shop.py"}),
        ("desk.py", "def answer", "\n\n# at the desk\ndef answer", set()),
    ],
)
def test_an_edited_body_is_followed_to_what_looks_into_it(
    run_anew: list[str], path: str, before: str, after: str, expected: set[str]
) -> None:
    texts = {**SHOP, path: SHOP[path].replace(before, after)}
    assert texts != SHOP
    was, now = ([SourceFile(path, text) for path, text in each.items()] for each in (SHOP, texts))
    memory = Kept()
    assert analyse(was, {}.get, memory=memory)["desk.py"].templates
    run_anew.clear()
    again = analyse(now, {}.get, memory=memory)
    assert set(run_anew) == expected
    assert said(again) == said(analyse(now, {}.get))
    # What was kept a second time stands where the code stands now.
    run_anew.clear()
    assert said(analyse(was, {}.get, memory=memory)) == said(analyse(was, {}.get))
    run_anew.clear()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"[]",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b'"emissions"', b'"omissions"'),
        lambda data: data.replace(b'"outline"', b'"outlined"'),
        lambda data: data.replace(b'"texts"', b'"text"'),
        lambda data: data.replace(b'"batches":{', b'"batches":{"0:asks.py":[[],[99999],""],'),
    ],
)
def test_damaged_memory_is_no_memory(damage: Callable[[bytes], bytes]) -> None:
    memory = Kept()
    found(FIRST, memory)
    assert memory.data is not None
    memory.data = damage(memory.data)
    assert said(found(FIRST, memory)) == said(found(FIRST, None))


def test_a_fault_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object) -> None:
        raise ValueError("no")

    memory = Kept()
    with monkeypatch.context() as patched:
        patched.setattr(batches, "run_function", faulty)
        assert any(extraction.faults for extraction in found(FIRST, memory).values())
    assert said(found(FIRST, memory)) == said(found(FIRST, None))
