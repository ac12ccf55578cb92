"""Nunjucks, the Jinja of promptfoo, as Jinja of the same length: each character keeps its place.

Source: Nunjucks documentation, "Templating" (version 3.2.4), read 2026-11.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.model.segments import Text

SYNTAX = JinjaSyntax(keep_trailing_newline=True)
_BEGIN = re.compile(r"\{[%{#]")
_ENDS = {"{%": "%}", "{{": "}}", "{#": "#}"}
_TAG = re.compile(r"(\{%-?\s*)(elseif|asyncEach|asyncAll|endeach|endall|verbatim|endverbatim)\b")
_TAGS = {
    "elseif": "elif",
    "asyncEach": "for",
    "asyncAll": "for",
    "endeach": "endfor",
    "endall": "endfor",
    "verbatim": "raw",
    "endverbatim": "endraw",
}
_RAW = re.compile(r"\{%-?\s*(raw|verbatim)\s*-?%\}")
_RAW_END = re.compile(r"\{%-?\s*end(raw|verbatim)\s*-?%\}")
_STRINGS = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|([=!])==", re.DOTALL)
_REGEX = re.compile(r"\br/(?:[^/\\\n]|\\.)+/[gimy]*")


def as_jinja(text: Text) -> Text:
    """``text`` in the words of Jinja: tags of other names, ``===``, regular expressions (as strings)."""
    source = text.text
    ends: dict[str, list[int]] = {"raw": [], "verbatim": []}
    for end in _RAW_END.finditer(source):
        ends[end.group(1)].append(end.start())
    out: list[str] = []
    at = 0
    for start, stop in _live(source, ends):
        out += (source[at:start], _words(source[start:stop]))
        at = stop
    return replace(text, text="".join((*out, source[at:])))


def _live(source: str, raw_ends: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Start and end of each tag and each output, comments and raw text left out."""
    at = 0
    unclosed: set[str] = set()
    while found := _BEGIN.search(source, at):
        begin, at = found.group(), found.end()
        if begin in unclosed:
            continue
        end = source.find(_ENDS[begin], at)
        if end == -1:
            unclosed.add(begin)  # and so is each one that follows
            continue
        at = end + 2
        if begin != "{#":
            yield found.start(), at
        raw = _RAW.match(source, found.start()) if begin == "{%" else None
        if raw is not None:
            closing = raw_ends[raw.group(1)]
            next_ = bisect_left(closing, at)
            at = closing[next_] if next_ < len(closing) else at


def _words(live: str) -> str:
    live = _TAG.sub(lambda tag: tag.group(1) + _TAGS[tag.group(2)].ljust(len(tag.group(2))), live)
    live = _REGEX.sub(lambda found: f'"{found.group()[2:].translate(_QUOTELESS)[:-1]}"'.ljust(len(found.group())), live)
    return _STRINGS.sub(lambda found: f"{found.group(1)}= " if found.group(1) else found.group(), live)


_QUOTELESS = str.maketrans({'"': ".", "\\": "."})
