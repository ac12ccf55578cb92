"""Which functions are run by themselves, and in which order.

First those that could make or send a prompt. Then callers, for what they fill in: but only of functions that came to
something. Where one sent nothing, and what it gives back is no part of a prompt either, its callers find nothing in it.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from prefixlint.frontends.python.batches import Batch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from prefixlint.frontends.python.batches import Result
    from prefixlint.frontends.python.interest import CallGraph
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.root_runs import Outcome

CALLER_HOPS = 3
MOST_CALLERS = 24
ROUND = 16
"""Batches that start from the same ledger. The more there are, the more processes have something to do, and the more
often a callee that all of them enter is followed to the bound on its steps."""


class _Wanted(Enum):
    """Why a function is looked at: for itself or for what it fills in, for what it makes of a result, or as one that
    leads to such a function."""

    YES = auto()
    TAKING_PART = auto()
    PASSED = auto()


_Task = tuple["FunctionInfo", _Wanted, str]


class Roots:
    """Chooses functions level by level; ``run`` runs the batches of a round and gives their results in order."""

    def __init__(self, graph: CallGraph, run: Callable[[Sequence[Batch]], Sequence[Result]]) -> None:
        self._graph = graph
        self._run = run
        self._done: set[FunctionInfo] = set()
        self._passed: set[FunctionInfo] = set()

    def follow(self) -> None:
        """Runs the functions that could make or send a prompt, then the callers of what came to something, and theirs.

        Of the other callers, those that name a long text are run too.
        """
        tasks: list[_Task] = [(info, _Wanted.YES, "") for info in self._graph.interesting]
        for level in range(CALLER_HOPS + 1):
            following: list[_Task] = []
            chosen: dict[str, list[FunctionInfo]] = {}
            for info, wanted, called in tasks:
                if info in self._done:
                    continue
                if self._worth_running(info, wanted, called):
                    self._done.add(info)
                    chosen.setdefault(info.module.path, []).append(info)
                elif info not in self._passed:
                    self._passed.add(info)
                    following.extend(self._callers(info, wanted))
            batches = [Batch(level, path, tuple(functions)) for path, functions in chosen.items()]
            for start in range(0, len(batches), ROUND):
                together = batches[start : start + ROUND]
                for batch, result in zip(together, self._run(together), strict=True):
                    for info, outcome in zip(batch.functions, result.outcomes, strict=True):
                        following.extend(self._behind(info, outcome))
            tasks = following

    def _worth_running(self, info: FunctionInfo, wanted: _Wanted, called: str) -> bool:
        if wanted is _Wanted.TAKING_PART:
            return self._graph.takes_part(info, called)
        return wanted is _Wanted.YES or self._graph.names_text(info)

    def _behind(self, info: FunctionInfo, outcome: Outcome | None) -> Iterator[_Task]:
        """Callers that are looked at because of what came of a function."""
        if outcome is None:
            return
        if outcome.open:
            yield from self._callers(info, _Wanted.YES)
        elif not outcome.sent:
            yield from self._callers(info, _Wanted.TAKING_PART if outcome.useful else _Wanted.PASSED)

    def _callers(self, info: FunctionInfo, wanted: _Wanted) -> list[_Task]:
        return [(caller, wanted, info.name) for caller in self._graph.callers(info)[:MOST_CALLERS]]
