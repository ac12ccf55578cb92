"""What a run of roots has looked at outside of itself: the questions whose answers it rests on.

A question is a tuple of a kind and its arguments: ``("module", path)``, ``("import", name, level, path)``. What is made
once and used often (a module's variables, an object's attributes) is a question too, with the questions behind it.

Of a module most ask for its ``outline``, all but the bodies of its functions, and for the ``body`` of each function
that they look into. ``("module", path)`` is the whole of it.
"""

from __future__ import annotations

import itertools
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Found = TypeVar("Found")

Question = tuple[str | int, ...]
Place = tuple[str, int, int]
"""Path, line and column of a definition."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a batch rests on.

    ``questions`` are those asked of the project. ``covered`` says for each of its functions whether a prompt had come
    through it before. ``spent`` says of callees how many steps of the batch's own the bound was found to bear at most,
    and how many it was found not to bear at least (None: never asked); ``file_steps`` are all that the batch took.
    ``cut_off`` says of functions that were asked for whether a bound had ended them before, ``passed`` whether a prompt
    had come through them.
    """

    questions: frozenset[Question] = frozenset()
    covered: tuple[bool, ...] = ()
    spent: tuple[tuple[Place, int | None, int | None], ...] = ()
    file_steps: int = 0
    cut_off: tuple[tuple[Place, bool], ...] = ()
    passed: tuple[tuple[Place, bool], ...] = ()


class _Unheeded(set[Question]):
    """Takes notes that nobody asks for."""

    __slots__ = ()

    def add(self, element: Question) -> None:
        pass

    def update(self, *others: Iterable[Question]) -> None:
        pass


@dataclass(slots=True)
class Trace:
    """Notes questions. ``made`` are the questions behind what was made before the batches, ``partial`` for each module
    the modules that were not yet run to their end when its body used them. ``at`` is the number of the notes that are
    being taken: who has noted a question under it need not note it again."""

    made: dict[Question, frozenset[Question]] = field(default_factory=dict)
    partial: dict[str, set[str]] = field(default_factory=dict)
    at: int = 0
    _noted: set[Question] = field(default_factory=_Unheeded)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _before: Mapping[Question, frozenset[Question]] = field(default_factory=dict)

    def note(self, question: Question) -> None:
        self._noted.add(question)

    @contextmanager
    def making(self, question: Question) -> Iterator[None]:
        """Questions that are noted inside stand behind this one."""
        outer, at = self._noted, self.at
        self._noted, self.at = set(), next(self._numbers)
        try:
            yield
        finally:
            self.made[question] = frozenset(self._noted)
            self._noted, self.at = outer, at
            outer.add(question)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Questions that are noted inside are forgotten: what is found there is the answer to one that is noted."""
        outer, at = self._noted, self.at
        self._noted, self.at = _Unheeded(), next(self._numbers)
        try:
            yield
        finally:
            self._noted, self.at = outer, at

    def found(self, find: Callable[[], Found]) -> tuple[Found, frozenset[Question]]:
        """What ``find`` gives, and the questions behind it, which are noted."""
        outer, at = self._noted, self.at
        self._noted, self.at = set(), next(self._numbers)
        try:
            value = find()
        finally:
            inner = self._noted
            self._noted, self.at = outer, at
            outer.update(inner)
        return value, frozenset(inner)

    def note_all(self, questions: Iterable[Question]) -> None:
        self._noted.update(questions)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """What is made inside is forgotten at the end, as the batch's interpreter forgets it."""
        before, self.made = self.made, dict(self.made)
        self._noted, self.at = set(), next(self._numbers)
        self._before = before
        try:
            yield
        finally:
            self.made = before
            self._noted = _Unheeded()

    def questions(self, made_before: Mapping[Question, frozenset[Question]]) -> frozenset[Question]:
        """What was noted, with the questions behind what was made since ``made_before``."""
        return self._with_those_behind(self._noted, made_before)

    def behind(self, question: Question) -> frozenset[Question]:
        """The questions behind what this batch has made, and behind what it made for that."""
        return self._with_those_behind(self.made[question], self._before)

    def _with_those_behind(
        self, noted: Iterable[Question], made_before: Mapping[Question, frozenset[Question]]
    ) -> frozenset[Question]:
        out: set[Question] = set()
        waiting = list(noted)
        while waiting:
            question = waiting.pop()
            if question not in out:
                out.add(question)
                if question not in made_before:
                    waiting.extend(self.made.get(question, ()))
        return frozenset(out)
