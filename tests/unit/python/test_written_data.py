"""Lists and dictionaries in a text: what Python and its ``json`` write is what the layout holds."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prefixlint.model.segments import Text, Value, walk
from python_support import templates_of

LONG = "Orders that have left the warehouse can't be cancelled; refuse kindly."
KEYS = st.text("abcé'\"\\ ", min_size=1, max_size=4) | st.integers(-99, 99) | st.none()
CONSTANTS = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.just(1.5)
TEXTS = st.text("ab'\"\\\n\té日\x07😀", max_size=8)
DATA = st.recursive(
    CONSTANTS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=8,
)


def text_of(field: str, data: object) -> str:
    source = (
        f"import json\nfrom openai import OpenAI\nclient = OpenAI()\nDATA = {data!r}\n"
        f"def ask():\n    return client.responses.create(model='gpt-4o', input={field})\n"
    )
    (template,) = templates_of(source)
    (block,) = template.blocks
    assert all(isinstance(segment, Text) for segment in block.segments)
    return "".join(segment.text for segment in block.segments if isinstance(segment, Text))


@given(
    st.lists(DATA, max_size=3).map(lambda items: [LONG, *items]) | DATA.map(lambda one: {"rules": LONG, "more": one})
)
@example([LONG, (1,), (), [], {}, ("a",)])
@example({"it's": LONG, 'say "so"': 'it\'s "so"', "\\": "\\'"})
@example({1: LONG, "1st": None, None: {1.5: True}})
@example([LONG, {"one"}, set()])
@example([LONG, frozenset({"one"}), frozenset()])
@settings(max_examples=60, deadline=None)
def test_data_in_a_text_is_printed_as_python_prints_it(data: object) -> None:
    assert text_of("f'Keep to {DATA}'", data) == f"Keep to {data}"


@given(DATA.map(lambda one: [LONG, one]))
@settings(max_examples=40, deadline=None)
def test_data_in_json_is_written_as_python_writes_it(data: object) -> None:
    assert text_of("'Keep to ' + json.dumps(DATA, indent=2)", data) == "Keep to " + json.dumps(data, indent=2)


@pytest.mark.parametrize(
    "field",
    ["'Keep to ' + str(DATA)", "'Keep to %s' % DATA", "'Keep to {}'.format(DATA)", "'Keep to {d}'.format(d=DATA)"],
)
def test_every_way_of_putting_data_into_a_text(field: str) -> None:
    data = {"rules": [LONG, "it's"]}
    assert text_of(field, data) == f"Keep to {data}"


@given(st.text("ab'\"\\\n\té日\x07😀", min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_a_text_with_its_quotation_marks(text: str) -> None:
    for field in (
        "f'Keep to {DATA!r}'",
        "'Keep to %r' % DATA",
        "'Keep to {!r}'.format(DATA)",
        "'Keep to ' + repr(DATA)",
    ):
        assert text_of(field, text) == f"Keep to {text!r}"


def values_of(body: str) -> list[tuple[str, str]]:
    """Expression and lifetime of each value of the one request."""
    source = "from openai import OpenAI\nclient = OpenAI()\n" + body
    (template,) = templates_of(source)
    return [
        (segment.expression, segment.lifetime.value)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    ]


def test_what_is_not_known_in_it_is_a_value_in_its_place() -> None:
    body = (
        "def ask(question):\n"
        f"    data = {{'rules': {LONG!r}, 'question': question, 'end': 'Answer in one sentence.'}}\n"
        "    return client.responses.create(model='gpt-4o', input=f'Keep to {data}')\n"
    )
    assert values_of(body) == [("question", "request")]


def test_data_without_fixed_text_is_one_value() -> None:
    body = (
        "def ask(question, documents):\n    data = [question, documents]\n"
        "    return client.responses.create(model='gpt-4o', input=f'Keep to {data}')\n"
    )
    assert [expression for expression, _ in values_of(body)] == ["data"]


@pytest.mark.parametrize(
    "made",
    [
        "tuple(DATA)",
        "list(DATA)",
        "list(enumerate(DATA))",
        "list(map(str, DATA))",
        "[*DATA, 2**8, 7 / 2, 7 % 4, 1 - 2.5]",
    ],
)
def test_what_is_made_of_data_is_printed_as_what_it_is(made: str) -> None:
    data = [LONG, "it's"]
    printed = eval(made, {"DATA": data})
    assert text_of(f"f'Keep to {{DATA}} and {{{made}}}'", data) == f"Keep to {data} and {printed}"


@pytest.mark.parametrize(
    "made", ["(one for one in RULES)", "map(str, RULES)", "enumerate(RULES)", "reversed(RULES)", "BY_NAME.values()"]
)
def test_iterators_and_views_are_one_value(made: str) -> None:
    body = (
        f"RULES = [{LONG!r}, 'Be kind.']\nBY_NAME = {{'one': {LONG!r}}}\n"
        f"def ask():\n    return client.responses.create(model='gpt-4o', input=f'Keep to {{{made}}}')\n"
    )
    assert [expression for expression, _ in values_of(body)] == [made]


@pytest.mark.parametrize("held", ["data.append(data)", "data.append([data])", "data.append({'all': data})"])
def test_a_list_that_holds_itself_is_one_value(held: str) -> None:
    body = (
        f"def ask():\n    data = [{LONG!r}]\n    {held}\n"
        f"    return client.responses.create(model='gpt-4o', input=f'Keep to {{data}}')\n"
    )
    assert [expression for expression, _ in values_of(body)] == ["data"]
