"""How many leading tokens no continuation can change, for models that look at a piece of text as a whole.

*Unigram* takes the cut of a piece with the best score. It is found from left to right: the best way to an offset
depends on the text in front of it alone. So whatever follows the known text, its tokens are those of the best way to
some offset in it, and then a token that covers the rest and more; looking at every offset at which such a token exists
gives all ways in which the tokens can change. *WordPiece* takes the longest word first and gives a whole piece up where
something in it is unknown, so that nothing of an open piece is sure.

Pieces in front of the last one stay, for ways to cut that look at one character and its neighbour. What a normaliser
can make of the last character when more follows is found by asking it.
"""

from __future__ import annotations

import json
import math
import sys
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from prefixlint.tokens.common import common_prefix
from prefixlint.tokens.components import NotAnalysed, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tokenizers

# Kinds that change one character, or a character and the marks behind it, at a time.
_NORMALISERS = frozenset(
    {
        *("BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Precompiled", "Prepend", "Replace"),
        *("Strip", "StripAccents"),
    }
)
_COMPOSING = frozenset({"NFC", "NFKC", "Precompiled"})
_SPACES = frozenset({" {2,}", r"\s+", " +"})
_CUTS = frozenset({"BertPreTokenizer", "Digits", "Metaspace", "Punctuation", "Whitespace", "WhitespaceSplit"})

