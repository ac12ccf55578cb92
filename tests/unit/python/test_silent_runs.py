"""Where nothing of a run can send a prompt, callers are not looked at for what they could make of one."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import batches
from prefixlint.frontends.python.analyse import analyse
from prefixlint.model.sources import SourceFile

FULL = "The parcel could not be put on the shelf, since the shelf is full. Take one out, then put it there, or call. "
PROGRAM = f"""
IMPORTED

def explain(code):
    return "{FULL * 2}" + str(code)

def advise(code):
    return str(code) + "{FULL * 2}"

def report(code):
    return explain(code) + advise(code)

def other(code):
    return explain(code) + 1
SENDS
"""
TEXTS = {"explain", "advise"}
POSTS = "def talk(text):\n    return requests.post('u', json={'prompt': text})"
PICKS = (
    "def talk(text, fast):\n    send = requests.post if fast else requests.put\n"
    "    return send('u', json={'prompt': text})"
)
SHOWS = f"def talk(request):\n    return {{'messages': found(request), 'for': request.user, 'text': '{FULL * 2}'}}"
HELD = f"def talk(self):\n    return {{'messages': found(self.request), 'text': '{FULL * 2}'}}"
ASKS = "def talk(text):\n    return llm.generate(prompt=text)"


@pytest.mark.parametrize(
    ("imported", "sends", "run"),
    [
        ("import shelves", "", TEXTS),
        ("import requests", "", TEXTS),
        ("import anthropic", "", TEXTS | {"report"}),
        ("import requests", POSTS, TEXTS | {"report", "talk"}),
        ("import requests", PICKS, TEXTS | {"report", "talk"}),
        ("import shelves", SHOWS, TEXTS | {"talk"}),
        ("import shelves", HELD, TEXTS | {"talk"}),
        ("from desk import llm", ASKS, TEXTS | {"report", "talk"}),
    ],
)
def test_callers(imported: str, sends: str, run: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    run_function = batches.run_function
    monkeypatch.setattr(batches, "run_function", lambda i, info: (seen.add(info.name), run_function(i, info))[1])
    source = PROGRAM.replace("IMPORTED", imported).replace("SENDS", sends)
    analyse([SourceFile("app.py", source)], lambda _: None)
    assert seen == run
