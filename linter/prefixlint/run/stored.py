"""The Python front end with a memory: what an earlier run made of the same files, if nothing it read has changed."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import prefixlint
from prefixlint.cache import codec
from prefixlint.cache.digests import text_digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.cache.store import Store
    from prefixlint.config import Config
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.templates import Extraction
    from prefixlint.run.stages import Read, Stages

QUICK = 0.2
"""Seconds of computing below which a result is not worth keeping."""


def analysed(
    files: Sequence[SourceFile],
    read: Read,
    unread: Sequence[tuple[str, bytes]],
    stages: Stages,
    config: Config,
    store: Store | None,
    jobs: int = 1,
) -> Mapping[str, Extraction]:
    """As ``stages.python_analyse``.

    An entry is found by the run's Python files, by what the configuration says of code, and by this program itself. It
    names every other file that was asked for, with its content or its absence: it counts while all are as they were.
    """
    if store is None:
        return stages.python_analyse(files, read, unread, jobs, None)
    key = _key(files, unread, config)
    known = store.get(key)
    if known is not None:
        found = _remembered(known, files, read)
        if found is not None:
            return found
    asked: dict[str, str | None] = {}

    def reading(path: str) -> SourceFile | None:
        file = read(path)
        asked[path] = None if file is None else text_digest(file.text)
        return file

    last = _Last(store, _project(files, config))
    result = stages.python_analyse(files, reading, unread, jobs, last)
    if last.worth_keeping and not any(extraction.faults for extraction in result.values()):
        try:
            store.put(key, json.dumps(asked).encode() + b"\n" + codec.dump(result))
        except codec.NotStorable as error:
            store.trouble = f"results cannot be kept: {error}"
    return result


@dataclass(slots=True)
class _Last:
    """Where the Python front end keeps, under one key for a project, what it made of each part of it."""

    store: Store
    key: str
    _start: float = field(default_factory=time.process_time)

    @property
    def worth_keeping(self) -> bool:
        return time.process_time() - self._start > QUICK

    def load(self) -> bytes | None:
        return self.store.get(self.key)

    def save(self, data: bytes) -> None:
        if self.worth_keeping:
            self.store.put(self.key, data)


def _remembered(data: bytes, files: Sequence[SourceFile], read: Read) -> Mapping[str, Extraction] | None:
    head, _, body = data.partition(b"\n")
    own = {file.path: file for file in files}
    try:
        for path, digest in json.loads(head).items():
            file = read(path)
            if (None if file is None else text_digest(file.text)) != digest:
                return None
        return codec.load(body, lambda path: own.get(path) or read(path))
    except (ValueError, AttributeError):
        return None


def _key(files: Sequence[SourceFile], unread: Sequence[tuple[str, bytes]], config: Config) -> str:
    """Digest of everything that decides over the result before any other file is read."""
    summary = _told(config)
    for file in files:
        summary.update(f"\0{file.path}\0{text_digest(file.text)}".encode("utf-8", "surrogatepass"))
    for path, data in unread:
        summary.update(f"\1{path}\0".encode("utf-8", "surrogatepass") + blake2b(data, digest_size=20).digest())
    return summary.hexdigest()


def _project(files: Sequence[SourceFile], config: Config) -> str:
    """Digest of the same without the contents: which project is looked at, from where."""
    folders = {os.path.dirname(os.path.abspath(file.path)) for file in files}
    try:
        top = os.path.commonpath(folders)
    except ValueError:  # several drives
        top = ""
    summary = _told(config)
    summary.update(repr((os.getcwd(), top)).encode("utf-8", "surrogatepass"))
    return summary.hexdigest()


def _told(config: Config) -> blake2b:
    told = (config.names, config.sources, config.handlers, config.sinks, config.templates, config.max_file_size)
    return blake2b(repr((program(), sys.version, told)).encode("utf-8", "surrogatepass"), digest_size=20)


@cache
def program() -> str:
    """The version, and size and time of each file of the package: an edited copy is another program."""
    summary = blake2b(prefixlint.__version__.encode(), digest_size=20)
    folder = os.path.dirname(os.path.abspath(prefixlint.__file__))
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            status = os.stat(os.path.join(at, name))
            summary.update(f"{at}/{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return summary.hexdigest()
