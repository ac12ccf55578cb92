"""What the words in front of a placeholder say of its value (data: ``introductions.toml``).

A reader who does not know what ``{req}`` stands for reads ``### Request`` above it. So does this. Words in front of a
value are evidence as its name is: the confidence is at most ``high``, and a label with a word that may name something
fixed says nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from prefixlint import package_data
from prefixlint.knowledge.names import NameMeaning, meaning, split_words
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REACH = 320
"""How many characters in front of a value can name it."""
BROKEN = "\0"
"""Stands in the text in front of a value for another value: only what names the one below with the other, as
``File {path}:`` does, reaches over it."""

_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")
_LONGEST_LABEL = 14
_TAG = re.compile(r"<([A-Za-z][\w-]{1,40})(?:\s[^<>\n]{0,80})?>\s*\Z")
_OPENED = re.compile(
    r"(?:\n[ \t]*(?:`{3,}|~{3,}|\"{3}|'{3})[\w+-]*[ \t]*\n?[ \t]*|[\"'`“«]|\n[ \t]*[-=*~_]{3,}[ \t]*(?:\n[ \t]*)?)\Z"
)
_HEADING = re.compile(
    r"""[ \t]*(?:[-*>][ \t]+)?
    (?:\#{1,6}[ \t]*(?P<hashes>[^\n]+?)
    |\*\*(?P<stars>[^*\n]+)\*\*
    |={2,}[ \t]*(?P<bars>[^=\n]+?)[ \t]*={2,}
    |-{3,}[ \t]*(?P<dashes>[^\n]+?)[ \t]*-{3,}
    |\[(?P<brackets>[^\]\n]+)\]
    |(?P<capitals>[A-Z][A-Z \t_/-]{2,60}))
    [ \t]*[:\uff1a]?[ \t]*\Z""",
    re.VERBOSE,
)
_LABEL = re.compile(r"(?P<label>[^\n:\uff1a.!?;]{2,160})[:\uff1a][ \t*_]*\Z")
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)")
_PRESENTED = re.compile(
    r"(?:\b(?:You are|you are|Act as|[Yy]our (?:name|role) is)(?: an?| the)?|\b[Yy]our (?:[Nn]ame|[Rr]ole)[\"'`*]*:"
    r"|你是|你是一个)\s*[\"'`*]*\Z"
)
_SUBJECT = re.compile(r"\bthe (?:[a-z]+(?:['’]s)? )?(?P<noun>[a-z]+)[ \t]*\Z", re.IGNORECASE)
_TOLD = frozenset(
    {SourceKind.USER_INPUT, SourceKind.RETRIEVAL, SourceKind.HISTORY, SourceKind.SUMMARY, SourceKind.SESSION}
)
_DATA = NameMeaning(Lifetime.REQUEST, SourceKind.USER_INPUT, Confidence.HIGH)


@dataclass(frozen=True, slots=True)
class _Words:
    leading: frozenset[str]
    linking: frozenset[str]
    fixed: frozenset[str]
    data: frozenset[str]
    subjects: frozenset[str]
    naming: frozenset[str]
    showing: tuple[str, ...]
    endings: tuple[str, ...]
    parts: tuple[str, ...]
    presented: frozenset[str]
    own: frozenset[str]
    described: frozenset[str]
    answers: frozenset[str]
    forms: frozenset[str]
    form_parts: tuple[str, ...]


@cache
def _words() -> _Words:
    raw = package_data.table(__file__, "introductions.toml")
    keys = ("leading", "linking", "fixed", "data", "subjects", "naming")
    leading, linking, fixed, data, subjects, naming = (frozenset(raw[key]) for key in keys)
    persona = raw["persona"]
    return _Words(
        leading,
        linking,
        fixed,
        data,
        subjects,
        naming,
        tuple(raw["showing"]),
        tuple(raw["endings"]),
        tuple(raw["parts"]),
        frozenset(persona["presented"]),
        frozenset(persona["own"]),
        frozenset(raw["described"]),
        frozenset(raw["answers"]),
        frozenset(raw["forms"]),
        tuple(raw["form_parts"]),
    )


@lru_cache(maxsize=4096)
def introduced(before: str) -> NameMeaning | None:
    """What ``before``, the fixed text up to a value, says of the value; None where it says nothing of use.

    Only what changes from turn to turn or from request to request is told.
    """
    for label in _labels(before[-REACH:]):
        found = _judged(label)
        if found is not None:
            return found
    return _spoken_of(before[-REACH:])


def _spoken_of(before: str) -> NameMeaning | None:
    """What a sentence says of the value in its midst: ``to answer the query {instruction}``."""
    for _ in range(2):
        opened = _OPENED.search(before)
        if opened is None or "\n" in opened[0]:
            break
        before = before[: opened.start()]
    subject = _SUBJECT.search(before)
    if subject is None or not _words().fixed.isdisjoint(_WORD.findall(subject[0].lower())):
        return None
    noun = subject["noun"].lower()
    return meaning(noun) if noun in _words().subjects else None


def presents(before: str, expression: str) -> bool:
    """Whether a value behind this text says who the model is to be: ``{role}`` behind "You are a"."""
    return _PRESENTED.search(before) is not None and _last(expression) in _words().presented


def is_persona(expression: str) -> bool:
    """Whether a value, behind one that says who the model is to be, is the persona's own: its ``goal``."""
    return _last(expression) in _words().own


