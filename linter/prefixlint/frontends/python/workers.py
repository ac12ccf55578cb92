"""Runs the batches of a round in several processes.

Workers are forks of the process that has parsed the project: nothing is sent to them but numbers of batches. They take
these from a pipe, as make's job server hands out its tokens, and write what they find to a pipe of their own. A worker
waits for nobody: when the run is killed, it ends with its next word. What a worker that dies had not yet found is run
here.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import struct
import sys
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING

from prefixlint.cache import codec
from prefixlint.frontends.python.batches import run_batch
from prefixlint.frontends.python.packed import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from prefixlint.frontends.python.batches import Batch, Result
    from prefixlint.frontends.python.interpreter import Interpreter

FEWEST = 16
"""Functions for which it is worth to start workers: they take about a fifth of a second by themselves."""
_NUMBER = struct.Struct("<I")
_HEAD = struct.Struct("<II")
_ASKED_FOR = 0xFFFFFFFF
"""In the place of a batch's number: what follows are the paths of the files that the worker has asked for."""
# What a pipe holds at least, where nobody reads yet.
_PIPE_BYTES = 4096


def run_batches(batches: Sequence[Batch], interpreter: Interpreter, jobs: int) -> list[Result]:
    """Results in the order of the batches, the same for any number of ``jobs`` (processes, 1 for none but this)."""
    known: dict[int, Result] = {}
    workers = min(jobs, len(batches))
    if workers > 1 and hasattr(os, "fork") and sum(len(batch.functions) for batch in batches) >= FEWEST:
        known = _found_by_workers(batches, interpreter, workers)
    return [known.get(number) or run_batch(batch, interpreter) for number, batch in enumerate(batches)]


def _found_by_workers(batches: Sequence[Batch], interpreter: Interpreter, workers: int) -> dict[int, Result]:
    # Long ones first: whoever is done early takes one of the short ones that are left.
    order = sorted(range(len(batches)), key=lambda n: -sum(info.size for info in batches[n].functions))
    shares = _shares(order)
    tickets, hand_out = os.pipe()
    os.write(hand_out, b"".join(_NUMBER.pack(number) for number in range(len(shares))))
    os.close(hand_out)
    sys.stdout.flush()
    sys.stderr.flush()
    children: dict[int, int] = {}
    try:
        for _ in range(workers):
            results, write = os.pipe()
            child = _fork()
            if child == 0:
                os.close(results)
                _work(batches, interpreter, shares, tickets, write)
            os.close(write)
            children[results] = child
        return dict(_collected(list(children), interpreter))
    finally:
        os.close(tickets)
        for results, child in children.items():
            os.close(results)
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)  # one that has ended is only laid to rest
            os.waitpid(child, 0)


def _fork() -> int:
    with warnings.catch_warnings():
        # The thread that shows progress does not live on in a worker, which writes to no terminal.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _shares(order: Sequence[int]) -> list[Sequence[int]]:
    """The numbers in as many parts as the pipe holds tickets, early ones alone."""
    most = _PIPE_BYTES // _NUMBER.size
    return [order[start::most] for start in range(min(most, len(order)))]


def _work(
    batches: Sequence[Batch], interpreter: Interpreter, shares: Sequence[Sequence[int]], tickets: int, write: int
) -> None:
    """A worker's life: it never returns."""
    project = interpreter.project
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        before = set(project.asked_for)
        with os.fdopen(write, "wb") as out:
            while ticket := os.read(tickets, _NUMBER.size):
                for number in shares[_NUMBER.unpack(ticket)[0]]:
                    with suppress(codec.NotStorable):
                        _send(out, number, packed(run_batch(batches[number], interpreter)))
                out.flush()
            paths = (path for path in project.asked_for if path not in before)
            _send(out, _ASKED_FOR, json.dumps(list(paths)).encode())
    finally:
        os._exit(0)


def _send(out: BinaryIO, number: int, data: bytes) -> None:
    out.write(_HEAD.pack(number, len(data)) + data)


def _collected(pipes: Sequence[int], interpreter: Interpreter) -> Iterator[tuple[int, Result]]:
    """What workers write, until the last one has ended."""
    received: dict[int, bytearray] = {pipe: bytearray() for pipe in pipes}
    with selectors.DefaultSelector() as selector:
        for pipe in pipes:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                data = os.read(key.fd, 1 << 20)
                if not data:
                    selector.unregister(key.fd)
                received[key.fd] += data
    for written in received.values():
        at = 0
        while at + _HEAD.size <= len(written):
            number, length = _HEAD.unpack_from(written, at)
            at += _HEAD.size + length
            if at > len(written):
                break
            data = bytes(written[at - length : at])
            if number == _ASKED_FOR:
                for path in json.loads(data):
                    interpreter.project.file(path)
                continue
            with suppress(codec.Damaged):
                yield number, unpacked(data, interpreter.project)
