"""What a test has compared with a constant is that constant where the test holds."""

from __future__ import annotations

import re

import pytest
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
client = OpenAI()
RULES = "You sort letters in a post office on an island. Letters without a stamp are delivered too."
def sort(step, kind, letter):
    text = RULES
    %s
    return client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text + letter}])
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('if step == 2:\n        text = f"Step {step}. {RULES}"', ["2"]),
        ('if step == 2:\n        text = f"Step {step + 1}. {RULES}"', ["3"]),
        ('if kind == "large":\n        text = f"A {kind} letter. {RULES}"', ["large"]),
        ('if kind == "large":\n        pass\n    text = f"A {kind} letter. {RULES}"', ["{kind}"]),
        ('if kind == "large":\n        kind = letter\n        text = f"A {kind} letter. {RULES}"', ["{kind}"]),
        ('if kind == "large":\n        pass\n    else:\n        text = f"A {kind} letter. {RULES}"', ["{kind}"]),
        ('if kind != "large":\n        text = f"A {kind} letter. {RULES}"', ["{kind}"]),
        ('if step > 2:\n        text = f"Step {step}. {RULES}"', ["{step}"]),
    ],
)
def test_it_is_that_constant_in_the_branch_alone(body: str, expected: list[str]) -> None:
    (template,) = templates_of(PROGRAM % body)
    found = list(walk(template.blocks[0].segments))
    values = [f"{{{s.expression}}}" for s in found if isinstance(s, Value)]
    text = " ".join(s.text for s in found if isinstance(s, Text))
    known = [word for word in ("2", "3", "large") if word in re.split(r"\W+", text)]
    assert [*known, *(value for value in values if value != "{letter}")] == expected
