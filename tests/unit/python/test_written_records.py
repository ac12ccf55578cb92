"""Fields of records: whose they are is said by the record, or by the name that they are given."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Choice, Value, walk
from python_support import templates_of

HEAD = "from openai import OpenAI\nclient = OpenAI()\n"
SEND = "    return client.responses.create(model='gpt-4o', input=f'Rules of the house. {VALUE} Be brief.')\n"


def lifetimes(program: str) -> dict[str, Lifetime]:
    return {
        s.expression: s.lifetime
        for template in templates_of(HEAD + program)
        if template.form == "openai-responses"
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Value)
    }


@pytest.mark.parametrize(
    ("name", "lifetime"),
    [("customer_name", Lifetime.USER), ("row_text", Lifetime.REQUEST), ("query", Lifetime.REQUEST)],
)
def test_what_was_looked_up_and_is_called_the_users_is_the_same_for_one_user(name: str, lifetime: Lifetime) -> None:
    program = (
        "def named(store, number):\n    row = store.similarity_search(str(number))\n    return row[0]\n\n"
        f"def ask(store, number):\n    {name} = named(store, number)\n" + SEND.replace("VALUE", name)
    )
    assert lifetimes(program)[name] is lifetime


def test_what_a_record_written_in_the_code_does_not_hold_is_not_the_users() -> None:
    made = "def ask(config, question):\n    profile = config.get('profile', '')\n" + SEND.replace("VALUE", "profile")
    given = "ask({'title': 'Analyst', 'duties': ['Read the news.']}, 'Why?')\n"
    assert Lifetime.USER not in lifetimes(made + given).values()


@pytest.mark.parametrize("record", ["{}", "{'title': title}", "load()"])
def test_what_a_record_of_a_run_holds_may_be(record: str) -> None:
    program = f"def ask(title, question):\n    found = {record}\n    profile = found.get('profile', '')\n"
    assert Lifetime.USER in lifetimes(program + SEND.replace("VALUE", "profile")).values()


@pytest.mark.parametrize(
    ("put", "known"),
    [
        ("row.update({'how': HOW})", True),
        ("row.update(how=HOW)", True),
        ("row['how'] = HOW", True),
        ("fields = row\n        fields['how'] = HOW\n        row = fields", False),
        ("row['how'] = HOW\n        row = asked(row)", False),
        ("row['whom'] = HOW", False),
    ],
)
def test_what_is_put_into_a_row_fills_the_template_that_the_row_fills(put: str, known: bool) -> None:
    program = f"""
HOW = "Sort it by the stamp, then by the street, and lay what has neither aside for the evening."
def sort(rows):
    for row in rows:
        {put}
        client.responses.create(model="gpt-4o", input="{{letter}} You sort letters. {{how}}".format(**row))
"""
    expected = {"letter"} if known else {"letter", "how"}
    assert lifetimes(program).keys() == expected


@pytest.mark.parametrize(
    ("key", "name", "lifetime"),
    [
        ("data", "reply_preferences", Lifetime.USER),
        ("data", "letter", Lifetime.REQUEST),
        ("question", "reply_preferences", Lifetime.REQUEST),
    ],
)
def test_a_key_that_only_says_that_something_is_kept_tells_less_than_the_name(
    key: str, name: str, lifetime: Lifetime
) -> None:
    program = f"def ask(store, question):\n    found = store.get('kept')\n    {name} = found.value['{key}']\n"
    assert lifetimes(program + SEND.replace("VALUE", name))[name] is lifetime


@pytest.mark.parametrize(("key", "varies"), [("data", False), ("refund", True)])
def test_whether_there_is_a_key_that_is_then_taken_says_no_more_than_what_is_taken(key: str, varies: bool) -> None:
    program = (
        "def ask(store, question, preferences):\n    result = store.get('kept')\n"
        f"    if result and '{key}' in result.value:\n"
        "        preferences = result.value['data']\n"
    )
    choices = [
        s
        for template in templates_of(HEAD + program + SEND.replace("VALUE", "preferences"))
        for block in template.blocks
        for s in walk(block.segments)
        if isinstance(s, Choice)
    ]
    assert [choice.lifetime is Lifetime.REQUEST for choice in choices] == [varies]
