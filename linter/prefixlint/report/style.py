"""How text output may look: colour, drawing characters, width."""

from __future__ import annotations

from dataclasses import dataclass

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "bold": "1",
    "dim": "2",
    "frame": "94",
    "stable": "32",
    "stranded": "31",
    "varying": "33",
    "help": "1;32",
}


@dataclass(frozen=True, slots=True)
class Style:
    """``colour``: escape sequences are welcome; ``drawing``: box and block characters are; ``width`` in cells."""

    colour: bool = False
    drawing: bool = True
    width: int = 100

    def paint(self, kind: str, text: str) -> str:
        """``text`` in the colour of ``kind``, one of the names above."""
        return f"\x1b[{_CODES[kind]}m{text}\x1b[0m" if self.colour and text else text
