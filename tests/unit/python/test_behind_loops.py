"""Variables of a loop, behind it."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
client = OpenAI()
def ask(tools, documents, question):
    text = "You answer letters. "
    BODY
    return client.chat.completions.create(model="gpt-4o", messages=[{"role": "system", "content": text + "Be short."}])
"""


def lifetimes(body: str) -> dict[str, Lifetime]:
    (template,) = templates_of(PROGRAM.replace("BODY", body.replace("\n", "\n    ")))
    return {s.expression: s.lifetime for s in walk(template.blocks[0].segments) if isinstance(s, Value)}


@pytest.mark.parametrize(
    ("body", "expression", "lifetime"),
    [
        ("for i, tool in enumerate(tools):\n    text += tool.name\ntext += f'{i + 2}'", "i + 2", Lifetime.DEPLOYMENT),
        ("for tool in tools:\n    text += 'x'\ntext += f'{tool.name}'", "tool.name", Lifetime.DEPLOYMENT),
        ("for d in documents:\n    text += 'x'\ntext += f'{d.title}'", "d.title", Lifetime.REQUEST),
        (
            "for tool in tools:\n    if tool.fits(question):\n        break\ntext += f'{tool.name}'",
            "tool.name",
            Lifetime.REQUEST,
        ),
        (
            "for d in documents:\n    for tool in tools:\n        d.use(tool)\n    text += f'{tool.name} {d.title}'",
            "d.title",
            Lifetime.REQUEST,
        ),
    ],
)
def test_the_last_item_is_as_stable_as_what_was_run_over(body: str, expression: str, lifetime: Lifetime) -> None:
    assert lifetimes(body)[expression] is lifetime
