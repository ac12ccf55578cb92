"""``re.sub`` on prompts, and cuts of a conversation some calls away: what is found hangs on no order of the code."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.segments import Drift, Value, walk
from prefixlint.model.sources import SourceFile

RULES = "You sort letters in a post office on an island. Letters without a stamp are delivered too.\\n\\nBe kind."


def expressions(call: str) -> list[str]:
    code = f"""
import re
from datetime import datetime
from openai import OpenAI
client = OpenAI()
RULES = "You sort letters in a post office on an island. Letters without a stamp are delivered too.\\n\\nBe kind."
def ask(question):
    system = {call}
    client.chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": system}}, {{"role": "user", "content": question}}])
"""
    found = analyse([SourceFile("post.py", code)], lambda _: None)
    (template,) = (t for t in found["post.py"].templates if t.form == "openai-chat")
    return [s.expression for s in walk(template.blocks[0].segments) if isinstance(s, Value)]


@pytest.mark.parametrize("space", [r"\s+", r"\n\n", r"[ \t]+"])
def test_white_space_for_white_space_changes_nothing(space: str) -> None:
    assert expressions(f're.sub(r"{space}", " ", RULES)') == []


def test_what_takes_the_place_of_white_space_is_there() -> None:
    assert expressions(r're.sub(r"\n\n", "\nIt is " + datetime.now().isoformat() + "\n", RULES)') != []


def test_flags_and_counts_say_more_than_the_pattern() -> None:
    for more in ("flags=re.I", "count=1", "1"):
        assert expressions(rf're.sub(r"\{{NOW\}}", datetime.now().isoformat(), RULES + "{{now}}", {more})') != []


STEPS = """
    def step_one(self):
        self.step_two()

    def step_two(self):
        self.step_three()

    def step_three(self):
        self.messages.pop(1)
"""
FAR = """
    def far(self):
        self.run("x")
"""
RUN = """
    def run(self, question):
        self.messages.append({"role": "user", "content": question})
        self.client.chat.completions.create(model="gpt-4o", messages=self.messages)
        if len(self.messages) > 9:
            self.step_one()
"""


@pytest.mark.parametrize("order", [(FAR, RUN, STEPS), (RUN, STEPS, FAR), (STEPS, FAR, RUN)])
def test_a_cut_some_calls_away_is_found_wherever_its_callers_stand(order: tuple[str, ...]) -> None:
    head = f"""
from openai import OpenAI
class Desk:
    def __init__(self):
        self.client = OpenAI()
        self.messages = [{{"role": "system", "content": "{RULES}"}}]
"""
    found = analyse([SourceFile("desk.py", head + "".join(order))], lambda _: None)
    drifts = {
        drift.kind
        for template in found["desk.py"].templates
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(drift := getattr(segment, "drift", None), Drift)
    }
    assert "window" in drifts
