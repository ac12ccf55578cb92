"""Added tokens of a Hugging Face tokenizer: strings that are found in the text before it is cut and merged."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.tokens.charsets import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Mapping

_SPACE = "".join(WHITE_SPACE)


@dataclass(frozen=True, slots=True)
class Added:
    """``normalized``: it is looked for in the normalised text."""

    content: str
    special: bool
    eats_space_before: bool = False
    eats_space_behind: bool = False
    single_word: bool = False
    normalized: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AddedTokens:
    """All added tokens. Special ones are found, too, but left as ordinary text."""

    tokens: Mapping[str, Added]
    _first: re.Pattern[str] | None = field(init=False)
    _lengths: tuple[int, ...] = field(init=False)
    _starts: Mapping[str, tuple[Added, ...]] = field(init=False)

    def __post_init__(self) -> None:
        first = "".join(sorted({re.escape(content[0]) for content in self.tokens if content}))
        object.__setattr__(self, "_first", re.compile(f"[{first}]") if first else None)
        object.__setattr__(self, "_lengths", tuple(sorted(set(map(len, self.tokens)) - {0}, reverse=True)))
        starts: dict[str, list[Added]] = {}
        for added in self.tokens.values():
            for length in range(1, len(added.content)):
                starts.setdefault(added.content[:length], []).append(added)
        object.__setattr__(self, "_starts", {start: tuple(them) for start, them in starts.items()})

    def matches(self, text: str) -> list[tuple[int, int]]:
        """Where ordinary added tokens stand, with the white space they take in: leftmost first, the longest there."""
        found = []
        at = 0
        while self._first and (place := self._first.search(text, at)):
            at = place.start()
            contents = (text[place.start() : place.start() + length] for length in self._lengths)
            added = next((self.tokens[content] for content in contents if content in self.tokens), None)
            if added is None:
                at += 1
                continue
            end = at + len(added.content)
            if not added.special:
                start = len(text[:at].rstrip(_SPACE)) if added.eats_space_before else at
                if added.eats_space_behind:
                    end = len(text) - len(text[end:].lstrip(_SPACE))
                found.append((start, end))
            at = end
        return found

    def unfinished(self, text: str) -> list[int]:
        """Offsets at which an added token can begin that ends behind ``text``; the text before is closed by it.

        One that takes in the space before it can begin in the space at the end, and stand behind ``text`` itself.
        A special token is not interpreted, but where it covers an ordinary one that one is not found any more.
        """
        offsets = set()
        if any(added.eats_space_before and not added.special for added in self.tokens.values()):
            offsets.add(len(text.rstrip(_SPACE)))
        for at in range(max(0, len(text) - max(map(len, self.tokens), default=0)), len(text)):
            for added in self._starts.get(text[at:], ()):
                if not added.special:
                    offsets.add(len(text[:at].rstrip(_SPACE)) if added.eats_space_before else at)
                elif any(end > at for _, end in self.matches(text)):
                    offsets.add(min(start for start, end in self.matches(text) if end > at))
        return sorted(offsets)
