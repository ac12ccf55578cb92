"""What a module binds is made once, at import or for each run of a script; what its loops make, in each pass."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

HEAD = """
from datetime import datetime
from openai import OpenAI
from elsewhere import get_data, letters
client = OpenAI()
RULES = "You sort letters in a post office on an island. Letters without a stamp are delivered too."
"""
SEND = 'client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": f"{front}. {RULES}"}])'


def lifetime(body: str) -> Lifetime:
    templates = templates_of(HEAD + body.replace("SEND", SEND))
    return next(s.lifetime for t in templates for s in walk(t.blocks[0].segments) if isinstance(s, Value))


@pytest.mark.parametrize(
    ("body", "lasting"),
    [
        ("front, others = get_data()\ncontext = front\nfront = context\nSEND", Lifetime.SESSION),
        ("context, others = get_data()\nfront = ', '.join(context)\nSEND", Lifetime.SESSION),
        ("question = get_data()\nfront = question\nSEND", Lifetime.SESSION),
        ("question = get_data()\nfront = question\nfor attempt in range(3):\n    SEND", Lifetime.SESSION),
        ("front = datetime.now()\nSEND", Lifetime.PROCESS),
        ("front = datetime.now()\nwhile True:\n    SEND", Lifetime.PROCESS),
    ],
)
def test_what_a_module_binds_lasts_for_the_run(body: str, lasting: Lifetime) -> None:
    assert lifetime(body) is lasting


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n    front = datetime.now()\n    SEND",
        "while True:\n    question = get_data()\n    front = question\n    SEND",
        "for letter in letters():\n    front = datetime.now()\n    SEND",
        "for letter in letters():\n    question = get_data(letter)\n    front = question\n    SEND",
        "def ask():\n    context = get_data()\n    front = context\n    SEND\nask()",
    ],
)
def test_what_its_loops_and_functions_make_is_made_anew(body: str) -> None:
    assert lifetime(body) is Lifetime.REQUEST


def test_what_only_type_checkers_see_is_never_run() -> None:
    program = "from typing import TYPE_CHECKING\n" + HEAD
    seen = "if TYPE_CHECKING:\n    def check(front):\n        SEND\n".replace("SEND", SEND)
    assert templates_of(program + seen) == ()
    assert len(templates_of(program + seen + "else:\n    def ask(front):\n        SEND\n".replace("SEND", SEND))) == 1
