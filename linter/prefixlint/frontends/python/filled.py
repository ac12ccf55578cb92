"""What a function puts under fixed keys of a local variable of which nothing is known: a row, a record, a state.

The variable stays what it is; where it is unpacked (``TEMPLATE.format(**row)``), these keys are known.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import FILLED
from prefixlint.frontends.python.values import DictThing, Ref

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.state import State
    from prefixlint.frontends.python.values import Val


def put_under(owner: ast.expr, entries: Iterable[tuple[str, Val]], state: State) -> None:
    """Remembers ``row["key"] = value`` and ``row.update({"key": value})``."""
    if not isinstance(owner, ast.Name):
        return
    known = state.variables.get(FILLED + owner.id)
    thing = state.heap.get(known.id) if isinstance(known, Ref) else None
    made = thing if isinstance(thing, DictThing) else DictThing()
    for key, value in entries:
        if key != "**":
            made = made.set(key, value)
    if isinstance(known, Ref):
        state.heap[known.id] = made
    else:
        state.variables[FILLED + owner.id] = state.new(made)


def filled(owner: ast.expr, frame: Frame) -> tuple[tuple[str, Val], ...]:
    """The keys that were put there, with their values."""
    if not isinstance(owner, ast.Name) or frame.state is None:
        return ()
    known = frame.state.variables.get(FILLED + owner.id)
    thing = frame.state.heap.get(known.id) if isinstance(known, Ref) else None
    return thing.entries if isinstance(thing, DictThing) else ()
