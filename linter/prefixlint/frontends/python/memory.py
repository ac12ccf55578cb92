"""What earlier runs made of batches, used again where everything that a batch rested on is as it was.

Whether it is, is found by asking the same questions again: what a file holds, what a name is imported from, who
implements a method. Only a batch for which one answer has changed is run anew. What a batch rests on may stand on other
lines of a module that was edited.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from prefixlint.cache import codec
from prefixlint.frontends.python.answers import NOBODY_KNOWS, Answers
from prefixlint.frontends.python.moved import Lost, Moves
from prefixlint.frontends.python.packed import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.batches import Batch, Result
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.project import Project
    from prefixlint.frontends.python.trace import Place, Question, Seen


class Memory(Protocol):
    """Where results are kept from run to run."""

    def load(self) -> bytes | None:
        """What ``save`` was given last."""

    def save(self, data: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class _Kept:
    """A result as bytes, with the functions of its batch and the numbers of the questions behind it."""

    functions: tuple[Place, ...]
    questions: tuple[int, ...]
    body: str


class Recollection:
    """Results of an earlier run for the batches of this one.

    Use: ``begin`` when the modules have been run, ``recall`` for each batch of a round, ``keep`` for each new result,
    and ``data`` at the end.
    """

    def __init__(self, data: bytes | None) -> None:
        self._kept: dict[str, _Kept] = {}
        self._sound: list[bool] = []
        self._questions: list[Question] = []
        self._answers: list[Any] = []
        self._behind: dict[int, list[int]] = {}
        self._texts: dict[str, str] = {}
        self._moves: Moves
        self._made_before: dict[Question, frozenset[Question]] = {}
        self._new: dict[str, tuple[tuple[Place, ...], frozenset[Question], str]] = {}
        if data is not None:
            try:
                raw = json.loads(data)
                self._questions = [tuple(question) for question, _ in raw["questions"]]
                self._answers = [answer for _, answer in raw["questions"]]
                self._behind = {int(number): behind for number, behind in raw["made"].items()}
                self._texts = dict(raw["texts"])
                self._kept = {
                    key: _Kept(tuple(map(tuple, functions)), tuple(numbers), body)
                    for key, (functions, numbers, body) in raw["batches"].items()
                }
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                self._kept, self._questions, self._answers, self._behind, self._texts = {}, [], [], {}, {}

    def begin(self, interpreter: Interpreter) -> None:
        """Finds the questions that have the same answer as before, those behind them included."""
        self._moves = Moves(self._texts, interpreter.project)
        answers = Answers(interpreter)
        sound: list[bool] = []
        for number, (question, answer) in enumerate(zip(self._questions, self._answers, strict=True)):
            try:
                self._questions[number] = self._moves.question(question)
                same = answers.of(self._questions[number]) == self._moves.answer(answer)
            except Lost:
                same = False
            sound.append(same and answer != NOBODY_KNOWS and self._moves.holds(question))
        standing_on: dict[int, list[int]] = {}
        for number, behind in self._behind.items():
            for other in behind:
                standing_on.setdefault(other, []).append(number)
        waiting = [number for number, good in enumerate(sound) if not good]
        while waiting:
            for number in standing_on.get(waiting.pop(), ()):
                if sound[number]:
                    sound[number] = False
                    waiting.append(number)
        self._sound = sound
        self._made_before = dict(interpreter.project.trace.made)

    def recall(self, batch: Batch, interpreter: Interpreter) -> Result | None:
        """What an earlier run made of the batch; None where that does not hold any more."""
        kept = self._kept.get(_key(batch))
        if kept is None or not all(self._sound[number] for number in kept.questions):
            return None
        try:
            if tuple(map(self._moves.place, kept.functions)) != _places(batch):
                return None
            result = unpacked(kept.body.encode(), interpreter.project, self._moves)
            if not _still_holds(result.seen, batch, interpreter):
                return None
        except (codec.Damaged, LookupError):
            return None
        body = packed(result).decode() if self._moves.mentioned(kept.body) else kept.body
        self._new[_key(batch)] = (_places(batch), frozenset(self._questions[n] for n in kept.questions), body)
        return result

    def keep(self, batch: Batch, result: Result, interpreter: Interpreter) -> None:
        """Remembers a result, unless it owes to chance: a fault of ours, or a depth that depends on the machine."""
        if result.faults or result.too_deep or result.left_out:
            return
        with suppress(codec.NotStorable):
            body = packed(replace(result, seen=replace(result.seen, questions=frozenset())))
            self._new[_key(batch)] = (_places(batch), result.seen.questions, body.decode())

    def data(self, interpreter: Interpreter) -> bytes:
        """All that is known now, for a later run."""
        answers = Answers(interpreter)
        numbers: dict[Question, int] = {}
        for _, questions, _ in self._new.values():
            for question in sorted(questions, key=repr):
                numbers.setdefault(question, len(numbers))
        made: dict[int, list[int]] = {}
        waiting = list(numbers)
        while waiting:
            question = waiting.pop()
            behind = self._made_before.get(question)
            if behind is not None:
                for other in sorted(behind, key=repr):
                    if other not in numbers:
                        numbers[other] = len(numbers)
                        waiting.append(other)
                made[numbers[question]] = [numbers[other] for other in behind]
        return json.dumps(
            {
                "questions": [(question, answers.of(question)) for question in numbers],
                "made": made,
                "texts": _texts(numbers, interpreter.project),
                "batches": {
                    key: (functions, [numbers[question] for question in questions], body)
                    for key, (functions, questions, body) in self._new.items()
                },
            },
            separators=(",", ":"),
        ).encode()


def _texts(questions: Iterable[Question], project: Project) -> dict[str, str]:
    """The modules that the questions are about: what changes in one is found by comparing them."""
    paths = {str(path) for kind, path, *_ in questions if kind in ("outline", "body")}
    files = {path: project.file(path) for path in sorted(paths)}
    return {path: file.text for path, file in files.items() if file is not None}


def _key(batch: Batch) -> str:
    return f"{batch.level}:{batch.path}"


def _places(batch: Batch) -> tuple[Place, ...]:
    return tuple(info.place for info in batch.functions)


def _still_holds(seen: Seen, batch: Batch, interpreter: Interpreter) -> bool:
    """Whether what the ledger says now would have been taken for the same."""
    ledger, bounds, project = interpreter.ledger, interpreter.bounds, interpreter.project
    if seen.covered != tuple(info in ledger.covered for info in batch.functions):
        return False
    if ledger.of_file[batch.path] + seen.file_steps > bounds.steps_of_file:
        return False
    for place, most, least in seen.spent:
        before = ledger.spent[project.function_at(*place)]
        if most is not None and before + most > bounds.steps_of_one:
            return False
        if least is not None and before + least <= bounds.steps_of_one:
            return False
    return all(
        (project.function_at(*place) in functions) == known
        for functions, places in ((ledger.cut_off, seen.cut_off), (ledger.covered, seen.passed))
        for place, known in places
    )
