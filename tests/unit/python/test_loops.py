"""What loops leave in lists and dictionaries, seen from behind them."""

from __future__ import annotations

from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Repeat, walk
from prefixlint.model.sources import SourceFile

RULES = "You wind the clocks of a town hall. Say which clock runs slow, by how much, and who has the key to the tower."
PROGRAM = f"""
from openai import OpenAI

class Agent:
    def __init__(self, function_list):
        self.tools = {{}}
        for function in function_list:
            self.register(function)

    def register(self, tool):
        self.tools[tool.name] = make(tool)

    def run(self, question):
        told = "\\n".join(tool.text for tool in self.tools.values())
        system = {{"role": "system", "content": f"{{told}} {RULES}"}}
        OpenAI().chat.completions.create(model="m", messages=[system, {{"role": "user", "content": question}}])
"""


def test_a_dictionary_filled_in_a_loop_lasts_as_long_as_what_is_run_over() -> None:
    found = analyse([SourceFile("app.py", PROGRAM)], lambda path: None)["app.py"]
    (template,) = found.templates
    system = template.blocks[0].segments
    lifetimes = {segment.lifetime for segment in walk(system) if isinstance(segment, Repeat)}
    assert lifetimes == {Lifetime.DEPLOYMENT}
