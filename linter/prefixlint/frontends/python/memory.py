"""What earlier runs made of batches, used again where everything that a batch rested on is as it was.

Whether it is, is found by asking the same questions again: what a file holds, what a name is imported from, who
implements a method. Only a batch for which one answer has changed is run anew.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from prefixlint.cache import codec
from prefixlint.cache.digests import text_digest
from prefixlint.frontends.python.packed import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.frontends.python.batches import Batch, Result
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo
    from prefixlint.frontends.python.trace import Place, Question, Seen


class Memory(Protocol):
    """Where results are kept from run to run."""

    def load(self) -> bytes | None:
        """What ``save`` was given last."""

    def save(self, data: bytes) -> None: ...


_NOBODY_KNOWS = "?"
"""The answer about a function or class that cannot be found again by its place."""


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
        self._made_before: dict[Question, frozenset[Question]] = {}
        self._new: dict[str, tuple[tuple[Place, ...], frozenset[Question], str]] = {}
        if data is not None:
            try:
                raw = json.loads(data)
                self._questions = [tuple(question) for question, _ in raw["questions"]]
                self._answers = [answer for _, answer in raw["questions"]]
                self._behind = {int(number): behind for number, behind in raw["made"].items()}
                self._kept = {
                    key: _Kept(tuple(map(tuple, functions)), tuple(numbers), body)
                    for key, (functions, numbers, body) in raw["batches"].items()
                }
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                self._kept, self._questions, self._answers, self._behind = {}, [], [], {}

    def begin(self, interpreter: Interpreter) -> None:
        """Finds the questions that have the same answer as before, those behind them included."""
        answers = Answers(interpreter)
        asked = zip(self._questions, self._answers, strict=True)
        sound = [answer != _NOBODY_KNOWS and answers.of(question) == answer for question, answer in asked]
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
        if kept is None or kept.functions != _places(batch):
            return None
        try:
            if not all(self._sound[number] for number in kept.questions):
                return None
            result = unpacked(kept.body.encode(), interpreter.project)
            if not _still_holds(result.seen, batch, interpreter):
                return None
        except (codec.Damaged, LookupError):
            return None
        self._new[_key(batch)] = (kept.functions, frozenset(self._questions[n] for n in kept.questions), kept.body)
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
                "batches": {
                    key: (functions, [numbers[question] for question in questions], body)
                    for key, (functions, questions, body) in self._new.items()
                },
            },
            separators=(",", ":"),
        ).encode()


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


class Answers:
    """Answers questions, as plain values."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._project = interpreter.project
        self._known: dict[Question, Any] = {}
        self._by_kind: dict[str | int, Callable[..., Any]] = {
            "module": self._file,
            "file": self._file,
            "import": self._import,
            "partial": self._partial,
            "relevant": self._relevant,
            "cuts": self._cuts,
            "given": self._given,
            "together": self._together,
            "owners": self._owners,
            "implementations": self._implementations,
            "unique": self._unique,
            "named": self._named,
            "handler": self._handler,
            # Made of other answers: they stand where these do.
            **dict.fromkeys(
                ("variables", "bases", "attributes", "set up", "turns", "keeps", "around"), lambda *_: True
            ),
        }

    def of(self, question: Question) -> Any:
        if question not in self._known:
            kind, *about = question
            try:
                self._known[question] = self._by_kind[kind](*about)
            except (LookupError, TypeError):
                self._known[question] = _NOBODY_KNOWS
        return self._known[question]

    def _file(self, path: str) -> str | None:
        file = self._project.file(path)
        return None if file is None else text_digest(file.text)

    def _import(self, dotted: str, level: int, importer: str) -> str | None:
        module = self._project.module(importer)
        found = None if module is None else self._project.import_module(dotted, level, module)
        return None if found is None else found.path

    def _partial(self, path: str) -> list[str]:
        return sorted(self._project.trace.partial.get(path, ()))

    def _relevant(self, *place: Any) -> bool:
        return self._function(place) in self._interpreter.relevant

    def _cuts(self, *place: Any) -> bool:
        return self._interpreter.lookup.aging.turns.cuts(self._function(place))

    def _given(self, name: str) -> bool:
        return self._interpreter.lookup.aging.turns.keeping.is_given_messages(name)

    def _together(self, name: str, *others: Any) -> bool:
        return self._interpreter.lookup.aging.turns.is_called_with(name, frozenset(others))

    def _owners(self, *place: Any) -> list[Any]:
        owners = self._interpreter.graph.owners(self._function(place))
        return [None if owner is None else list(owner.place) for owner in owners]

    def _implementations(self, *places: Any) -> list[Any]:
        found = self._interpreter.graph.implementations(self._function(places[:3]), self._class(places[3:]))
        return [[list(owner.place), list(method.place)] for owner, method in found]

    def _unique(self, name: str) -> Any:
        found = self._interpreter.unique_method(name)
        return None if found is None else list(found.place)

    def _named(self, name: str) -> list[Any]:
        return [list(info.place) for info in self._interpreter.functions_named(name)[:2]]

    def _handler(self, *place: Any) -> str:
        return repr(self._interpreter.handlers.of(self._function(place)))

    def _function(self, place: Any) -> FunctionInfo:
        return self._project.function_at(*place)

    def _class(self, place: Any) -> ClassInfo:
        path, *at = place
        module = self._project.module(path)
        for info in () if module is None else module.classes.values():
            if list(info.place[1:]) == at:
                return info
        raise LookupError(path)
