"""``assert_stable_prefix`` on programs whose counts are known from the tokenizer alone."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from prefixlint.api import ConfigError
from prefixlint.testing import assert_stable_prefix
from prefixlint.tokens import get_tokenizer

if TYPE_CHECKING:
    from types import ModuleType

EXAMPLES = Path(__file__).parents[3] / "examples"
RULES = "Answer in one short sentence, name the page of the handbook, and never guess a price. " * 12
TOKENS = len(get_tokenizer("o200k_base").encode(RULES))
PROGRAM = f'''\
from datetime import datetime
from openai import OpenAI

RULES = """{RULES}"""


def system(user_name):
    return f"{{RULES}}{{user_name}}{{RULES}}"


def ask(question, user_name):
    return OpenAI().chat.completions.create(
        model="gpt-4o",
        messages=[{{"role": "system", "content": system(user_name)}}, {{"role": "user", "content": question}}],
    )


class Desk:
    def late(self, question):
        return OpenAI().chat.completions.create(
            model="gpt-4o",
            messages=[
                {{"role": "system", "content": f"{{datetime.now()}} {{RULES}}"}},
                {{"role": "user", "content": question}},
            ],
        )


def unrelated():
    return None
'''


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program as a module; the client it names is not installed, and nothing in it is called."""
    path = tmp_path / "desk.py"
    path.write_text(PROGRAM.replace("from openai import OpenAI", "OpenAI = None"))
    spec = importlib.util.spec_from_file_location("desk", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "desk", module)
    spec.loader.exec_module(module)
    path.write_text(PROGRAM)
    return module


def test_prompts_by_function_name_line_and_file(program: ModuleType) -> None:
    path = program.__file__
    assert path is not None
    line = PROGRAM.splitlines().index("def ask(question, user_name):") + 2
    for same in (program.ask, program.system, f"{path}::ask", f"{path}:{line}", Path(path).name and f"{path}::ask"):
        assert_stable_prefix(same, at_least=TOKENS)
        with pytest.raises(AssertionError, match=r"not at least 2,000"):
            assert_stable_prefix(same, at_least=2000)
    for every in (path, Path(path), program):
        with pytest.raises(AssertionError) as failure:
            assert_stable_prefix(every, at_least=TOKENS)
        # Of the two prompts in the file one is too short.
        assert str(failure.value).count("not at least") == 1


def test_what_is_told_of_a_prompt_that_is_too_short(program: ModuleType) -> None:
    with pytest.raises(AssertionError) as failure:
        assert_stable_prefix(program.Desk, at_least=100)
    line = next(number for number, text in enumerate(PROGRAM.splitlines(), 1) if "datetime.now()" in text)
    told = str(failure.value)
    assert re.search(r"stable prefix of \d tokens for openai:gpt-4o, not at least 100\n", told)
    assert f"{program.__file__}:{line}:" in told
    assert "`datetime.now()` (request)" in told
    found = re.search(r"(\d+) stable tokens stand behind", told)
    assert found is not None
    assert TOKENS <= int(found[1]) <= TOKENS + 12
    with pytest.raises(AssertionError, match="all stable tokens together are"):
        assert_stable_prefix(program.Desk, at_least=3000)


def test_within_one_user_more_is_shared(program: ModuleType) -> None:
    assert_stable_prefix(program.ask, at_least=2 * TOKENS, within="user")
    with pytest.raises(AssertionError):
        assert_stable_prefix(program.ask, at_least=2 * TOKENS)
    with pytest.raises(ValueError, match="within must be one of request, "):
        assert_stable_prefix(program.ask, within="month")


def test_targets(program: ModuleType) -> None:
    assert_stable_prefix(program.ask, at_least=TOKENS, target="vllm")
    with pytest.raises(AssertionError, match="an approximation"):
        assert_stable_prefix(program.ask, at_least=3000, target="anthropic:claude-sonnet-4-5")
    with pytest.raises(ConfigError, match="openia"):
        assert_stable_prefix(program.ask, target="openia:gpt-4o")


def test_prompt_files() -> None:
    assert_stable_prefix(EXAMPLES / "rag/prompts/answer_fixed.yaml", at_least=40, target="vllm")
    with pytest.raises(AssertionError, match=r"context"):
        assert_stable_prefix(EXAMPLES / "rag/prompts/answer.yaml", at_least=40, target="vllm")


def test_no_such_prompt(program: ModuleType, tmp_path: Path) -> None:
    path = program.__file__
    with pytest.raises(LookupError, match=r"no prompt called 'asks' in .*; there are: ask \(line \d+\), "):
        assert_stable_prefix(f"{path}::asks")
    with pytest.raises(LookupError, match="no prompt at line"):
        assert_stable_prefix(program.unrelated)
    with pytest.raises(FileNotFoundError):
        assert_stable_prefix(tmp_path / "nowhere.py")
    empty = tmp_path / "empty.py"
    empty.write_text("")
    with pytest.raises(LookupError, match="finds none there"):
        assert_stable_prefix(empty)


def test_a_file_that_cannot_be_analysed_never_passes(tmp_path: Path) -> None:
    path = tmp_path / "desk.py"
    path.write_text(PROGRAM + "def broken(:\n")
    with pytest.raises(AssertionError, match="could not be analysed"):
        assert_stable_prefix(path, at_least=1)
