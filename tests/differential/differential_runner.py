"""Executes the programs and prints what they sent, as JSON. Run as a script, once for each hash seed.

Nothing of prefixlint is imported here: the recordings are what Python itself makes of the programs.

Usage: ``differential_runner.py FOLDER ENTRY...``; ``FOLDER`` holds all programs, an entry is a program's main file.
The output maps each entry to ``{"fresh": [...], "turns": [...], "days": [...], "error": null | str}``. ``fresh`` has
one recording for each pair of a clock and a user, each in a newly loaded program; ``turns`` has two of one user in one
loaded program, one after the other, the second with a later clock and a longer conversation; ``days`` has two that
differ in nothing but the clock, which goes from one year to another.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import datetime
import inspect
import io
import json
import os
import random
import secrets
import sys
import time
import traceback
import types
import uuid
from datetime import date as _RealDate
from datetime import datetime as _RealDatetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "stubs"))

import requests_recorder

ANOTHER_YEAR = datetime.datetime(2027, 8, 5, 21, 38, 40, 777777)
# One hour of one day: a date and an hour stay the same, minutes do not.
CLOCKS = (
    datetime.datetime(2026, 3, 14, 9, 26, 53, 123456),
    datetime.datetime(2026, 3, 14, 9, 47, 19, 654321),
)


def _talk(*texts: str) -> list[dict[str, str]]:
    return [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]


# What the parameters of a program's ``handle`` get, by name: two users who talk of different things.
USERS: tuple[dict[str, Any], ...] = (
    {
        "question": "How long does a parcel to Lyon take?",
        "user_name": "Maria Keller",
        "user_id": "u-4821",
        "session_id": "7f3c2b1e",
        "history": _talk("Good morning.", "Good morning, how can I help?"),
        "documents": ["Parcels within France take two days.", "Lyon has three depots."],
        "memory": "Writes from a train.",
        "profile": {"name": "Maria", "city": "Lyon"},
        "customer": types.SimpleNamespace(name="Maria", city="Lyon"),
        "diff": "-a = 1\n+a = 2",
    },
    {
        "question": "Is the battery covered after a year?",
        "user_name": "John Okafor",
        "user_id": "u-937",
        "session_id": "c05e88a9",
        "history": _talk("Hello there!", "Hello, what is it about?", "A lamp.", "Which one?"),
        "documents": ["A battery is covered for two years.", "Water damage is not covered.", "Send a photo."],
        "memory": "Asks about invoices.",
        "profile": {"name": "John", "city": "Accra"},
        "customer": types.SimpleNamespace(name="John", city="Accra"),
        "diff": "-print(b)\n+log(b)",
    },
)
NEXT_TURN: dict[str, Any] = {
    **USERS[0],
    "question": "And to Paris, by the night train?",
    "history": [*USERS[0]["history"], *_talk("How long does a parcel to Lyon take?", "Two days.")],
    "documents": ["Paris is served twice a day."],
    "diff": "-c = 3\n+c = 4",
}

_now = CLOCKS[0]


class _DateType(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _RealDate)


class FixedDate(_RealDate, metaclass=_DateType):
    @classmethod
    def today(cls) -> Any:
        return _RealDate(_now.year, _now.month, _now.day)


class _DatetimeType(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _RealDatetime)


class FixedDatetime(_RealDatetime, metaclass=_DatetimeType):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return _now if tz is None else _now.replace(tzinfo=datetime.UTC).astimezone(tz)

    @classmethod
    def utcnow(cls) -> Any:
        return _now

    @classmethod
    def today(cls) -> Any:
        return _now


def _epoch() -> float:
    return _now.replace(tzinfo=datetime.UTC).timestamp()


def _set_clock(clock: datetime.datetime) -> None:
    global _now
    _now = clock


def _fix_the_world(seed: int) -> None:
    """Clocks, ids and directory orders under control; hash seed 1 stands for another machine."""
    datetime.datetime, datetime.date = FixedDatetime, FixedDate  # type: ignore[misc]
    gmtime, strftime, asctime = time.gmtime, time.strftime, time.asctime
    time.time = _epoch
    time.time_ns = lambda: int(_epoch() * 1_000_000_000)
    time.gmtime = lambda secs=None: gmtime(_epoch() if secs is None else secs)
    time.localtime = time.gmtime
    time.strftime = lambda pattern, moment=None: strftime(pattern, gmtime(_epoch()) if moment is None else moment)
    time.ctime = lambda secs=None: asctime(gmtime(_epoch() if secs is None else secs))
    time.asctime = lambda moment=None: asctime(gmtime(_epoch()) if moment is None else moment)
    listdir, scandir = os.listdir, os.scandir

    def ordered_names(path: Any = ".") -> list[Any]:
        return sorted(listdir(path), reverse=bool(seed))

    os.listdir = ordered_names

    class OrderedEntries:
        def __init__(self, path: Any = ".") -> None:
            with scandir(path) as entries:
                self._entries = iter(sorted(entries, key=lambda entry: entry.name, reverse=bool(seed)))

        def __iter__(self) -> Any:
            return self._entries

        def __enter__(self) -> Any:
            return self._entries

        def __exit__(self, *_: object) -> None:
            pass

    os.scandir = OrderedEntries  # type: ignore[assignment]


_Random = random.Random


def _reset_randomness(key: str) -> None:
    random.seed(key)
    ids = _Random(f"ids of {key}")
    random.Random = lambda seed=None: _Random(ids.random() if seed is None else seed)  # type: ignore[assignment,misc]
    uuid.uuid4 = uuid.uuid1 = lambda *_: uuid.UUID(int=ids.getrandbits(128), version=4)
    secrets.token_hex = lambda nbytes=None: ids.randbytes(nbytes or 32).hex()


class Program:
    """A program loaded anew, as a new process would load it."""

    def __init__(self, entry: Path, folder: Path, key: str, clock: datetime.datetime, user: dict[str, Any]) -> None:
        self._folder = folder
        _reset_randomness(key)
        _set_clock(clock)
        requests_recorder.REQUESTS.clear()
        self._forget()
        self._path = [str(entry.parent), *_SYS_PATH]
        self.module = types.ModuleType("__main__")
        self.module.__file__ = str(entry)
        with self._running(user):
            exec(compile(entry.read_text(encoding="utf-8"), str(entry), "exec"), self.module.__dict__)

    def _forget(self) -> None:
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(self._folder)):
                del sys.modules[name]

    @contextlib.contextmanager
    def _running(self, user: dict[str, Any]) -> Any:
        main, sys.modules["__main__"] = sys.modules["__main__"], self.module if hasattr(self, "module") else _MAIN
        sys.path[:] = self._path
        typed = iter((user["question"], NEXT_TURN["question"]))
        builtins.input = lambda prompt="": next(typed, "")
        try:
            yield
        finally:
            sys.modules["__main__"] = main

    def ask(self, clock: datetime.datetime, user: dict[str, Any]) -> None:
        """Calls ``handle`` with the arguments that its parameters name; a script has sent its request already."""
        handle = getattr(self.module, "handle", None)
        if handle is None:
            return
        _set_clock(clock)
        arguments = {name: user[name] for name in inspect.signature(handle).parameters}
        with self._running(user):
            result = handle(**arguments)
            if inspect.iscoroutine(result):
                asyncio.run(result)

    def sent(self) -> str:
        """The latest request as one text."""
        if not requests_recorder.REQUESTS:
            raise LookupError("the program sent nothing")
        text: str = requests_recorder.REQUESTS[-1]
        return text


_SYS_PATH = list(sys.path)
_MAIN = sys.modules["__main__"]


def record(entry: Path, folder: Path, seed: int) -> dict[str, Any]:
    """What one program sends in this process."""
    fresh, turns, days = [], [], []
    try:
        for i, clock in enumerate(CLOCKS):
            for j, user in enumerate(USERS):
                program = Program(entry, folder, f"{seed}/{i}/{j}", clock, user)
                program.ask(clock, user)
                fresh.append(program.sent())
        for clock in (CLOCKS[0], ANOTHER_YEAR):
            program = Program(entry, folder, f"{seed}/days", clock, USERS[0])
            program.ask(clock, USERS[0])
            days.append(program.sent())
        program = Program(entry, folder, f"{seed}/turns", CLOCKS[0], USERS[0])
        if hasattr(program.module, "handle"):
            for clock, user in zip(CLOCKS, (USERS[0], NEXT_TURN), strict=True):
                program.ask(clock, user)
                turns.append(program.sent())
    except Exception:
        return {"fresh": fresh, "turns": turns, "days": days, "error": traceback.format_exc()}
    return {"fresh": fresh, "turns": turns, "days": days, "error": None}


def main() -> None:
    folder, *entries = (Path(argument).resolve() for argument in sys.argv[1:])
    seed = int(os.environ["PYTHONHASHSEED"])
    _fix_the_world(seed)
    sys.dont_write_bytecode = True
    with contextlib.redirect_stdout(io.StringIO()):
        recordings = {str(entry): record(entry, folder, seed) for entry in entries}
    print(json.dumps(recordings))


if __name__ == "__main__":
    main()
