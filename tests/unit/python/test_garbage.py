"""No search for garbage runs during an analysis: what holds itself would stay to its end."""

from __future__ import annotations

import gc
from collections import Counter

from python_support import templates_of

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


def _left_by(functions: int) -> Counter[str]:
    """Variables of inner functions, and states of functions that were run, that nothing but themselves holds."""
    program = "from openai import OpenAI\n\nclient = OpenAI()\n" + "".join(
        PART.format(number=n) for n in range(functions)
    )
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        assert templates_of(program)
        gc.collect()
        kinds = (type(one).__name__ for one in gc.garbage)
        return Counter(kind for kind in kinds if kind in ("cell", "Frame", "generator"))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_what_holds_itself_does_not_grow_with_what_is_run() -> None:
    _left_by(1)  # tables are read
    assert _left_by(12) == _left_by(3)
