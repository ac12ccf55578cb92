"""How long a printed clock lasts where its pattern is chosen, and what a clock or a die picks from a list."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python.strings import fixed_texts
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

PROGRAM = """
import random
from datetime import datetime
from openai import OpenAI
client = OpenAI()
PATTERNS = {"en": "%Y-%m-%d", "fr": "%d/%m/%Y"}
TIMES = {"en": "%Y-%m-%d", "fr": "%d/%m/%Y %H:%M"}
DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

def get_now(language):
    if language == "fr":
        days = ["lu", "ma", "me", "je", "ve", "sa", "di"]
        pattern = "%d/%m/%Y"
    elif language == "en":
        days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        pattern = "%Y-%m-%d"
    else:
        raise ValueError("unknown")
    now = datetime.now()
    return now.strftime(pattern) + " (" + days[now.weekday()] + ")"

def ask(question, language, pattern):
    now = datetime.now()
    text = f"You answer letters. {GIVEN} Be short."
    messages = [{"role": "system", "content": text}, {"role": "user", "content": question}]
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""


@pytest.mark.parametrize(
    ("given", "lifetimes"),
    [
        ("{now.strftime(PATTERNS[language])}", {Lifetime.DAY}),
        ("{now.strftime('%Y' if language else '%Y-%m')}", {Lifetime.DAY}),
        ("{now.strftime(TIMES[language])}", {Lifetime.REQUEST}),
        ("{now.strftime(pattern)}", {Lifetime.REQUEST}),
        ("{get_now(language='en')}", {Lifetime.DAY}),
        ("{get_now(language)}", {Lifetime.DAY}),
        ("{DAYS[now.weekday()]}", {Lifetime.DAY}),
        ("{DAYS[now.second % 7]}", {Lifetime.REQUEST}),
        ("{DAYS[random.randrange(7)]}", {Lifetime.REQUEST}),
        ("{DAYS[2]}", set()),
    ],
)
def test_of_what_is_printed_the_finest_counts(given: str, lifetimes: set[Lifetime]) -> None:
    (template,) = templates_of(PROGRAM.replace("GIVEN", given[1:-1]))
    system = template.blocks[0]
    assert {s.lifetime for s in walk(system.segments) if isinstance(s, Value)} == lifetimes


def test_what_is_read_at_import_lasts_for_the_process() -> None:
    program = PROGRAM.replace("{GIVEN}", "{STARTED}").replace("def ask", "STARTED = get_now('en')\n\ndef ask")
    (template,) = templates_of(program)
    assert {s.lifetime for s in walk(template.blocks[0].segments) if isinstance(s, Value)} == {Lifetime.PROCESS}


def test_strings_that_choices_may_make() -> None:
    program = PROGRAM.replace("GIVEN", "('a' if language else 'b') + ('c' if pattern else 'd')")
    (template,) = templates_of(program)
    made = fixed_texts(template.blocks[0].segments)
    assert made is not None
    assert [text[20:22] for text in made] == ["ac", "ad", "bc", "bd"]
    assert fixed_texts(template.blocks[0].segments, 3) is None
    assert fixed_texts(template.blocks[1].segments) is None
    assert fixed_texts(tuple(s for s in template.blocks[0].segments if isinstance(s, Text))[:1]) == [
        "You answer letters. "
    ]
