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
