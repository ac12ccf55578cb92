"""Functions that are too long to be run for what they give, and give what is written down in them."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

ROWS = ", ".join(f"{{'name': 'Drink {i}', 'price': {i}, 'sizes': ['small', 'large']}}" for i in range(60))
HEAD = """
import uuid
from dataclasses import dataclass, field
from openai import OpenAI

@dataclass
class Item:
    name: str
    price: int

@dataclass
class Numbered:
    name: str
    number: str = field(default_factory=lambda: str(uuid.uuid4()))

@dataclass
class Desk:
    items: list
    client: OpenAI

class Store:
    async def list_items(self, kind: str = "all") -> list[Item]:
        rows = [ROWS]
        items: list[Item] = []
        for row in rows:
            items.append(GIVEN)
        return items

async def make_desk():
    store = Store()
    client = OpenAI(base_url="http://localhost:8000/v1", api_key="none", timeout=20, max_retries=4, organization="shop")
    items = await store.list_items()
    desk = Desk(items=items, client=client)
    return desk

def answer(desk, question):
    items = desk.items
    listed = f"You sell what stands here. {items} Be brief, and answer about what stands above and nothing else."
    messages = [{"role": "system", "content": listed}, {"role": "user", "content": question}]
    return desk.client.chat.completions.create(model="gpt-4o", messages=messages)

async def main():
    desk = await make_desk()
    while True:
        answer(desk, input())
"""


def lifetimes(program: str) -> set[Lifetime]:
    return {
        s.lifetime
        for template in templates_of(program.replace("ROWS", ROWS))
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Value) and "items" in s.expression
    }


PLAIN = HEAD.replace(', kind: str = "all"', "")


@pytest.mark.parametrize("given", ["Item(row['name'], row['price'])", "dict(row)", "row['name'].upper()"])
def test_a_list_that_is_written_in_a_function_is_the_same_for_all(given: str) -> None:
    assert lifetimes(PLAIN.replace("GIVEN", given)) == {Lifetime.CONSTANT}


@pytest.mark.parametrize(
    "given", ["Numbered(row['name'])", "row | read_stock()", "{row['name'], row['price']}", "self.row"]
)
def test_what_is_made_anew_or_read_elsewhere_is_judged_by_its_name(given: str) -> None:
    assert lifetimes(PLAIN.replace("GIVEN", given)) == {Lifetime.REQUEST}


def test_what_depends_on_what_the_function_is_given_is_judged_by_its_name() -> None:
    assert lifetimes(HEAD.replace("GIVEN", "Item(kind, 2)")) == {Lifetime.REQUEST}


LISTED = """
import uuid
from openai import OpenAI
client = OpenAI()

def letter_of(place: int) -> str:
    letters = ""
    while place >= 0:
        letters = chr(place % 26 + ord("A")) + letters
        place = place // 26 - 1
    return letters

def display_choices(choices: list[str], ask=None) -> tuple[str, dict[str, int]]:
    shown = []
    by_letter = {}
    for place, choice in enumerate(choices):
        letter = LETTER
        by_letter[letter] = place
        shown.append(f"{letter}. {choice}")
    return SHOWN, by_letter

def classify(text, examples):
    messages = [{"role": "system", "content": "You sort letters to the town. Give the letter of one choice, as JSON."}]
    for example in examples:
        choices_display, by_letter = display_choices(example.options)
        shown = f"Choices:\\n{choices_display}\\nHere is a letter:\\n{example.letter}\\nAnswer with valid JSON."
        messages.append({"role": "user", "content": shown})
        messages.append({"role": "assistant", "content": example.label})
    messages.append({"role": "user", "content": text})
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""


def choices_shown(letter: str, shown: str = '"\\n".join(shown)') -> set[Lifetime]:
    return {
        s.lifetime
        for template in templates_of(LISTED.replace("LETTER", letter).replace("SHOWN", shown))
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Value) and s.expression == "choices_display"
    }


def test_another_form_of_what_is_given_lasts_as_long_as_that() -> None:
    assert choices_shown("letter_of(place)") == {Lifetime.DEPLOYMENT}


@pytest.mark.parametrize(
    ("letter", "shown"),
    [
        ("letter_of(place)", 'ask("\\n".join(shown))'),
        ("letter_of(place)", "ask.translate_all(shown)"),
        ("letter_of(place)", "TOLD[shown[0]]"),
        ("letters[place]", '"\\n".join(shown)'),
    ],
)
def test_what_a_function_may_bring_in_from_elsewhere_is_judged_by_its_name(letter: str, shown: str) -> None:
    assert choices_shown(letter, shown) == {Lifetime.REQUEST}
