"""Results of batches as bytes: for another process, and for a later run."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from prefixlint.cache import codec
from prefixlint.frontends.python.batches import Result
from prefixlint.frontends.python.frames import Emission
from prefixlint.frontends.python.ledger import Ledger
from prefixlint.frontends.python.modules import FunctionInfo
from prefixlint.frontends.python.moved import Moves
from prefixlint.frontends.python.root_runs import Outcome
from prefixlint.frontends.python.trace import Seen
from prefixlint.model.templates import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.modules import Code
    from prefixlint.frontends.python.project import Project
    from prefixlint.frontends.python.trace import Place

_EMISSION = tuple(each.name for each in fields(Emission))


def packed(result: Result) -> bytes:
    """Raises ``codec.NotStorable``."""

    def places(entered: Iterable[Code]) -> tuple[Place, ...]:
        # Lambdas are entered too, but nobody runs one by itself.
        return tuple(sorted(info.place for info in entered if isinstance(info, FunctionInfo)))

    added, seen = result.added, result.seen
    return codec.pack(
        {
            "outcomes": tuple(o if o is None else (o.sent, o.open, o.useful) for o in result.outcomes),
            "emissions": tuple(tuple(getattr(e, name) for name in _EMISSION) for e in result.emissions),
            "left_out": tuple(info.place for info in result.left_out),
            "too_deep": tuple(info.place for info in result.too_deep),
            "faults": tuple((fault.where, fault.error, fault.traceback) for fault in result.faults),
            "covered": places(added.covered),
            "followed": places(added.followed),
            "cut_off": places(added.cut_off),
            "spent": tuple((info.place, steps) for info, steps in added.spent.items()),
            "of_file": tuple(added.of_file.items()),
            "questions": tuple(sorted(seen.questions, key=repr)),
            "seen": (seen.covered, seen.spent, seen.file_steps, seen.cut_off, seen.passed),
        }
    )


def unpacked(data: bytes, project: Project, moves: Moves | None = None) -> Result:
    """``moves`` say where the code stands now that was there when the result was packed. Raises ``codec.Damaged``."""
    moves = moves or Moves({}, project)
    raw = codec.unpack(data, project.file, moves.found)
    try:
        return _result(raw, project, moves)
    except (LookupError, TypeError, ValueError) as error:
        raise codec.Damaged(str(error)) from error


def _result(raw: dict[str, Any], project: Project, moves: Moves) -> Result:
    def function(place: Place) -> FunctionInfo:
        return project.function_at(*moves.place(place))

    covered, spent, file_steps, cut_off, passed = raw["seen"]

    return Result(
        outcomes=[None if outcome is None else Outcome(*outcome) for outcome in raw["outcomes"]],
        emissions=[Emission(*emission) for emission in raw["emissions"]],
        left_out=[function(place) for place in raw["left_out"]],
        too_deep=[function(place) for place in raw["too_deep"]],
        faults=[Fault(*fault) for fault in raw["faults"]],
        added=Ledger(
            covered={function(place) for place in raw["covered"]},
            followed={function(place) for place in raw["followed"]},
            cut_off=dict.fromkeys(function(place) for place in raw["cut_off"]),
            spent=Counter({function(place): steps for place, steps in raw["spent"]}),
            of_file=Counter(dict(raw["of_file"])),
        ),
        seen=Seen(
            frozenset(raw["questions"]),
            covered,
            tuple((moves.place(place), most, least) for place, most, least in spent),
            file_steps,
            tuple((moves.place(place), known) for place, known in cut_off),
            tuple((moves.place(place), known) for place, known in passed),
        ),
    )
