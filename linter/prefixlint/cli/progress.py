"""One line on the terminal that says what a long run is doing, and goes away when it is done."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Final, TextIO

_PATIENCE: Final = 1.0
"""Seconds before the line first shows: a run that is over by then needs none."""
_PAUSE: Final = 0.1
_CELLS: Final = 24


def _bar(done: int, total: int, drawing: bool) -> str:
    """How much of it is done, in ``_CELLS`` cells."""
    full, empty = ("█", "░") if drawing else ("#", "-")
    filled = _CELLS * min(done, total) // total if total else 0
    return full * filled + empty * (_CELLS - filled)


class ProgressLine:
    """Call it with what is being done, how many are done, and how many there are.

    It writes to ``stream`` (standard error) only if that is a terminal. Use it as a context: at the end the line is
    wiped.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._wanted = self._stream.isatty()
        self._drawing = (getattr(self._stream, "encoding", None) or "").lower().startswith("utf")
        self._next = time.monotonic() + _PATIENCE
        self._text = ""
        self._shown = False
        self._lock = threading.Lock()
        # A stage that takes long reports only when it begins: the line must come up while it runs.
        self._timer = threading.Timer(_PATIENCE, self.show)
        self._timer.daemon = True

    def __call__(self, what: str, done: int, total: int) -> None:
        self._text = f"{what} {_bar(done, total, self._drawing)} {done:,} of {total:,}"
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PAUSE
            self.show()

    def show(self) -> None:
        """Writes what was told last."""
        with self._lock:
            if self._wanted and self._text:
                self._shown = True
                self._stream.write(f"\r\x1b[K{self._text}")
                self._stream.flush()

    def __enter__(self) -> ProgressLine:
        if self._wanted:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._wanted = False
            if self._shown:
                self._stream.write("\r\x1b[K")
                self._stream.flush()
