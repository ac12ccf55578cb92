"""What an example gives to a function of the project it belongs to says nothing of other callers."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.trials import example_folder
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile

LIBRARY = '''
from openai import OpenAI
client = OpenAI()
TEXT = """You sort the letters that reach a lighthouse. This one came today: {request}
Bills go to the office and seed catalogues to the garden. Your task is to say in one line where it goes."""
def sort(request):
    return client.responses.create(model="gpt-4o", input=TEXT.format(request=request))
'''
CALLER = """
from post.sorting import sort
def show():
    return sort(request="A bill for lamp oil.")
"""
OWN = LIBRARY + "\ndef show():\n    return sort('A bill for lamp oil.')\n"


def lifetimes(*files: tuple[str, str]) -> dict[str, Lifetime]:
    found = analyse([SourceFile(path, text) for path, text in files], lambda path: None)
    assert all(extraction.faults == () for extraction in found.values())
    return {
        segment.expression: segment.lifetime
        for extraction in found.values()
        for template in extraction.templates
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    }


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("examples/post.py", "examples/"),
        ("docs/src/post.py", "docs/"),
        ("src/post/Examples/one/main.py", "src/post/Examples/"),
        ("demo/samples/main.py", "demo/"),
        ("post/examples.py", ""),
        ("post/sorting.py", ""),
    ],
)
def test_the_folder_of_examples(path: str, folder: str) -> None:
    assert example_folder(path) == folder


def test_an_example_fills_nothing_in() -> None:
    assert lifetimes(("post/sorting.py", LIBRARY), ("examples/show.py", CALLER)) == {"request": Lifetime.REQUEST}


def test_neither_does_the_body_of_one() -> None:
    body = "from post.sorting import sort\nprint(sort('A bill.'), 'You are a clerk. Your task is to answer letters.')\n"
    assert lifetimes(("post/sorting.py", LIBRARY), ("examples/show.py", body)) == {"request": Lifetime.REQUEST}


def test_another_part_of_the_project_does() -> None:
    assert lifetimes(("post/sorting.py", LIBRARY), ("post/show.py", CALLER)) == {}


def test_so_does_an_example_for_its_own_functions() -> None:
    assert lifetimes(("examples/show.py", OWN)) == {}


def test_what_varies_in_an_example_is_told() -> None:
    caller = CALLER.replace('"A bill for lamp oil."', "input()")
    assert set(lifetimes(("post/sorting.py", LIBRARY), ("examples/show.py", caller)).values()) == {Lifetime.TURN}


def test_a_demonstration_with_constants_does_not_hide_what_other_callers_fill_in() -> None:
    program = (
        LIBRARY
        + """
class Desk:
    def sort(self, letter):
        return sort(letter)
    def all(self, pool, letters):
        return [pool.submit(self.sort, letter) for letter in letters]
def main():
    print(Desk().sort("A bill for lamp oil."))
"""
    )
    assert lifetimes(("post/sorting.py", program)) == {"request": Lifetime.REQUEST}
