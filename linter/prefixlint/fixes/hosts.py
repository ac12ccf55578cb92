"""Where a prompt's text stands in a file, character by character, and how to write it in another order.

Edits are exact: each character of the text knows the stretch of the file that it comes from, and a new order is put
together from these stretches. Quotes, escapes, comments, indentation and line ends are thereby kept as they are, which
a round trip through a YAML or Jinja document would not do for folded scalars and for comments in front of a value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.fixes.edits import replace
from prefixlint.fixes.flow import FIXED, VALUE, Flow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.fixes.flow import Move
    from prefixlint.model.findings import Edit
    from prefixlint.model.sources import SourceFile, SourceMap


LONGEST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Token:
    """One string literal (``opening`` and ``closing`` are its prefix and quotes) or one stretch of code.

    Prompt files are one token without quotes.
    """

    start: int
    end: int
    opening: str = ""
    closing: str = ""
    literal: bool = True

    @property
    def body(self) -> tuple[int, int]:
        return self.start + len(self.opening), self.end - len(self.closing)


@dataclass(slots=True)
class Host:
    """The characters of a text with their tokens and their stretches of the file.

    ``joiner`` stands between two tokens that follow one another ("" where there is but one); None where something
    stands between tokens that must not get lost.
    """

    source: SourceFile
    tokens: list[Token] = field(default_factory=list)
    joiner: str | None = ""
    chars: list[str] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    lives: dict[int, float] = field(default_factory=dict)

    def add_map(self, text: str, source: SourceMap, values: Sequence[tuple[int, int, float]] = ()) -> None:
        """Adds fixed text. ``values`` are stretches of the file within it that are placeholders, with their ranks."""
        owner = len(self.tokens) - 1
        for run in source.runs:
            same = run.length == run.source_length
            for number in range(run.length):
                at = run.source_start + (number if same else 0)
                end = at + 1 if same else run.source_start + run.source_length
                value = next((each for each in values if each[0] <= at < each[1]), None)
                if value is not None:
                    if self.starts and self.starts[-1] == value[0] and self.chars[-1] == VALUE:
                        continue
                    self.add_value(value[0], value[1], value[2])
                elif not same and number and self.starts and self.starts[-1] == at:
                    # One escape that stands for several characters cannot be cut.
                    self._put(text[run.start + number], owner, end, end)
                else:
                    self._put(text[run.start + number], owner, at, end)

    def add_value(self, start: int, end: int, rank: float) -> None:
        if rank < FIXED:
            self.lives[len(self.chars)] = rank
        self._put(VALUE, len(self.tokens) - 1, start, end)

    def _put(self, char: str, owner: int, start: int, end: int) -> None:
        self.chars.append(char)
        self.owners.append(owner)
        self.starts.append(start)
        self.ends.append(end)

    def close(self) -> None:
        """Gives what stands between characters of one token (indentation, comments, tags) to one of the two."""
        text = self.source.text
        for at in range(len(self.chars) - 1):
            low, high = self.ends[at], self.starts[at + 1]
            if self.owners[at] != self.owners[at + 1] or low >= high:
                continue
            if self.chars[at] == "\n" and not text[low:high].strip():
                self.ends[at] = high
            else:
                self.starts[at + 1] = low

    @property
    def ordered(self) -> bool:
        """Do the characters stand in the file in the order of the text?"""
        return all(
            self.ends[at] <= self.starts[at + 1]
            for at in range(len(self.chars) - 1)
            if self.owners[at] == self.owners[at + 1]
        )

    def flow(self) -> Flow:
        return Flow("".join(self.chars), dict(self.lives))

    def offset(self, start: int, end: int) -> int | None:
        """The value that the stretch of the file ``start`` to ``end`` lies in."""
        for at, char in enumerate(self.chars):
            if char == VALUE and self.starts[at] <= start and end <= self.ends[at]:
                return at
        return None

    def edit(self, move: Move) -> Edit | None:
        """The edit that writes the text in the order of ``move``; None where that cannot be written."""
        new = self.written(move.ranges)
        if new is None:
            return None
        return replace(self.source, self.tokens[0].start, self.tokens[-1].end, new)

    def told(self, move: Move) -> str:
        """What the move does, for people."""
        start, end = self.starts[move.unit[0]], self.ends[move.unit[1] - 1]
        shown = " ".join(self.source.text[start:end].split())
        shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[: LONGEST_SHOWN - 1].rstrip()}…"
        return f"move {move.what} `{shown}` behind the text that stays the same"

    def written(self, ranges: Iterable[tuple[int, int]]) -> str | None:
        """The text of ``ranges`` as tokens; None where the tokens cannot be put together anew."""
        parts: list[tuple[int, list[tuple[int, int]]]] = []
        for start, end in ranges:
            at = start
            while at < end:
                owner, last = self.owners[at], at
                while last + 1 < end and self.owners[last + 1] == owner:
                    last += 1
                if parts and parts[-1][0] == owner and self.tokens[owner].literal:
                    parts[-1][1].append((at, last + 1))
                else:
                    parts.append((owner, [(at, last + 1)]))
                at = last + 1
        if len(self.tokens) > 1 and self.joiner is None:
            return None
        if len(self.tokens) == 1:
            return self._literal(0, parts[0][1] if parts else [], whole=True)
        return (self.joiner or "").join(self._literal(owner, slices, whole=False) for owner, slices in parts)

    def _literal(self, owner: int, slices: list[tuple[int, int]], *, whole: bool) -> str:
        token, text = self.tokens[owner], self.source.text
        if not token.literal:
            return text[token.start : token.end]
        body = "".join(text[self.starts[start] : self.ends[end - 1]] for start, end in slices)
        low, high = token.body
        own = [at for at in range(len(self.chars)) if self.owners[at] == owner]
        first, last = self.starts[own[0]], self.ends[own[-1]]
        if whole or slices == [(own[0], own[-1] + 1)]:
            body = text[low:first] + body + text[last:high]
        opening = token.opening
        fields = any(self.chars[at] == VALUE for start, end in slices for at in range(start, end))
        if "f" in opening.lower() and not fields and "{" not in body and "}" not in body:
            had = any(self.chars[at] == VALUE for at in own)
            opening = opening.replace("f", "").replace("F", "") if had else opening
        return f"{opening}{body}{token.closing}"
