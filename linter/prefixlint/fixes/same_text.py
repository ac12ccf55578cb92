"""Does a changed prompt still say the same? Two templates are compared part by part, without a sample of any value."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from prefixlint.model.segments import Choice, Text, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.model.segments import Segment
    from prefixlint.model.templates import Template

_MARK = "⟦"
_SENTENCE = re.compile(r"\n+|(?<=[.!?])\s+")


def same_text(before: Template, after: Template) -> bool:
    """True where ``after`` has the same fixed text in the same order, or the same sentences and lines in another.

    White space between them does not count. A value is its expression, a choice its condition and its arms.
    """
    if _fixed(before) == _fixed(after):
        return True
    return _sentences(before) == _sentences(after)


def moved(before: Template, after: Template) -> tuple[str, str]:
    """What has moved to the back, and what it moved over; both empty where nothing has."""
    was, now = _parts(before), _parts(after)
    while was and now and was[0] == now[0]:
        del was[0], now[0]
    while was and now and was[-1] == now[-1]:
        del was[-1], now[-1]
    cut = next((at for at in range(1, len(was)) if was[at:] + was[:at] == now), min(1, len(was)))
    return "\n".join(was[:cut]), "\n".join(was[cut:])


def keeps_text(before: Template, after: Template) -> bool:
    """True where every sentence without a value in it is still there: what a fix of a value may not touch."""
    lost = _sentences(before) - _sentences(after)
    return not any(_MARK not in sentence for sentence in lost)


def _fixed(template: Template) -> list[tuple[str, str]]:
    return [(block.role, "\0".join(_texts(block.segments))) for block in template.blocks]


def _texts(segments: Sequence[Segment]) -> list[str]:
    out: list[str] = []
    for segment in segments:
        if isinstance(segment, Text):
            out.append(segment.text)
        elif isinstance(segment, Value):
            out.append("\1")
        elif isinstance(segment, Choice):
            out += ["\2", *(text for arm in segment.arms for text in ("\3", *_texts(arm))), "\4"]
        else:
            out += ["\5", *_texts(segment.body), "\4"]
    return out


def _sentences(template: Template) -> Counter[str]:
    return Counter(_parts(template))


def _parts(template: Template) -> list[str]:
    text = "\n".join(shown(block.segments) for block in template.blocks)
    return [part for part in map(str.strip, _SENTENCE.split(text)) if part]


def shown(segments: Iterable[Segment]) -> str:
    """The segments as text, with a mark for what is filled in."""
    out = []
    for segment in segments:
        if isinstance(segment, Text):
            out.append(segment.text)
        elif isinstance(segment, Value):
            out.append(_mark(segment.expression))
        elif isinstance(segment, Choice):
            arms = "⟦|⟧".join(shown(arm) for arm in segment.arms)
            out.append(f"{_mark('? ' + segment.expression)}{arms}⟦.⟧")
        else:
            out.append(f"{_mark('* ' + segment.expression)}{shown(segment.body)}⟦.⟧")
    return "".join(out)


def _mark(expression: str) -> str:
    return f"⟦{' '.join(expression.split())}⟧"