# One character of each kind that the ways to cut above tell apart.
_PROBES = ("x", "1", ".", "$", "_", "字", "🙂", "\u0301")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A Unigram or WordPiece tokenizer, ``_backend``. ``_unigram`` is None for WordPiece."""

    _backend: tokenizers.Tokenizer
    _unigram: Unigram | None
    _composing: bool
    _patterns: tuple[str, ...]
    _joined: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, backend: tokenizers.Tokenizer) -> Words:
        """Raises ``NotAnalysed`` for a normaliser or a way to cut that is not covered."""
        kind = type(backend.model).__name__
        normalisers = parts_of(backend.normalizer, "normalizers")
        patterns = tuple(text for part in normalisers for text in _replaced(part))
        for part, known in (
            *((part, _NORMALISERS) for part in normalisers),
            *((part, _CUTS) for part in parts_of(backend.pre_tokenizer, "pretokenizers")),
        ):
            if part["type"] not in known:
                raise NotAnalysed(f"{json.dumps(part, ensure_ascii=False)[:80]} before a model of kind {kind}")
        composing = any(part["type"] in _COMPOSING for part in normalisers)
        return cls(backend, Unigram.of(backend.model) if kind == "Unigram" else None, composing, patterns)

    def settled(self, chunk: str, tokens: list[int]) -> int:
        """How many of ``tokens``, those of a whole text, stay whatever follows ``chunk``, its end."""
        own = [token for piece in self._pieces(chunk) for token in self._tokens(piece)]
        if own != tokens[len(tokens) - len(own) :]:
            return 0  # our reading of the tokenizer does not give its tokens
        return len(tokens) - len(own) + self._least(chunk, own)

    def _least(self, chunk: str, own: list[int]) -> int:
        if not self._backend.normalizer:
            return self._through(chunk, own)
        unfinished = any(
            chunk.endswith(pattern[:length]) for pattern in self._patterns for length in range(1, len(pattern))
        )
        last, before = chunk[-1], chunk[-2:-1]
        if unfinished or not (_starts_anew(before, last) or self._is_mark(last)):
            return self._through(chunk[: self._sure(chunk)], own)
        joined = self._joins(last)
        least = self._through(chunk, own)
        if joined and least > (lowest := self._through(chunk[: self._sure(chunk)], own)):
            for form in joined:
                least = min(least, self._through(chunk[:-1] + form, own))
                if least <= lowest:
                    break
        return least

    def _through(self, known: str, own: list[int]) -> int:
        """Fewest of ``own`` that are left when something follows ``known`` that leaves what is made of it."""
        pieces = self._pieces(known)
        piece = "" if not pieces or self._closed(known, pieces) else pieces.pop()
        before = [token for closed in pieces for token in self._tokens(closed)]
        least = common_prefix(own, before)
        if least < len(before) or (piece and self._unigram is None):
            return least
        if self._unigram is None or not piece:
            return least
        ways = [
            (common_prefix(own, before + self._tokens(piece[:at])), at)
            for at in range(max(0, len(piece) - self._unigram.longest + 1), len(piece) + 1)
        ]
        scores = self._unigram.scores_of(piece)
        return next(common for common, at in sorted(ways) if self._unigram.can_go_on(piece, at, scores))

    def _tokens(self, piece: str) -> list[int]:
        return [token.id for token in self._backend.model.tokenize(piece)] if piece else []

    def _pieces(self, text: str) -> list[str]:
        text = self._normalised(text)
        if self._backend.pre_tokenizer is None:
            return [text] if text else []
        return [piece for piece, _ in self._backend.pre_tokenizer.pre_tokenize_str(text)]

    def _normalised(self, text: str) -> str:
        return self._backend.normalizer.normalize_str(text) if self._backend.normalizer else text

    def _closed(self, known: str, pieces: list[str]) -> bool:
        return all(self._pieces(known + probe)[: len(pieces)] == pieces for probe in _PROBES)

    def _sure(self, chunk: str) -> int:
        """The last offset in ``chunk`` from which on alone a continuation can change what is made of it."""
        for at in range(len(chunk) - 1, 0, -1):
            if _starts_anew(chunk[at - 1], chunk[at]) and not any(chunk[at] in pattern for pattern in self._patterns):
                return at
        return 0

    def _is_mark(self, char: str) -> bool:
        """Punctuation and the like, to which nothing but marks is joined."""
        return unicodedata.category(char)[0] in "PZS" and unicodedata.category(char) not in ("Sk", "So")

    def _joins(self, char: str) -> tuple[str, ...]:
        """``char`` with marks behind it, one text for each thing that the normaliser makes of its place then."""
        found = self._joined.get(char)
        if found is None:
            forms: dict[str, str] = {}
            self._collect(char, self._normalised(f"a{char}"), forms)
            found = self._joined[char] = tuple(forms.values())
        return found

    def _collect(self, text: str, alone: str, forms: dict[str, str]) -> None:
        for mark in _marks():
            made = self._normalised(f"a{text}{mark}")
            if not made.startswith(alone) and made not in forms:
                forms[made] = text + mark
                if self._composing and len(made) == len(alone):  # it can be joined once more
                    self._collect(text + mark, made, forms)


@dataclass(frozen=True, slots=True, eq=False)
class Unigram:
    """Words with their scores; ``unknown`` is the score of a character that is no word."""

    _scores: dict[str, float]
    _ordered: list[str]
    _unknown: float
    longest: int

    @classmethod
    def of(cls, model: Any) -> Unigram:
        """``model`` of the tokenizers library, whose penalty for an unknown character is 10."""
        scores = {str(word): float(score) for word, score in json.loads(model.__getstate__())["vocab"] if word}
        return cls(scores, sorted(scores), min(scores.values()) - 10, max(map(len, scores)))

    def scores_of(self, text: str) -> list[float]:
        """For each offset in ``text`` the score of the best way to it."""
        best = [0.0] + [-math.inf] * len(text)
        self._extend(best, text, 0)
        return best

    def _extend(self, best: list[float], text: str, start: int) -> None:
        """Fills in ``best`` behind the offset ``start``; the ways to ``start`` and before are known."""
        for end in range(start + 1, len(text) + 1):
            score = -math.inf
            for at in range(max(0, end - self.longest), end):
                own = self._scores.get(text[at:end])
                if own is None and at == end - 1:
                    own = self._unknown
                if own is not None and best[at] + own > score:
                    score = best[at] + own
            best[end] = score

    def can_go_on(self, piece: str, at: int, scores: list[float]) -> bool:
        """Whether some word covers what is behind ``at`` in ``piece`` and goes on, on the best way to its end.

        ``scores`` are those of ``piece``. At the end of ``piece`` nothing needs to be covered.
        """
        rest = piece[at:]
        first = max(0, len(piece) - self.longest)
        known = scores[first:]
        for tried, word in enumerate(_starting_with(self._ordered, rest)):
            text = piece[first:at] + word
            if tried == MOST_WORDS_TRIED:
                return True
            best = [*known, *([-math.inf] * (len(word) - len(rest)))]
            self._extend(best, text, len(known) - 1)
            # Some slack for what adding in another order makes of the score.
            if scores[at] + self._scores[word] >= best[-1] - _SLACK:
                return True
        return not rest


MOST_WORDS_TRIED = 300
"""Words looked at for one offset before it is taken to be possible (which can only lower the result)."""

_SLACK = 1e-3


def _starting_with(ordered: list[str], rest: str) -> Iterator[str]:
    """The words that start with ``rest`` and go on; none for nothing."""
    for at in range(bisect_left(ordered, rest), len(ordered) if rest else 0):
        if not ordered[at].startswith(rest):
            return
        if len(ordered[at]) > len(rest):
            yield ordered[at]


def _replaced(part: dict[str, Any]) -> list[str]:
    """The texts that a ``Replace`` looks for; one character alone is never unfinished. Raises ``NotAnalysed``."""
    if part["type"] != "Replace":
        return []
    pattern = part["pattern"]
    if "String" in pattern:
        return [pattern["String"]] if len(pattern["String"]) > 1 else []
    if pattern["Regex"] not in _SPACES or part["content"] not in (" ", "▁"):
        raise NotAnalysed(f"the normaliser {json.dumps(part, ensure_ascii=False)}")
    return []


def _starts_anew(before: str, char: str) -> bool:
    """Whether normalisation never looks at both characters together, nor at any behind and before them."""
    plain = char.isascii() or unicodedata.category(char) in ("Lu", "Ll", "Nd") or _is_han_or_kana(char)
    return plain and (not before or unicodedata.category(before) != "Cf") and (before, char) != ("\r", "\n")


def _is_han_or_kana(char: str) -> bool:
    return any(first <= char <= last for first, last in ("㐀䶿", "一鿿", "ぁゖ", "ァヺ"))


@cache
def _marks() -> tuple[str, ...]:
    """Characters that can join the one in front of them: those of which compositions are made, a mark of each other
    class of combining characters, joiners, vowels and finals of Hangul, voiced kana."""
    marks = dict.fromkeys(("\u200d", "\u200c", "\uff9e", "\uff9f", *map(chr, range(0x1161, 0x1176)), "\u11a8"))
    classes: dict[object, str] = {}
    for code in range(0x300, sys.maxunicode + 1):
        char = chr(code)
        parts = unicodedata.decomposition(char).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            marks[chr(int(parts[1], 16))] = None
        if unicodedata.category(char)[0] == "M":
            classes.setdefault((unicodedata.category(char), unicodedata.combining(char)), char)
    return (*marks, *(char for char in classes.values() if char not in marks))
