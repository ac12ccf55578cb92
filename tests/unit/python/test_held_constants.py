"""Prompts that the constants of a module hold: in dictionaries, in objects, in bodies of classes."""

from __future__ import annotations

import pytest
from prefixlint.model.segments import Value, walk
from python_support import templates_of

TEXT = (
    '"""You are a clerk. It is {current_time}. Your task is to answer the letter below. Think step by step, return '
    "your answer as JSON and do not add anything else to it. You must never promise a date or a price that is not in "
    'the list of the house. {letter}"""'
)
HOLDERS = {
    "dictionary": f"TEXTS = {{'desk': {TEXT}}}\n",
    "dictionary in a dictionary": f"TEXTS = {{'desk': {{'german': {TEXT}}}}}\n",
    "object of the project": f"""
class House:
    def __init__(self, text):
        self.text = text
    def filled(self, **values):
        return self.text.format(**values)
DESK = House({TEXT})
""",
    "body of a class": f"class House:\n    DESK = {TEXT}.strip()\n",
    "dictionary in the body of a class": f"class House:\n    texts: dict = {{'desk': {TEXT}}}\n",
}


@pytest.mark.parametrize("name", HOLDERS)
def test_its_placeholders_are_judged_by_their_names(name: str) -> None:
    (template,) = templates_of(HOLDERS[name])
    assert template.form == "prompt-constant"
    values = [s.expression for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]
    assert values == ["current_time", "letter"]


OTHERS = {
    "page": 'TEXTS = {"page": """<html><body>'
    + "Please answer the question of {user} below. " * 8
    + '</body></html>"""}\n',
    "error": 'ERRORS = {"file": """The file {path} was not found. ' + "It may have been moved. " * 8 + '"""}\n',
    "records": 'ROWS = {"a": {"b": {"c": {"d": ' + TEXT + "}}}}\n",
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_texts_are_none(name: str) -> None:
    assert templates_of(OTHERS[name]) == ()


BESIDE = """
from openai import OpenAI
RULES = '''You are the clerk of a post office. Letters are weighed on the scale by the door, parcels on the one behind
the desk. Never promise a day on which a letter arrives, and never read out an address to somebody in the queue.'''
def {name}(question):
    if not question:
        return "", 0
    user = f"{{question}} {{RULES}}"
    return {given}
"""


@pytest.mark.parametrize("given", ["user, len(user)", "RULES, user", "user"])
@pytest.mark.parametrize(("name", "found"), [("build_prompt", ["question"]), ("count_letters", [])])
def test_texts_that_a_function_gives_beside_something_else(name: str, found: list[str], given: str) -> None:
    templates = templates_of(BESIDE.format(name=name, given=given))
    segments = (segment for template in templates for block in template.blocks for segment in walk(block.segments))
    assert [segment.expression for segment in segments if isinstance(segment, Value)] == found
