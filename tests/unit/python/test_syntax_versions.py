"""Lines that some Python cannot parse, and the one they are for."""

from __future__ import annotations

import ast

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.syntax_versions import written_for
from prefixlint.model.sources import SourceFile


@pytest.mark.parametrize(
    "line",
    [
        "print 'messages'",
        'print "prompt: %s" % prompt',
        'exec "import os"',
        "    raise ValueError, 'no prompt'",
        "except IOError, error:",
        "if a <> b:",
        "text = ur'prompt'",
        "mode = 0755",
        "name = `value`",
    ],
)
def test_python_2(line: str) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(line)
    assert written_for(line) == "Python 2"


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("type Prompt = str", "3.12"),
        ("type Prompt[T] = list[T]", "3.12"),
        ("def first[T](items: list[T]) -> T:", "3.12"),
        ("class Bank[T]:", "3.12"),
        ("""text = f"{names["first"]} is here" """, "3.12"),
        ('template = t"Hello {name}"', "3.14"),
        ("except ValueError, TypeError:", "3.14"),
    ],
)
def test_newer_syntax(line: str, version: str) -> None:
    assert written_for(line, running=(3, 11)) == f"Python {version} or later"


def test_the_error_of_an_f_string_may_stand_on_its_last_line() -> None:
    message = "f-string expression part cannot include a backslash"
    assert written_for('end"""', message, (3, 11)) == "Python 3.12 or later"
    assert written_for('end"""', message, (3, 12)) == ""


@pytest.mark.parametrize("line", ["def f(:", "x = (", "prompt = 'a", "return = 3", ""])
def test_other_errors_name_no_version(line: str) -> None:
    assert written_for(line, running=(3, 11)) == ""


def test_the_problem_names_the_version() -> None:
    file = SourceFile("old.py", "import openai\nprompt = 'x'\nprint 'messages'\n")
    (problem,) = analyse([file], lambda path: None)["old.py"].problems
    assert "Python 2" in problem.message
    assert problem.position.line == 3


@pytest.mark.parametrize(
    ("line", "minor"),
    [
        ("def tellme(file): return fulfillment", True),
        ("def ask(llm): return my_llm", False),
        ("from OpenAI import x", False),
        ("agents = reagent", False),
    ],
)
def test_a_file_that_is_not_valid_is_a_minor_matter_where_no_word_of_it_tells_of_prompts(
    line: str, minor: bool
) -> None:
    file = SourceFile("old.py", f"{line}\nprint 'dog'\n")
    (problem,) = analyse([file], lambda path: None)["old.py"].problems
    assert problem.minor is minor
