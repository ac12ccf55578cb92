"""Names of files that are one of a few: ``f"{'team' if shared else 'own'}/rules.md"``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.state import join_all
from prefixlint.frontends.python.values import NONE, Choose, PathText, Str
from prefixlint.model.segments import Choice, Text, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.frontends.python.values import Val

_MOST = 8


def for_each_name(args: Sequence[Val], run: Callable[[list[Val]], Val | None]) -> Val | None:
    """What ``run`` makes of some arguments; where one of them is one of a few names or paths, one of what it makes of
    each. None where it makes nothing of one of them."""
    return _for_each(list(args), run, _MOST)


def _for_each(args: list[Val], run: Callable[[list[Val]], Val | None], most: int) -> Val | None:
    for at, arg in enumerate(args):
        found = _names(arg)
        if found is None or len(found[1]) > most:
            continue
        choice, names = found
        made = [_for_each([*args[:at], name, *args[at + 1 :]], run, most // len(names)) for name in names]
        known = [value for value in made if value is not None]
        return join_all(known, choice) if len(known) == len(made) else None
    return run(args)


def _names(value: Val) -> tuple[Choose, list[Val]] | None:
    """The names or paths of which a value is one, and the choice between them; None for any other value."""
    if isinstance(value, Choose):
        names = [arm for arm in value.values if arm != NONE]
        told = all(isinstance(arm, PathText) or (isinstance(arm, Str) and _is_name(arm)) for arm in names)
        return (replace(value, values=()), names) if told and names else None
    if not isinstance(value, Str) or not _is_name(value):
        return None
    at = next((at for at, segment in enumerate(value.segments) if isinstance(segment, Choice)), None)
    if at is None:
        return None
    c = value.segments[at]
    assert isinstance(c, Choice)
    front, back = value.segments[:at], value.segments[at + 1 :]
    choice = Choose((), c.expression, c.span, c.lifetime, c.origin, c.confidence, c.drift)
    return choice, [Str((*front, *arm, *back)) for arm in c.arms]


def _is_name(value: Str) -> bool:
    """Whether a text is the same for all requests but for what is chosen between fixed texts."""
    return all(
        isinstance(segment, Text)
        or (isinstance(segment, Value) and segment.lifetime.known and not segment.lifetime.varies)
        or (isinstance(segment, Choice) and all(isinstance(part, Text) for arm in segment.arms for part in arm))
        for segment in value.segments
    )
