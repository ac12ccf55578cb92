"""Which functions are run by themselves, and in which order.

First those that could make or send a prompt. Then callers, for what they fill in: but only of functions that came to
something. Where one sent nothing, and what it gives back is no part of a prompt either, its callers find nothing in it.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    """What came of running one function: whether it ``sent`` a prompt, and whether its callers can make more of it."""

    sent: bool
    leads: bool


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
        frontier = [(info, True) for info in self._graph.interesting]
        for _ in range(CALLER_HOPS + 1):
            following: list[tuple[FunctionInfo, bool]] = []
            for info, wanted in frontier:
                if info.node in done:
                    continue
                if not wanted and not self._graph.names_text(info):
                    if info.node not in passed:
                        passed.add(info.node)
                        following.extend(self._callers(info, False))
                    continue
                done.add(info.node)
                if info.node in self._interpreter.covered:
                    # Entered from a caller already: by itself it would only say less. Its other callers may say more.
                    following.extend(self._callers(info, True))
                    continue
                outcome = self._run(info)
                if outcome is not None and (outcome.leads or not outcome.sent):
                    following.extend(self._callers(info, outcome.leads))
            frontier = following

    def _callers(self, info: FunctionInfo, wanted: bool) -> list[tuple[FunctionInfo, bool]]:
        return [(caller, wanted) for caller in self._graph.callers(info)[:MOST_CALLERS]]
