"""Tests of single characters, as the classes of a tokenizer's pattern state them.

A test answers True, False, or None where the answer depends on the Unicode version: Python's tables and those of the
tokenizer's regex engine differ in characters that are not assigned here yet.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

CharTest = Callable[[str], "bool | None"]

# White_Space of the Unicode standard (PropList.txt, stable since Unicode 6.3). Python's str.isspace adds U+001C to
# U+001F.
WHITE_SPACE = frozenset("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | frozenset(
    map(chr, range(0x2000, 0x200B))
)

# Assigned characters whose general category a version since Unicode 14 changed (U+0295: Ll to Lo).
_MOVED = frozenset("\u0295")


def literal(char: str) -> CharTest:
    return lambda other: other == char


def character_range(first: str, last: str) -> CharTest:
    return lambda char: first <= char <= last


def white_space(char: str) -> bool | None:
    return char in WHITE_SPACE


def category(name: str) -> CharTest:
    """Characters of a general category ("Lu") or a group of them ("L")."""

    def test(char: str) -> bool | None:
        own = unicodedata.category(char)
        return None if own == "Cn" or char in _MOVED else own.startswith(name)

    return test


def negated(inner: CharTest) -> CharTest:
    def test(char: str) -> bool | None:
        answer = inner(char)
        return None if answer is None else not answer

    return test


def any_of(tests: list[CharTest]) -> CharTest:
    def test(char: str) -> bool | None:
        answers = [inner(char) for inner in tests]
        return True if True in answers else None if None in answers else False

    return test


def all_of(tests: list[CharTest]) -> CharTest:
    def test(char: str) -> bool | None:
        answers = [inner(char) for inner in tests]
        return False if False in answers else None if None in answers else True

    return test


def ignoring_case(inner: CharTest) -> CharTest:
    """As ``inner`` for any case of the character; None where only a character outside ASCII folds to it."""

    def test(char: str) -> bool | None:
        forms = {char, char.lower(), char.upper(), char.casefold()}
        if not any(inner(form) for form in forms if len(form) == 1):
            return False
        return True if char.isascii() else None

    return test


def remembered(inner: CharTest) -> CharTest:
    """``inner`` with its answers kept: a prompt has few different characters."""
    answers: dict[str, bool | None] = {}

    def test(char: str) -> bool | None:
        try:
            return answers[char]
        except KeyError:
            answer = answers[char] = inner(char)
            return answer

    return test
