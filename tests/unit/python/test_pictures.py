"""Code that takes pictures out of all but the newest messages, where nobody is seen to send them."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python.merge import drifts
from python_support import templates_of

SELECTED = '''
def spare(store, most):
    """Leaves the assistant so many pictures."""
    shown = []
    for one in store.get_all():
        if isinstance(one.content, list) and any(part.get("type") == "image_url" for part in one.content):
            shown.append(one)
    CONDITION
    for one in OLD:
        one.content = [part for part in one.content if part.get("type") != "image_url"]
        store.update(one)
'''
REMOVED = '''
def spare(talk):
    """For the assistant."""
    screenshots = [one for one in talk if one["type"] == "image"]
    print(screenshots[0]["content"])
    for one in screenshots[:-KEPT]:
        talk.remove(one)
'''
COUNTED = '''
def spare(self, most):
    """For the assistant."""
    for agent in self.agents:
        seen = 0
        for i in range(len(agent.log) - 1, -1, -1):
            for j, part in enumerate(agent.log[i]["content"]):
                if "image" in part.get("type", ""):
                    seen += 1
                    if seen > most:
                        del agent.log[i]["content"][j]
                        LEAVES
'''


def told(program: str) -> list[str]:
    found = templates_of(program)
    places = [(place.start.line, place.start.column) for t in found for place in drifts(t)]
    lines = program.splitlines()
    return [lines[line - 1][column - 1 :] for line, column in places]


@pytest.mark.parametrize("old", ["shown[:-most]", "shown[: len(shown) - most]", "shown[:surplus]"])
def test_the_older_ones_of_those_with_pictures(old: str) -> None:
    program = SELECTED.replace("CONDITION", "surplus = len(shown) - most").replace("OLD", old)
    assert told(program) == [f"{old}:"]


def test_as_many_as_there_are_too_many() -> None:
    condition = "if len(shown) <= most:\n        return"
    assert told(SELECTED.replace("CONDITION", condition).replace("OLD", "shown[:-most]")) == ["shown[:-most]:"]


@pytest.mark.parametrize(
    ("condition", "old"),
    [
        ("", "shown"),  # all of them alike
        ("", "shown[:10]"),  # the same ones each time
        ("if len(shown) <= 4 * most:\n        return", "shown[:-most]"),  # many at a time
        ("", "shown[:-1]"),  # the last one alone
    ],
)
def test_others_are_left_alone(condition: str, old: str) -> None:
    assert told(SELECTED.replace("CONDITION", condition).replace("OLD", old)) == []


def test_whole_messages_that_are_pictures() -> None:
    assert told(REMOVED.replace("KEPT", "2")) == ["screenshots[:-2]:"]
    assert told(REMOVED.replace("KEPT", "2").replace("screenshots", "errors").replace('"image"', '"error"')) == []


def test_pictures_counted_from_the_newest_on() -> None:
    assert told(COUNTED.replace("LEAVES", "")) == ["seen > most:"]
    assert told(COUNTED.replace("image", "note").replace("LEAVES", "")) == []


def test_only_where_there_was_no_room() -> None:
    caller = """

def ask(model, talk):
    try:
        return model.ask(talk)
    except ContextFull:
        spare(talk)
        return model.ask(talk)
"""
    assert told(REMOVED.replace("KEPT", "2") + caller) == []
    assert told(REMOVED.replace("KEPT", "2") + caller.replace("    try:", "    spare(talk)\n    try:")) != []


def test_other_things_that_hold_pictures() -> None:
    frames = """
def spare(frames):
    for frame in frames[:-4]:
        frame.image = None
"""
    assert told(frames) == []
    assert told(REMOVED.replace("assistant", "album").replace("KEPT", "2")) == []


def test_a_window_beside_them_is_another_fault() -> None:
    beside = COUNTED.replace("LEAVES", "") + "    if len(self.talk.messages) > 9:\n        self.talk.messages.pop(1)\n"
    program = "class Screen:\n" + "\n".join(f"    {line}" for line in beside.splitlines())
    assert any(place.startswith("seen > most") for place in told(program))
