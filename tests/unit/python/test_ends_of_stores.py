"""The newest entries of a store, of which messages of both sides are made: a window, whatever asks for them."""

from __future__ import annotations

import pytest
from python_support import templates_of

PROGRAM = """
from openai import OpenAI
from drawers import open_drawer

client = OpenAI()
SHOWN = [("user", "A parcel?"), ("assistant", "Hall B."), ("user", "A card?"), ("assistant", "Box 2.")]

class Drawer:
    def everything(self, room):
        return self.store.fetch(room)

    def last_n(self, n, room):
        everything = self.everything(room)
        first = [one for one in everything if one.kind == "opening"]
        rest = [one for one in everything if one.kind == "letter" and not one.dropped]
        if len(rest) <= n:
            rest = first + rest
        else:
            rest = first + rest[-n:]
        rest.sort(key=lambda one: one.at, reverse=False)
        return rest

class Clerk:
    def __init__(self, drawer, keep):
        self.drawer = drawer
        self.keep = keep

    def ask(self, room, wish):
        talk = [{"role": "system", "content": "You sort letters in a post office on an island. Be kind to everybody."}]
        for one in FOUND:
            if one.by == "clerk":
                talk.append({"role": "assistant", "content": one.said})
            else:
                talk.append({"role": "OTHER", "content": one.said})
        talk.append({"role": "user", "content": wish})
        return client.chat.completions.create(model="gpt-4o", messages=talk)
"""


def windows(found: str, other: str = "user") -> list[str]:
    """What is said to keep the end of a conversation."""
    program = PROGRAM.replace("FOUND", found).replace("OTHER", other)
    segments = [s for t in templates_of(program) for block in t.blocks for s in block.segments]
    drifts = [getattr(s, "drift", None) for s in segments]
    return sorted({d.expression for d in drifts if d is not None and d.kind == "window"})


@pytest.mark.parametrize(
    "found",
    [
        "self.drawer.fetch(room)[-self.keep:]",
        "self.drawer.fetch(wish)[-20:]",
        "open_drawer(room, wish)[-self.keep:]",
        "self.drawer.items[-20:]",
        "self.drawer.get_last_n(self.keep, room)",
        "self.drawer.last_entries(number=12)",
        "self.drawer.recent(room, limit=self.keep)",
        "Drawer().last_n(self.keep, room)",
    ],
)
def test_so_many_of_the_newest(found: str) -> None:
    assert windows(found) == [found]
    assert windows(found, "assistant") == []  # of one side alone


@pytest.mark.parametrize(
    "found",
    [
        "SHOWN[-2:]",  # the same each time
        "self.drawer.search(wish)[-4:]",  # looked up for what is asked
        "self.drawer.fetch(room)[-1:]",
        "self.drawer.get_last_n(1)",
        "self.drawer.last_letters(room)",  # those of a time, perhaps
        "self.drawer.fetch(room)",
    ],
)
def test_others_are_none(found: str) -> None:
    assert windows(found) == []
