"""No search for garbage runs during an analysis: what holds itself would stay to its end."""

from __future__ import annotations

import gc
from collections import Counter

from prefixlint.frontends.python.analyse import analyse
from prefixlint.model.sources import SourceFile

PART = """
def answer_{number}(question, notes):
    parts = []
    for note in notes:
        parts.append(f"- {{note}}")
    for name in ("first", "second"):
        parts.append(name)
    parts += [f"{{part}}!" for part in parts if part]
    shown = {{part: part.upper() for part in parts}}
    while len(parts) > 3:
        parts.pop()
    try:
        text = "\\n".join(shown)
    except ValueError:
        text = question
    with open("notes.txt") as file:
        text += file.read()
    return client.chat.completions.create(model="gpt-4o", messages=[{{"role": "user", "content": text}}])
"""


HEAD = "from openai import OpenAI\n\nclient = OpenAI()\n"


def _left_by(*programs: str) -> Counter[str]:
    """What nothing but itself holds: variables of inner functions, states of functions that were run, interpreters."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        found = analyse([SourceFile(f"{n}.py", program) for n, program in enumerate(programs)], lambda _: None)
        assert all(extraction.templates for extraction in found.values())
        gc.collect()
        kinds = (type(one).__name__ for one in gc.garbage)
        return Counter(kind for kind in kinds if kind in ("cell", "Frame", "generator", "Lookup", "LoopRuns"))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def _program(functions: int) -> str:
    return HEAD + "".join(PART.format(number=n) for n in range(functions))


def test_what_holds_itself_does_not_grow_with_what_is_run() -> None:
    _left_by(_program(1))  # tables are read
    assert _left_by(_program(12)) == _left_by(_program(3))


def test_no_interpreter_of_a_module_stays() -> None:
    _left_by(_program(1))
    assert _left_by(*[_program(1)] * 5) == _left_by(_program(1))
