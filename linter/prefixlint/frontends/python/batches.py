"""Roots of one module that are run one after the other.

Batches of a round do not depend on each other: each starts from what was known before the round. So they can be run in
any order, or at once, and what comes out is the same.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.frontends.python.ledger import Ledger
from prefixlint.frontends.python.root_runs import Outcome, run_function
from prefixlint.frontends.python.trace import Seen
from prefixlint.model.templates import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.frontends.python.frames import Emission
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.trace import Question

_COVERED = Outcome(sent=False, open=True, useful=True)
"""Of a function that was entered from a caller already: by itself it would only say less. Its other callers may say
more."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Functions of the module at ``path``, in the order in which they are run, at that many calls from what sends."""

    level: int
    path: str
    functions: tuple[FunctionInfo, ...]


@dataclass(slots=True)
class Result:
    """What came of a batch: an outcome for each of its functions, None for one that was not followed.

    ``left_out`` are functions that the bound on a file's steps kept from being run, ``too_deep`` those nested too
    deeply; ``added`` is what the ledger has learnt, ``seen`` what all this rests on.
    """

    outcomes: list[Outcome | None] = field(default_factory=list)
    emissions: Sequence[Emission] = ()
    left_out: list[FunctionInfo] = field(default_factory=list)
    too_deep: list[FunctionInfo] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    added: Ledger = field(default_factory=Ledger)
    seen: Seen = field(default_factory=Seen)


def run_batch(batch: Batch, start: Interpreter) -> Result:
    """Runs the functions of a batch with what ``start`` knows, which learns nothing from it."""
    trace = start.project.trace
    made_before = trace.made
    with trace.batch():
        interpreter = start.fresh()
        result = _run(batch, interpreter)
        result.added = interpreter.ledger.since(start.ledger)
        result.seen = _seen(batch, interpreter, trace.questions(made_before))
        interpreter.end()
    return result


def _run(batch: Batch, interpreter: Interpreter) -> Result:
    interpreter.project.trace.note(("outline", batch.path))
    for info in batch.functions:
        info.looked_into()
    ledger = interpreter.ledger
    result = Result()
    for info in batch.functions:
        outcome: Outcome | None = None
        before = interpreter.total
        if info in ledger.covered and not _says_more(info, interpreter):
            outcome = _COVERED
        elif ledger.of_file[batch.path] > interpreter.bounds.steps_of_file:
            result.left_out.append(info)
        else:
            found = len(interpreter.emissions)
            try:
                outcome = run_function(interpreter, info)
            except RecursionError:
                interpreter.forget_silence()
                result.too_deep.append(info)
            except Exception as error:
                interpreter.forget_silence()
                result.faults.append(fault_of(f"{batch.path}:{info.line}:{info.name}", error))
            if outcome is None:
                del interpreter.emissions[found:]
        ledger.of_file[batch.path] += interpreter.total - before
        result.outcomes.append(outcome)
    result.emissions = interpreter.emissions
    return result


def _says_more(info: FunctionInfo, interpreter: Interpreter) -> bool:
    """Whether a function that callers entered may say by itself what they do not: what it puts into a request's object,
    or that it cuts a conversation, of which callers hand on none or one of their own making."""
    return interpreter.graph.fills_requests(info) or interpreter.lookup.aging.turns.shortens(info)


def _seen(batch: Batch, interpreter: Interpreter, questions: frozenset[Question]) -> Seen:
    asked = interpreter.asked
    start = asked.start
    return Seen(
        questions,
        tuple(info in start.covered for info in batch.functions),
        tuple((info.place, asked.most.get(info), asked.least.get(info)) for info in {**asked.most, **asked.least}),
        interpreter.ledger.of_file[batch.path] - start.of_file[batch.path],
        tuple((info.place, known) for info, known in asked.cut_off.items()),
        tuple((info.place, known) for info, known in asked.covered.items()),
    )


def fault_of(where: str, error: Exception) -> Fault:
    return Fault(where, f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))
