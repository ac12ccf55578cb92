"""A docstring as a prompt: what the layout holds is what ``__doc__`` is in the Python that runs, of any version."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prefixlint.frontends.python import strings
from prefixlint.model.segments import Text
from prefixlint.model.sources import Position, Span
from python_support import templates_of

PLACE = Span("app.py", Position(1, 1), Position(1, 1))
DOCSTRINGS = st.lists(st.text("ab é ", max_size=6), min_size=1, max_size=5).map("\n".join)


@given(DOCSTRINGS)
@example("a\n    b\n      c\n\n    ")
@example("   a\n  \n     b")
@settings(max_examples=80, deadline=None)
def test_the_layout_holds_what_the_docstring_is(text: str) -> None:
    function = f"def cook():\n    '''Rules {text}'''\n"
    names: dict[str, object] = {}
    exec(function, names)  # the function does nothing
    sent = "from openai import OpenAI\nclient = OpenAI()\n" + function
    sent += "def ask():\n    return client.responses.create(model='gpt-4o', input=cook.__doc__)\n"
    template = templates_of(sent)[-1]
    held = "".join(s.text for block in template.blocks for s in block.segments if isinstance(s, Text))
    assert held == names["cook"].__doc__


@pytest.mark.parametrize(
    ("written", "since"),
    [
        ("a\n    b\n      c\n", "a\nb\n  c\n"),
        ("   a\n  \n     b", "a\n\nb"),
        ("a\nb\n  c", "a\nb\n  c"),
        ("\n    a\n    ", "\na\n"),
        ("a\n\tb", "a\n\tb"),
    ],
)
def test_what_the_compiler_takes_away_since_3_13(written: str, since: str) -> None:
    made = strings.compiled_docstring((Text(written, PLACE),))
    assert "".join(s.text for s in made if isinstance(s, Text)) == since
    if sys.version_info >= (3, 13) and "\t" not in written:
        names: dict[str, object] = {}
        exec(f"def f():\n    '''{written}'''\n", names)
        assert names["f"].__doc__ == since
