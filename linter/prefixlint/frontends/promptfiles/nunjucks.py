"""Nunjucks, the Jinja of promptfoo, as Jinja of the same length: each character keeps its place.

Source: Nunjucks documentation, "Templating" (version 3.2.4), read 2026-11.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax

if TYPE_CHECKING:
    from prefixlint.model.segments import Text

SYNTAX = JinjaSyntax(keep_trailing_newline=True)
_LIVE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
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
_RAW = re.compile(r"\{%-?\s*(raw|verbatim)\s*-?%\}.*?\{%-?\s*end\1\s*-?%\}", re.DOTALL)
_STRINGS = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|([=!])==", re.DOTALL)
_REGEX = re.compile(r"\br/(?:[^/\\\n]|\\.)+/[gimy]*")


def as_jinja(text: Text) -> Text:
    """``text`` in the words of Jinja: tags of other names, ``===``, regular expressions (as strings)."""
    source = text.text
    raw = [match.span() for match in _RAW.finditer(source)]

    def live(match: re.Match[str]) -> str:
        within = any(start < match.start() and match.end() < end for start, end in raw)
        return match.group() if within else _words(match.group())

    return replace(text, text=_LIVE.sub(live, source))


def _words(live: str) -> str:
    live = _TAG.sub(lambda tag: tag.group(1) + _TAGS[tag.group(2)].ljust(len(tag.group(2))), live)
    live = _REGEX.sub(lambda found: f'"{found.group()[2:].translate(_QUOTELESS)[:-1]}"'.ljust(len(found.group())), live)
    return _STRINGS.sub(lambda found: f"{found.group(1)}= " if found.group(1) else found.group(), live)


_QUOTELESS = str.maketrans({'"': ".", "\\": "."})
