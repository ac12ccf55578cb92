"""Placeholders of ``string.Template`` and of ``%``, and those that are left for a second filling, in texts of which
nobody is seen to fill them.

``$name`` is a variable of a shell, of GraphQL or of another language in many prompts. It is a placeholder where the
code around the text uses ``string.Template``, or where one that varies by its name has a line for itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.knowledge.names import meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prefixlint.frontends.python.modules import ModuleInfo
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

    Segments = tuple[Segment, ...]
    Fill = Callable[[str, Span], Segments | None]

_SUBSTITUTING = re.compile(r"\bfrom string import\b[^\n]*\bTemplate\b|\bstring\.Template\b|\.(?:safe_)?substitute\(")
_DOLLAR = re.compile(r"(?<![\w$\\])\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})")
_PERCENT = re.compile(r"%\([A-Za-z_]\w*\)[sdfr]")
# Alone in its line, between quotes or not, or behind a label.
_LINE = re.compile(
    r"^[ \t]*(?:([\w *#-]{1,40}):)?[ \t]*[\"'`“]?\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})[\"'`”]?[ \t]*$", re.MULTILINE
)


# Between two equal lines of signs, or the ends of a tag.
_ENCLOSED = re.compile(
    r"^[ \t]*(?:(?P<sign>[^\w\s{}<>]{3,})[ \w]*|<(?P<tag>\w+)>)[ \t]*\n[ \t]*\{(?P<name>[A-Za-z_]\w*)\}[ \t]*\n"
    r"[ \t]*(?(sign)(?P=sign)|</(?P=tag)>)",
    re.MULTILINE,
)


def left_for_later(text: str) -> frozenset[str]:
    """Names of the fields that a text which was filled before has left (``{{article}}``), where it shows that something
    long is to stand there, not the form of an answer: between fences, or the ends of a tag."""
    return frozenset(m["name"] for m in _ENCLOSED.finditer(text) if meaning(m["name"]).lifetime.varies)


def substitutes(modules: Iterable[ModuleInfo]) -> bool:
    """Whether the code of one of these modules fills a ``string.Template``."""
    return any(_SUBSTITUTING.search(module.file.text) for module in modules)


def substituted(segments: Segments, text: str, fill: Fill) -> Segments:
    """The segments of ``text`` with the placeholders of ``string.Template`` open, where the code around it uses that;
    ``fill(name, span)`` gives an open value."""
    return strings.dollar_fields(segments, fill) if _DOLLAR.search(text) else segments


def opened(segments: Segments, text: str, fill: Fill) -> Segments:
    """The same with those of the one of the two forms that the text itself shows to be meant."""
    if _DOLLAR.search(text) and _has_own_line(text):
        return strings.dollar_fields(segments, fill)
    if _PERCENT.search(text):
        return strings.percent_fields(segments, lambda key, _, span, __: fill(key, span) if key else None)
    return segments


def _has_own_line(text: str) -> bool:
    """Whether a placeholder that varies by its name has a line for itself: ``$article``, ``Article: $article``.

    ``input: $input`` is an argument of GraphQL.
    """
    for match in _LINE.finditer(text):
        name = match[2] or match[3]
        if not name.isupper() and match[1] != name and meaning(name).lifetime.varies:
            return True
    return False
