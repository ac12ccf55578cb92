"""Reads files: regular ones only, bounded, once."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.discover.decode import DecodeError, decode
from prefixlint.model.sources import Position
from prefixlint.model.templates import Problem

if TYPE_CHECKING:
    from prefixlint.model.sources import SourceFile


@dataclass(frozen=True, slots=True)
class Contents:
    """``data`` holds at most ``limit`` bytes; ``size`` is the file's whole size."""

    data: bytes
    size: int


def read_bytes(path: str, limit: int) -> Contents | str:
    """The file's bytes, or why they cannot be had."""
    try:
        # A pipe or a device would block or never end, and must not be opened at all.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return "not a regular file"
        with open(path, "rb", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            # One byte more than it says, to see the end; a file that grows meanwhile is read on up to the limit.
            data = stream.read(min(size, limit) + 1) or b""
            while size < len(data) <= limit and (more := stream.read(limit + 1 - len(data))):
                data += more
    except FileNotFoundError:
        return "file vanished while reading"
    except OSError as error:
        return f"cannot read file: {error.strerror or error}; check its permissions, or exclude it"
    return Contents(data[:limit], max(size, len(data)))


def too_large(size: int, limit: int) -> str:
    return (
        f"file has {size:,} bytes, more than max-file-size ({limit:,}); "
        "raise max-file-size in the configuration, or exclude the file"
    )


def read_source(path: str, limit: int) -> SourceFile | Problem:
    """The decoded file, or the problem that keeps it from being analysed."""
    contents = read_bytes(path, limit)
    if isinstance(contents, str):
        return Problem(path, Position(1, 1), contents)
    return source_of(path, contents, limit)


def source_of(path: str, contents: Contents, limit: int) -> SourceFile | Problem:
    """The decoded file of bytes already read."""
    if contents.size > limit:
        return Problem(path, Position(1, 1), too_large(contents.size, limit))
    try:
        return decode(path, contents.data)
    except DecodeError as error:
        return Problem(path, Position(error.line, error.column), error.message)
