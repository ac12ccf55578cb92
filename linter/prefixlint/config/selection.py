"""Which rules run: layers of selected and ignored code prefixes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Selection:
    """One layer (the file, the command line). ``select`` None leaves the layers before it in force."""

    select: tuple[str, ...] | None = None
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        return (*(self.select or ()), *self.extend, *self.ignore)


def _longest(code: str, prefixes: Iterable[str]) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


def enabled(code: str, default: bool, layers: Iterable[Selection]) -> bool:
    """True when the rule with this code runs.

    Within a layer the longer prefix wins, and ``ignore`` wins a tie. A rule that is off by default is switched on by
    its whole code only, so that ``select = ["PFX1"]`` does not bring it in.
    """
    state = default
    for layer in layers:
        if layer.select is not None:
            state = False
        wanted = _longest(code, (*(layer.select or ()), *layer.extend))
        if not default and wanted < len(code):
            wanted = 0
        unwanted = _longest(code, layer.ignore)
        if unwanted and unwanted >= wanted:
            state = False
        elif wanted:
            state = True
    return state
