"""What the interpreter keeps while it runs one function or module body."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import NONE
from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping

    from prefixlint.frontends.python.modules import Code, FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.state import State
    from prefixlint.frontends.python.values import Choose, Val
    from prefixlint.model.lifetimes import Hop
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Template


class OutOfSteps(Exception):
    """The step bound of one root was reached: what was found until then still counts."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of the analysis.

    ``steps`` counts evaluated expressions and statements for one root function, ``steps_of_one`` those spent inside one
    callee over the whole run: what many callers share is entered for the first of them only; ``steps_of_file`` those of
    all roots of one file (the longest way through a file that was met, agno's run of a team, takes 210,000). A function
    that neither builds nor leads to a prompt is entered up to ``small`` syntax nodes, for the value it returns, or up
    to ``medium`` where it is given text that a prompt could be made of, or shortens a conversation.
    ``choices`` are the steps for all implementations of one abstract method together. ``kept`` are the steps that a
    function keeps back from what it calls, for each of its syntax nodes, up to half of what is left. ``room`` are the
    characters of the modules whose syntax trees are held at once, in a small project: what is known of all modules of a
    large one takes as much again (see ``room_beside``). It decides over memory and time, and over nothing that is
    found.
    """

    steps: int = 10_000
    steps_of_one: int = 40_000
    steps_of_file: int = 400_000
    choices: int = 1_500
    kept: int = 2
    small: int = 40
    medium: int = 400
    depth: int = 6
    unroll: int = 24
    segments: int = 4_000
    arms: int = 12
    room: int = 6_500_000

    def room_beside(self, characters: int) -> int:
        """The room for trees in a run whose files have so many characters. A character of a tree takes ten times the
        memory that a character of a file does, its text and what is found of it; with less than a third of the room,
        the same trees would be made again and again."""
        return max(self.room - characters // 10, self.room // 3)


STORED = "@"
FILLED = "**"
"""First characters of the variable that holds what a function has put under fixed keys of a local variable of which
nothing is known."""
"""In front of the place of what was stored, where a state keeps it: no variable's name."""


@dataclass
class Frame:
    """One activation.

    ``state`` is None once the path has ended (return, raise, continue). ``counting`` is true inside a ``while`` whose
    condition counts the messages of a conversation or measures them (``measuring``), ``seldom`` inside one that takes
    away more than what set it off. ``guards`` are conditions that ended the path on one of their
    sides, and those under which the function was called. ``carried`` are the variables that the loops around found
    bound. ``printed_to`` is where ``print`` writes. ``entering`` runs the body of a ``with`` statement whose manager is
    being evaluated, ``inside`` the one that runs where this function yields. ``cause`` is the call that was made
    because there are too many messages, as source and place. ``stored`` is true once a conversation was put into
    something of which nothing is known: the variables hold it under its place (see ``STORED``). ``caller`` is the
    activation that called this one. ``beginning`` is true while what runs is run on an object's first turn alone.
    """

    module: ModuleInfo
    function: FunctionInfo | None
    state: State | None
    moment: Lifetime = Lifetime.REQUEST
    depth: int = 0
    chain: tuple[Hop, ...] = ()
    stack: tuple[Code, ...] = ()
    closure: Mapping[str, Val] = field(default_factory=dict)
    returns: list[tuple[Val, State, Choose | None]] = field(default_factory=list)
    branch: Choose | None = None
    guards: tuple[Choose, ...] = ()
    unused: ast.AST | None = None
    counting: bool = False
    measuring: bool = False
    seldom: bool = False
    carried: frozenset[str] = frozenset()
    cause: tuple[str, Span] | None = None
    printed_to: Val = NONE
    entering: Callable[[Val, State | None], None] | None = None
    inside: Callable[[Val, State | None], None] | None = None
    loop_exits: list[tuple[State, Choose | None]] = field(default_factory=list)
    stored: bool = False
    caller: Frame | None = None
    beginning: bool = False


@dataclass(frozen=True, slots=True)
class Emission:
    """A template that the interpreter came across.

    ``rank`` orders how direct the evidence is: 3 a known sink, 2 a message list, 1 a prompt that a function returns or
    a variable holds, 0 a constant. ``tried`` is true where a module is tried out (``if __name__ == "__main__":``).
    ``uncut`` are the places met on the way where a list was cut of which each turn keeps the same.
    """

    template: Template
    rank: int
    calls: int
    tried: bool = False
    uncut: tuple[Span, ...] = ()


def lift(lifetime: Lifetime, moment: Lifetime) -> Lifetime:
    """Lifetime of a value of this lifetime that is evaluated once per ``moment``."""
    if lifetime.known and lifetime.rank < moment.rank:
        return moment
    return lifetime
