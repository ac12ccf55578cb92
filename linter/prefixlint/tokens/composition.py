"""What Unicode normalisation form C can make of the end of a text when more text follows.

A combining character that follows can join the last character (``e`` and U+0301 become ``é``). Earlier characters stay:
composition never reaches past the last character of combining class 0.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import cache


def open_end(text: str) -> int:
    """For ``text`` in form C: the offset from which a continuation can change it."""
    at = len(text)
    while at > 0:
        at -= 1
        if unicodedata.combining(text[at]) == 0 and unicodedata.category(text[at]) != "Cn":
            return at if at + 1 < len(text) or _can_change(text[at]) else len(text)
    return at


def joined_forms(char: str) -> tuple[str, ...] | None:
    """What can stand in the place of ``char`` when combining characters follow it, other characters behind it or not.

    For ``é`` also ``ẹ``: a dot below goes before the accent, which then stands by itself. None where that is not worked
    out here.
    """
    if _is_hangul(char):
        return None
    if unicodedata.combining(char) or unicodedata.category(char) == "Cn":
        return None  # what follows can also be put in front of it
    # The base alone cannot stand there: the accent it has now stays next to it, unless another one joins first.
    return tuple(form for form in _closure(unicodedata.normalize("NFD", char)[0]) if form != char)


def _closure(char: str) -> list[str]:
    forms: list[str] = []
    for form in _joins().get(char, ()):
        forms += [form, *_closure(form)]
    return forms


def _can_change(char: str) -> bool:
    return char in _joins() or _is_hangul(char) or unicodedata.normalize("NFD", char) != char


def _is_hangul(char: str) -> bool:
    return "\u1100" <= char <= "\u11ff" or "\uac00" <= char <= "\ud7a3"


@cache
def _joins() -> dict[str, tuple[str, ...]]:
    """First character of each canonical composition, and the characters composed from it (Hangul syllables aside)."""
    joins = defaultdict(list)
    for code in range(0xC0, 0x20000):
        char = chr(code)
        parts = unicodedata.decomposition(char).split()
        if len(parts) == 2 and not parts[0].startswith("<") and unicodedata.is_normalized("NFC", char):
            joins[chr(int(parts[0], 16))].append(char)
    return {first: tuple(forms) for first, forms in joins.items()}
