"""What placeholders of constants are, by the code that fills them for something that is not seen to be sent."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile

WORDS = """
LEDGER_USER_MSG = '''# Ship to enter
{ship_entry}

# Instructions
Create a standalone entry for this ship using the following exact format:
- Flag: (the flag in one word)
- Berth: (the berth, as the harbour master gives it)
Focus on:
1. What the ship carries, and for whom
2. How long it stays, and who pays for the berth
3. Any damage that gives insights into its last journey

Keep the entry concise but informative. Follow the format exactly.'''
"""


def entry(code: str) -> Lifetime:
    """The lifetime of the one placeholder."""
    files = [SourceFile("prompts.py", WORDS), SourceFile("clerk.py", f"from prompts import LEDGER_USER_MSG\n{code}")]
    found = [t for e in analyse(files, lambda _: None).values() for t in e.templates if t.span.path == "prompts.py"]
    (template,) = found
    values = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]
    assert [value.name for value in values] == ["ship_entry"]
    return values[0].lifetime


@pytest.mark.parametrize(
    "code",
    [
        "def enter(ships, msgs):\n    for ship in ships:\n"
        "        msgs.append(LEDGER_USER_MSG.format(ship_entry=ship.told()))",
        "def enter(harbour, msgs):\n    ships = ['Anna']\n    ships.extend(harbour.ships())\n    for ship in ships:\n"
        "        msgs.append(LEDGER_USER_MSG.format(ship_entry=describe(ship)))",
        "def enter(harbour, msgs):\n    ships = []\n    ships += harbour.ships()\n    for ship in ships:\n"
        "        msgs.append(LEDGER_USER_MSG.format(ship_entry=describe(ship)))",
        "def enter(ships, msgs):\n    for number, ship in enumerate(ships):\n        told = describe(ship)\n"
        "        msgs.append(LEDGER_USER_MSG.replace('{ship_entry}', told).replace('tonnage', 'weight'))",
    ],
)
def test_what_a_loop_fills_in_changes_with_each_pass(code: str) -> None:
    assert entry(code) is Lifetime.REQUEST


@pytest.mark.parametrize(
    "code",
    [
        "def enter(ships, msgs, book):\n    for ship in ships:\n"
        "        msgs.append(LEDGER_USER_MSG.format(ship_entry=book.first))",
        "SHIPS = ('Anna', 'Berta')\ndef enter(msgs):\n    for ship in SHIPS:\n"
        "        msgs.append(LEDGER_USER_MSG.format(ship_entry=describe(ship)))",
        "def enter(msgs):\n    ships = ['Anna', 'Berta']\n    for ship in ships:\n"
        "        msgs.append(LEDGER_USER_MSG.format(ship_entry=describe(ship)))",
        "ships = {'a': ('Anna', 3), 'b': ('Berta', 4)}\ndef enter(msgs):\n    for _, (ship, at) in ships.items():\n"
        "        msgs.append(LEDGER_USER_MSG.format(ship_entry=describe(ship)))",
        "def enter(ships, msgs, book):\n    for ship in ships:\n        msgs.append(ship)\n"
        "    msgs.append(LEDGER_USER_MSG.format(ship_entry=book.last(ship)))",
        "",
    ],
)
def test_what_stays_the_same_is_left_open(code: str) -> None:
    assert entry(code) is Lifetime.UNKNOWN
