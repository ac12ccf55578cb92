"""What runs of several roots share: which functions prompts came through, and what has been spent on each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import Code, FunctionInfo

T = TypeVar("T")


@dataclass(slots=True)
class Ledger:
    """``covered`` are the functions that a template came through, ``followed`` those that were run by themselves to
    their end, ``cut_off`` those that a bound ended before anything was found. ``spent`` counts the steps inside each
    callee, ``of_file`` those of all roots of a file."""

    covered: set[Code] = field(default_factory=set)
    followed: set[FunctionInfo] = field(default_factory=set)
    cut_off: dict[FunctionInfo, None] = field(default_factory=dict)
    spent: Counter[FunctionInfo] = field(default_factory=Counter)
    of_file: Counter[str] = field(default_factory=Counter)

    def copy(self) -> Ledger:
        return Ledger(
            set(self.covered), set(self.followed), dict(self.cut_off), Counter(self.spent), Counter(self.of_file)
        )

    def since(self, start: Ledger) -> Ledger:
        """What has come in since the ledger was the same as ``start``."""
        return Ledger(
            self.covered - start.covered,
            self.followed - start.followed,
            {info: None for info in self.cut_off if info not in start.cut_off},
            _more(self.spent, start.spent),
            _more(self.of_file, start.of_file),
        )

    def add(self, more: Ledger) -> None:
        """Puts in what ``since`` gave of another one."""
        self.covered |= more.covered
        self.followed |= more.followed
        self.cut_off.update(more.cut_off)
        self.spent.update(more.spent)
        self.of_file.update(more.of_file)


def _more(now: Counter[T], before: Counter[T]) -> Counter[T]:
    """``now - before`` of counters that only grow, many times as fast where little was added."""
    known = before.get
    return Counter({key: count - had for key, count in now.items() if count > (had := known(key, 0))})


@dataclass(slots=True)
class Asked:
    """What was asked of a ledger that began as ``start``: what else could it have said at the start, to the same end?

    For each callee ``most`` is the highest number of own steps with which the bound did not yet hold, ``least`` the
    lowest with which it did.
    """

    start: Ledger
    most: dict[FunctionInfo, int] = field(default_factory=dict)
    least: dict[FunctionInfo, int] = field(default_factory=dict)
    cut_off: dict[FunctionInfo, bool] = field(default_factory=dict)
    covered: dict[FunctionInfo, bool] = field(default_factory=dict)

    def over(self, info: FunctionInfo, steps: int, bound: int) -> bool:
        """Whether ``steps`` are more than the bound."""
        own = steps - self.start.spent[info]
        if steps > bound:
            self.least[info] = min(own, self.least.get(info, own))
            return True
        self.most[info] = max(own, self.most.get(info, own))
        return False

    def cut(self, info: FunctionInfo) -> None:
        self.cut_off[info] = info in self.start.cut_off

    def cover(self, info: FunctionInfo) -> None:
        self.covered[info] = info in self.start.covered
