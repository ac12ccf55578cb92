"""Two requests side by side: where they part, and what each target reuses of the first for the second."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.engines.earlier import Reuse, reuse
from prefixlint.wire.sent import Place, Rendered, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.targets import Invalidator, Target
    from prefixlint.wire.bodies import Body

View = tuple[tuple[str | None, ...], "tuple[Invalidator, ...]"]

OTHER_MODEL = "another model shares no cache"


@dataclass(frozen=True, slots=True)
class Parting:
    """``one`` was sent first, ``other`` second. ``here`` and ``there`` are the token at which they part, in each."""

    target: Target
    one: Rendered
    other: Rendered
    reuse: Reuse
    here: Place
    there: Place

    @property
    def identical(self) -> bool:
        return self.reuse.prefix == self.one.total == self.other.total


def compare(one: Body, other: Body, targets: Sequence[Target]) -> tuple[Parting, ...]:
    """One parting for each target; targets that count and order alike are rendered once.

    Raises ``TokenizerError`` where a tokenizer cannot be had.
    """
    views: dict[View, tuple[Rendered, Rendered]] = {}
    out = []
    for target in targets:
        key = view_of(target)
        if key not in views:
            views[key] = (render(one, target), render(other, target))
        first, second = views[key]
        found = reuse(target.cache, (first.sent,), second.sent)
        if one.model != other.model:
            found = replace(found, tokens=0, note=OTHER_MODEL)
        at = found.prefix
        out.append(Parting(target, first, second, found, first.place(at), second.place(at)))
    return tuple(out)


def view_of(target: Target) -> View:
    """What a rendered body depends on: targets that are alike in it see the same tokens and gates."""
    return target.counting, target.invalidators


def differing(one: Body, other: Body) -> tuple[str, ...]:
    """Names of the settings in which two requests differ, sorted."""
    names = sorted({*one.settings, *other.settings})
    return tuple(name for name in names if one.settings.get(name) != other.settings.get(name))