def _last(expression: str) -> str:
    return "_".join(split_words(expression.rpartition(".")[2]))


def lists_configured(before: str, expression: str) -> bool:
    """Whether the words in front of a value say that what it describes is configured ("the following functions:"), or
    that it is the form of the answer ("in the following JSON format:")."""
    known, name = _words(), _last(expression)
    if name not in known.described and name not in known.answers:
        return False
    for label in _labels(before[-REACH:]):
        words = _WORD.findall(label.lower())
        if name in known.answers:
            if (words and words[-1] in known.forms) or any(part in label for part in known.form_parts):
                return True
        elif words and _is_configured(words[-1]):
            return True
    return False


def is_fixed(name: str) -> bool:
    """Whether a word of a name, or of an expression, names what may be fixed (``demo_filename``)."""
    return not _words().fixed.isdisjoint(split_words(name))


def _labels(before: str) -> Iterator[str]:
    """Labels right in front of the end of a text: of a tag around it, else of the line that leads to it."""
    tag = _TAG.search(before)
    if tag is not None:
        yield re.sub(r"[_-]", " ", tag[1])
        before = before[: tag.start()]
    fenced = False
    for _ in range(2):
        opened = _OPENED.search(before)
        if opened is None:
            break
        before = before[: opened.start()]
        if opened[0].strip("\n \t") and "\n" in opened[0]:
            before += "\n"
            fenced = True
    text = before.rstrip()
    below = "\n" in before[len(text) :]
    line = text[text.rfind("\n") + 1 :]
    heading = _HEADING.match(line) if below else None
    if heading is not None:
        yield next(group for group in heading.groups() if group)
        return
    label = _LABEL.search(line)
    if label is not None:
        yield label["label"]
    elif fenced and line.lower().lstrip().startswith(_words().showing):
        yield _SENTENCE_END.split(line, maxsplit=1)[0]


def _judged(label: str) -> NameMeaning | None:
    label = re.sub(r"\([^()]*\)|\uff08[^\uff08\uff09]*\uff09", " ", label).lower().strip()
    known = _words()
    front, _, label = label.rpartition(BROKEN)
    words = _WORD.findall(label)
    if front and re.search(r"\w", label) is None:
        # The value is no more than a name of what stands below: "The file {path}:".
        words = _WORD.findall(front)
        while words and words[-1] in known.naming:
            words.pop()
    if label.endswith(known.endings) and not any(part in label for part in known.parts):
        return _DATA
    if not words or len(words) > _LONGEST_LABEL or not known.fixed.isdisjoint(words):
        return None
    if any(_is_configured(word) for word in words):
        return None
    phrase = _named(words, known)
    if not phrase:
        return None
    found = meaning("_".join(phrase))
    if not found.lifetime.known:
        found = meaning("_".join((*phrase[:-1], phrase[-1].removesuffix("s"))))
    if not found.lifetime.known and phrase[-1] in known.data:
        return _DATA
    shortest = found.lifetime in (Lifetime.REQUEST, Lifetime.TURN, Lifetime.SESSION)
    return found if shortest and found.kind in _TOLD else None


def _named(words: Sequence[str], known: _Words) -> Sequence[str]:
    """The words that name something: behind what leads to them, before what says more of it."""
    for copula in ("is", "are"):
        if copula in words[1:-1] and words[0] in known.leading:
            words = words[words.index(copula) + 1 :]
    if "following" in words[1:-1]:
        # What it says of it stands in front: "The user asks the following question".
        words = words[words.index("following", 1) + 1 :]
    start = 0
    while start < len(words) and words[start] in known.leading:
        start += 1
    end = min(start + 1, len(words))
    while end < len(words) and words[end] not in known.linking:
        end += 1
    return words[start:end]


@lru_cache(maxsize=1024)
def _is_configured(word: str) -> bool:
    return meaning(word).kind is SourceKind.CONFIGURATION
