"""Words by which a string or a name reads like a prompt (data: ``phrases.toml``)."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from prefixlint import package_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Phrases:
    """``phrase`` and ``code`` find in lower-case text; ``prompt_name``, ``other_name`` and ``documentation`` find in
    lower-case names."""

    phrase: re.Pattern[str]
    code: re.Pattern[str]
    prompt_name: re.Pattern[str]
    other_name: re.Pattern[str]
    documentation: re.Pattern[str]


@cache
def phrases() -> Phrases:
    """The built-in table; raises ``KeyError`` or ``ValueError`` on a malformed data file."""
    raw = package_data.table(__file__, "phrases.toml")
    return Phrases(
        _phrase(raw["phrase"]),
        _code(raw["code"]),
        _prompt_name(raw["prompt_name"]),
        _other_name(raw["other_name"]),
        re.compile(f"{_any(raw['documentation']['last'])}$"),
    )


def _any(words: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(word) for word in words) + ")"


def _phrase(rows: Sequence[_Row]) -> re.Pattern[str]:
    """One pattern for all phrases, grouped by first letter, so that the search runs over all other letters at once.

    Behind its first letter a phrase looks back for the edge in front of it.
    """
    by_letter: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        edges = row.get("edges", "both")
        if edges not in ("both", "start", "none"):
            raise ValueError(f"phrases.toml: unknown edges {edges!r}")
        before, behind = ("" if edges == "none" else r"(?<!\w.)"), (r"\b" if edges == "both" else "")
        for letter, rest in _starts(row["slots"]):
            by_letter[letter].append(before + rest + behind)
    groups = (f"{re.escape(letter)}(?:{'|'.join(rests)})" for letter, rests in by_letter.items())
    return re.compile("|".join(groups), re.DOTALL)


def _starts(slots: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """First letters that the slots can begin with, each with the pattern of what follows."""
    first, *rest = slots
    following = _following(rest)
    for word in first:
        if word:
            yield word[0], re.escape(word[1:]) + following
        else:
            yield from _starts(rest)


def _following(slots: Sequence[Sequence[str]]) -> str:
    out = ""
    for slot in slots:
        words = _any(word for word in slot if word)
        out += f"(?: {words})?" if "" in slot else f" {words}"
    return out


def _code(table: _Row) -> re.Pattern[str]:
    starts = _any(table["line_starts"]).replace(re.escape("*"), r"\w+")
    return re.compile(
        rf"<{_any(table['tags'])}\b|(?:^|[(\"';])\s*{_any(table['sql'])}\b(?!\s+{_any(table['sql_not'])}\b(?!\.\w))"
        rf".*\b{_any(table['sql_then'])}"
        rf"|^\s*{starts}|\b{_any(table['words'])}",
        re.MULTILINE | re.DOTALL,
    )


def _prompt_name(table: _Row) -> re.Pattern[str]:
    pairs = "|".join(f"{re.escape(left)}_?{re.escape(right)}" for left, right in table["pairs"])
    return re.compile(rf"{_any(table['anywhere'])}|{pairs}|(?:^|_){_any(table['words'])}(?:_|$)")


def _other_name(table: _Row) -> re.Pattern[str]:
    return re.compile(rf"{_any(table['anywhere'])}|{_any(table['last'])}$")
