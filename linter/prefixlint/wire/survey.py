"""Many requests, one after another: the prefix that all share, the places that break it, and what could be reused."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.engines.earlier import Sent, reuse
from prefixlint.tokens.common import common_prefix
from prefixlint.wire.compare import View, view_of
from prefixlint.wire.sent import Place, Rendered, render

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.model.targets import Target
    from prefixlint.wire.bodies import Body

REMEMBERED = 16
"""How many of the latest requests count as still held by an engine."""
NEAR = 8
"""Breaks of one text that are at most so many tokens apart are one place: two timestamps part at different digits."""
EXAMPLE = 80
"""Characters that are kept of what stood at a break instead."""


@dataclass(frozen=True, slots=True)
class Breaking:
    """A place where requests part from the first one: at tokens ``first`` to ``last`` of it, ``count`` of them.

    ``place`` is that of ``first`` in the first request, ``instead`` what ``by``, one of those requests, has there.
    """

    first: int
    last: int
    count: int
    place: Place
    by: str
    instead: str


@dataclass(frozen=True, slots=True)
class Reused:
    """Sums over all requests but the first: their tokens, those shared with one of the latest, those reused."""

    target: Target
    tokens: int
    shared: int
    reused: int
    note: str


@dataclass(frozen=True, slots=True)
class Group:
    """The requests to one model, counted in the tokens of the first target. ``all_share`` is their common prefix."""

    model: str | None
    name: str
    requests: int
    identical: int
    all_share: int
    shortest: int
    longest: int
    breaks: tuple[Breaking, ...]
    reused: tuple[Reused, ...]


@dataclass(slots=True)
class _Sums:
    target: Target
    tokens: int = 0
    shared: int = 0
    reused: int = 0
    note: str = ""


@dataclass(slots=True)
class _Open:
    """A group that still grows. Holds the first request and the latest few, whatever their number."""

    first: Rendered
    name: str
    sums: list[_Sums]
    requests: int = 1
    identical: int = 0
    shortest: int = 0
    longest: int = 0
    breaks: Counter[int] = field(default_factory=Counter)
    examples: dict[int, tuple[str, str]] = field(default_factory=dict)
    latest: dict[View, deque[Sent]] = field(default_factory=dict)


class Survey:
    """Takes requests one by one with ``add``. ``targets_of`` gives the targets for the first request to each model.

    Memory grows with the length of requests and the number of models, not with the number of requests.
    """

    def __init__(self, targets_of: Callable[[Body], Sequence[Target]]) -> None:
        self._targets_of = targets_of
        self._groups: dict[str | None, _Open] = {}

    def add(self, name: str, body: Body) -> None:
        """Counts a request, called ``name`` for people. Raises ``TokenizerError``."""
        group = self._groups.get(body.model)
        targets = [sums.target for sums in group.sums] if group else self._targets_of(body)
        views: dict[View, Rendered] = {}
        for target in targets:
            if view_of(target) not in views:
                views[view_of(target)] = render(body, target)
        first = views[view_of(targets[0])]
        if group is None:
            sums_of = [_Sums(target) for target in targets]
            group = _Open(first, name, sums_of, shortest=first.total, longest=first.total)
            self._groups[body.model] = group
        else:
            self._count(group, name, first)
            for sums in group.sums:
                new = views[view_of(sums.target)].sent
                found = reuse(sums.target.cache, tuple(group.latest[view_of(sums.target)]), new)
                sums.tokens += len(new.tokens)
                sums.shared += found.prefix
                sums.reused += found.tokens
                sums.note = sums.note or found.note
        for key, rendered in views.items():
            group.latest.setdefault(key, deque(maxlen=REMEMBERED)).append(rendered.sent)

    def _count(self, group: _Open, name: str, new: Rendered) -> None:
        group.requests += 1
        group.shortest = min(group.shortest, new.total)
        group.longest = max(group.longest, new.total)
        at = common_prefix(group.first.sent.tokens, new.sent.tokens)
        if at == group.first.total == new.total:
            group.identical += 1
            return
        group.breaks[at] += 1
        if at not in group.examples:
            group.examples[at] = (name, new.place(at).behind[:EXAMPLE])

    def groups(self) -> tuple[Group, ...]:
        """What was found so far, the model with the most requests first."""
        found = [self._closed(model, group) for model, group in self._groups.items()]
        return tuple(sorted(found, key=lambda group: -group.requests))

    def _closed(self, model: str | None, group: _Open) -> Group:
        return Group(
            model=model,
            name=group.name,
            requests=group.requests,
            identical=group.identical,
            all_share=min(group.breaks, default=group.first.total),
            shortest=group.shortest,
            longest=group.longest,
            breaks=tuple(_breaking(group, run) for run in _runs(group)),
            reused=tuple(Reused(sums.target, sums.tokens, sums.shared, sums.reused, sums.note) for sums in group.sums),
        )


def _runs(group: _Open) -> list[list[int]]:
    """The positions of all breaks, those together that are near each other in the same text."""
    runs: list[list[int]] = []
    path = ""
    for position in sorted(group.breaks):
        here = group.first.place(position).path
        if runs and here == path and position - runs[-1][-1] <= NEAR:
            runs[-1].append(position)
        else:
            runs.append([position])
        path = here
    return runs


def _breaking(group: _Open, run: Sequence[int]) -> Breaking:
    by, instead = group.examples[run[0]]
    count = sum(group.breaks[position] for position in run)
    return Breaking(run[0], run[-1], count, group.first.place(run[0]), by, instead)
