"""Markdown pages for people or agents to read, which show prompts and program text and are not filled in themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.marks import without_marks
from prefixlint.frontends.promptfiles.wording import addresses_model, prose
from prefixlint.knowledge.file_names import file_names
from prefixlint.model.segments import Text, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.frontends.promptfiles.marks import Part
    from prefixlint.model.sources import SourceFile, Span

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.\-]*)[^\n`]*\n", re.MULTILINE)

_SPOKEN_OF = re.compile(r"[`'\"]* placeholders?\b")
# So many blocks of program text make a page a manual, whatever its other blocks show with placeholders in their lines.
_MANUAL = 3


def _fences(text: str) -> list[tuple[int, int, str]]:
    """Start, end and language of each fenced block; the fences themselves are left out."""
    out: list[tuple[int, int, str]] = []
    at = 0
    while opening := _FENCE.search(text, at):
        closing = re.compile(rf"^ {{0,3}}{re.escape(opening.group(1))}[`~]*[ \t]*$", re.MULTILINE).search(
            text, opening.end()
        )
        end = closing.start() if closing else len(text)
        out.append((opening.end(), end, opening.group(2).lower()))
        at = closing.end() if closing else len(text)
    return out


def _stands_alone(file: SourceFile, place: Span) -> bool:
    """Whether a placeholder fills its lines: what stands there is given, and not shown."""
    start, end = file.offset(place.start), file.offset(place.end)
    around = file.text[file.text.rfind("\n", 0, start) + 1 : start] + file.text[end:].partition("\n")[0]
    return not around.strip()


def shows_prompts(file: SourceFile, parts: Sequence[Part], *, named: bool = True) -> bool:
    """True for Markdown all of whose placeholders stand in fenced blocks that are prompts or program text themselves,
    but for those that it speaks of as placeholders.

    ``parts`` are what the file was read as. A prompt that fences what it is given (a document, program text to judge)
    has blocks with little else in them; of a file that is not ``named`` a prompt, any fenced block shows something.
    """
    if not file.path.lower().endswith((".md", ".markdown")):
        return False
    places = [part.span for part in walk(without_marks(parts)) if not isinstance(part, Text)]
    starts = [file.offset(place.start) for place in places if not _SPOKEN_OF.match(file.text, file.offset(place.end))]
    fences = _fences(file.text)
    held = [next((fence for fence in fences if fence[0] <= start < fence[1]), None) for start in starts]
    if not held or None in held:
        return False
    programs = file_names().programs
    manual = sum(1 for _, _, language in fences if language in programs) >= _MANUAL
    if not named or (manual and not any(_stands_alone(file, place) for place in places)):
        return True
    return all(
        language in programs or addresses_model(file.text[start:end]) or prose(file.text[start:end]) >= 4
        for start, end, language in {fence for fence in held if fence is not None}
    )
