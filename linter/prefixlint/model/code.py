"""Facts about code that measures a cache or steers it: what no prompt shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from prefixlint.model.frozen import dataclass

if TYPE_CHECKING:
    from prefixlint.model.sources import Span

FactKind = Literal["ratio", "sum", "default", "read", "cache-key"]


@dataclass(frozen=True, slots=True)
class CodeFact:
    """One place in a source file.

    ``ratio``: a division, of what ``counters`` make by what ``over`` make. ``sum``: an addition of ``counters`` to
    something. ``default``: ``counters`` are read with 0 for a missing one. ``read``: ``counters`` are given the name
    ``name``. ``cache-key``: the parameter ``name`` is set to something new at every call. Counters are the names of
    usage fields as APIs have them; ``zeroed`` are those in it for which a missing one counts as 0. ``words`` are the
    usage fields and signs of an API that stand anywhere in the file.
    """

    kind: FactKind
    span: Span
    expression: str
    counters: frozenset[str] = frozenset()
    over: frozenset[str] = frozenset()
    zeroed: frozenset[str] = frozenset()
    name: str = ""
    words: frozenset[str] = frozenset()
