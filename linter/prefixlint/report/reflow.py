"""Markdown text in the width of a terminal: paragraphs and list items are wrapped anew, everything else stays."""

from __future__ import annotations

import re
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_FENCE = re.compile(r"(^ *(`{3,}|~{3,}).*?(?:^ *\2[`~]*[ \t]*$|\Z))", re.MULTILINE | re.DOTALL)
_AS_IT_IS = re.compile(r"\s*$|#|\||<| {4}")
_ITEM = re.compile(r" *([-*+]|\d+[.)]) +")


def reflowed(markdown: str, width: int) -> str:
    """The text with no line of prose longer than ``width`` columns, unless a single word is.

    Fenced code, tables, headings, HTML and lines indented by four keep their lines.
    """
    parts = _FENCE.split(markdown)
    # Two groups: after each text stand the fenced block and the fence itself.
    return "".join(part if at % 3 else _prose(part, width) for at, part in enumerate(parts) if at % 3 != 2)


def _prose(text: str, width: int) -> str:
    out: list[str] = []
    for kept, lines in groupby(text.split("\n"), key=lambda line: _AS_IT_IS.match(line) is not None):
        if kept:
            out.extend(lines)
        else:
            for paragraph in _paragraphs(lines):
                out.extend(_wrapped(paragraph, width))
    return "\n".join(out)


def _paragraphs(lines: Iterable[str]) -> list[str]:
    """Lines that belong together in one: a list item begins anew."""
    out: list[str] = []
    for line in lines:
        if out and not _ITEM.match(line):
            out[-1] += f" {line.strip()}"
        else:
            out.append(line)
    return out


def _wrapped(paragraph: str, width: int) -> list[str]:
    item = _ITEM.match(paragraph)
    hanging = " " * (item.end() if item else 0)
    return textwrap.wrap(paragraph, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
