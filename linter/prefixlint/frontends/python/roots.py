"""Which functions are run by themselves, and in which order.

First those that could make or send a prompt. Then callers, for what they fill in: but only of functions that came to
something. Where one sent nothing, and what it gives back is no part of a prompt either, its callers find nothing in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from prefixlint.frontends.python.interest import CallGraph
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo

CALLER_HOPS = 3
MOST_CALLERS = 24


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of running one function: whether it ``sent`` a prompt, whether a caller decides over a value of one
    (``open``), and whether it gives what a caller could make one of (``useful``)."""

    sent: bool
    open: bool
    useful: bool


class _Wanted(Enum):
    """Why a function is looked at: for itself or for what it fills in, for what it makes of a result, or as one that
    leads to such a function."""

    YES = auto()
    TAKING_PART = auto()
    PASSED = auto()


class Roots:
    """Runs functions with ``run``, which gives None for one that cannot be followed."""

    def __init__(
        self, interpreter: Interpreter, graph: CallGraph, run: Callable[[FunctionInfo], Outcome | None]
    ) -> None:
        self._interpreter = interpreter
        self._graph = graph
        self._run = run

    def follow(self) -> None:
        """Runs the functions that could make or send a prompt, then the callers of what came to something, and theirs.

        Of the other callers, those that name a long text are run too.
        """
        done: set[ast.AST] = set()
        passed: set[ast.AST] = set()
        frontier = [(info, _Wanted.YES, "") for info in self._graph.interesting]
        for _ in range(CALLER_HOPS + 1):
            following: list[tuple[FunctionInfo, _Wanted, str]] = []
            for info, wanted, called in frontier:
                if info.node in done:
                    continue
                if not self._worth_running(info, wanted, called):
                    if info.node not in passed:
                        passed.add(info.node)
                        following.extend(self._callers(info, wanted))
                    continue
                done.add(info.node)
                if info.node in self._interpreter.covered and not self._graph.fills_requests(info):
                    # Entered from a caller already: by itself it would only say less. Its other callers may say more.
                    following.extend(self._callers(info, _Wanted.YES))
                    continue
                outcome = self._run(info)
                if outcome is None:
                    continue
                if outcome.open:
                    following.extend(self._callers(info, _Wanted.YES))
                elif not outcome.sent:
                    following.extend(self._callers(info, _Wanted.TAKING_PART if outcome.useful else _Wanted.PASSED))
            frontier = following

    def _worth_running(self, info: FunctionInfo, wanted: _Wanted, called: str) -> bool:
        if wanted is _Wanted.TAKING_PART:
            return self._graph.takes_part(info, called)
        return wanted is _Wanted.YES or self._graph.names_text(info)

    def _callers(self, info: FunctionInfo, wanted: _Wanted) -> list[tuple[FunctionInfo, _Wanted, str]]:
        return [(caller, wanted, info.name) for caller in self._graph.callers(info)[:MOST_CALLERS]]
