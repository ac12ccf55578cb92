"""Parses the regular expressions with which tokenizers cut text into pieces.

Covers what such patterns use: alternation, groups, ``(?i:...)``, look-ahead, classes with Unicode categories,
``\\s``, ``\\S``, ``\\d``, greedy, lazy and possessive repetition, and ``$``. Anything else raises
``UnsupportedPattern``: such a pattern is not analysed, never guessed at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.tokens import charsets

if TYPE_CHECKING:
    from prefixlint.tokens.charsets import CharTest


class UnsupportedPattern(ValueError):
    """The pattern uses something that is not analysed here."""


@dataclass(frozen=True, slots=True, eq=False)
class Char:
    test: CharTest


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Alternation:
    arms: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    """``mode`` is "greedy", "lazy" or "possessive"; ``most`` is None for no limit."""

    item: Node
    least: int
    most: int | None
    mode: str


@dataclass(frozen=True, slots=True, eq=False)
class LookAhead:
    item: Node
    negative: bool


@dataclass(frozen=True, slots=True, eq=False)
class End:
    r"""``$`` as in Rust's regex crate: the very end of the text."""


Node = Char | Sequence | Alternation | Repeat | LookAhead | End

_CONTROL = {"r": "\r", "n": "\n", "t": "\t", "f": "\f", "v": "\v"}
_CATEGORIES = frozenset(
    f"{group}{kind}"
    for group, kinds in {
        "L": "ultmo",
        "M": "nce",
        "N": "dlo",
        "P": "cdseifo",
        "S": "mcko",
        "Z": "slp",
        "C": "cfo",
    }.items()
    for kind in ("", *kinds)
)


def parse(pattern: str, *, dollar_is_end: bool) -> Node:
    """Parses ``pattern``; ``dollar_is_end``: ``$`` means the end of the text alone (not so in Oniguruma)."""
    parser = _Parser(pattern, dollar_is_end)
    node = parser.alternation(ignore_case=False)
    if parser.at != len(pattern):
        raise UnsupportedPattern(f"unbalanced parenthesis at {parser.at} in {pattern!r}")
    return node


class _Parser:
    def __init__(self, pattern: str, dollar_is_end: bool) -> None:
        self.pattern = pattern
        self.dollar_is_end = dollar_is_end
        self.at = 0

    def peek(self, length: int = 1) -> str:
        return self.pattern[self.at : self.at + length]

    def take(self, expected: str) -> bool:
        if self.pattern.startswith(expected, self.at):
            self.at += len(expected)
            return True
        return False

    def refuse(self, what: str) -> UnsupportedPattern:
        return UnsupportedPattern(f"{what} at {self.at} in {self.pattern!r}")

    def alternation(self, *, ignore_case: bool) -> Node:
        arms = [self.sequence(ignore_case=ignore_case)]
        while self.take("|"):
            arms.append(self.sequence(ignore_case=ignore_case))
        return arms[0] if len(arms) == 1 else Alternation(tuple(arms))

    def sequence(self, *, ignore_case: bool) -> Node:
        items: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            item = self.repeated(self.atom(ignore_case=ignore_case))
            seen = items[-1] if items else None
            if isinstance(item, Char) and isinstance(seen, LookAhead) and isinstance(seen.item, Char):
                # A look at one character and then that character are one test.
                look = charsets.negated(seen.item.test) if seen.negative else seen.item.test
                items[-1] = Char(charsets.remembered(charsets.all_of([look, item.test])))
            else:
                items.append(item)
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def repeated(self, item: Node) -> Node:
        limits = self.limits()
        if limits is None:
            return item
        if isinstance(item, LookAhead | End):
            raise self.refuse("a repeated assertion")
        mode = "possessive" if self.take("+") else "lazy" if self.take("?") else "greedy"
        if mode == "possessive" and not isinstance(item, Char):
            raise self.refuse("a possessive group")
        if self.peek() in ("*", "+", "?"):
            raise self.refuse("a repeated repetition")
        return Repeat(item, *limits, mode)

    def limits(self) -> tuple[int, int | None] | None:
        for sign, limits in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(sign):
                return limits
        if self.peek() != "{":
            return None
        close = self.pattern.find("}", self.at)
        least, comma, most = self.pattern[self.at + 1 : max(close, self.at + 1)].partition(",")
        if not least.isdecimal() or (most and not most.isdecimal()):
            raise self.refuse("a repetition that is not {n}, {n,} or {n,m}")
        self.at = close + 1
        if not comma:
            return int(least), int(least)
        return int(least), int(most) if most else None

    def atom(self, *, ignore_case: bool) -> Node:
        char = self.peek()
        if char == "(":
            return self.group(ignore_case=ignore_case)
        if char == "$":
            if not self.dollar_is_end:
                raise self.refuse("$ of a regex engine where it means the end of a line")
            self.at += 1
            return End()
        if char in ("*", "+", "?", "{", "^"):
            raise self.refuse(f"unexpected {char!r}")
        test = self.character_class() if char == "[" else self.single()
        return Char(charsets.remembered(charsets.ignoring_case(test) if ignore_case else test))

    def group(self, *, ignore_case: bool) -> Node:
        negative = False
        look = False
        if self.take("(?:"):
            pass
        elif self.take("(?i:"):
            ignore_case = True
        elif self.take("(?="):
            look = True
        elif self.take("(?!"):
            look = negative = True
        elif self.peek(2) == "(?":
            raise self.refuse("a group of a kind that is not analysed")
        else:
            self.at += 1
        inner = self.alternation(ignore_case=ignore_case)
        if not self.take(")"):
            raise self.refuse("a group without its end")
        return LookAhead(inner, negative) if look else inner

    def single(self) -> CharTest:
        char = self.peek()
        self.at += 1
        if char == ".":
            return charsets.negated(charsets.literal("\n"))
        return self.escape() if char == "\\" else charsets.literal(char)

    def escape(self) -> CharTest:
        char = self.peek()
        self.at += 1
        if char in ("s", "S"):
            return charsets.white_space if char == "s" else charsets.negated(charsets.white_space)
        if char == "d":
            return charsets.category("Nd")
        if char in ("p", "P"):
            close = self.pattern.find("}", self.at)
            name = self.pattern[self.at + 1 : close] if self.peek() == "{" and close != -1 else self.peek()
            if name not in _CATEGORIES:
                raise self.refuse(f"the property {name!r}")
            self.at = close + 1 if self.peek() == "{" else self.at + 1
            return charsets.category(name) if char == "p" else charsets.negated(charsets.category(name))
        if char in _CONTROL:
            return charsets.literal(_CONTROL[char])
        if not char or char.isalnum():
            raise self.refuse(f"the escape \\{char}")
        return charsets.literal(char)

    def character_class(self) -> CharTest:
        self.at += 1
        inverted = self.take("^")
        tests: list[CharTest] = []
        while not self.take("]"):
            if self.peek() in ("", "[") or self.peek(2) == "&&":
                raise self.refuse("a class inside a class")
            start = self.peek()
            test = self.single() if start != "." else self.dot()
            if self.peek() == "-" and self.peek(2) != "-]":
                self.at += 1
                last = self.peek()
                if "\\" in (start, last) or not last:
                    raise self.refuse("a range between escapes")
                self.at += 1
                test = charsets.character_range(start, last)
            tests.append(test)
        joined = charsets.any_of(tests)
        return charsets.negated(joined) if inverted else joined

    def dot(self) -> CharTest:
        self.at += 1
        return charsets.literal(".")
