"""Reads the metadata of a GGUF file: the keys in front of the tensors, nothing of the tensors themselves."""

from __future__ import annotations

import mmap
import struct
from typing import TYPE_CHECKING, Any

from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from pathlib import Path

# Value types of the format (ggml-org/ggml, docs/gguf.md, version 3) that have a fixed size, as struct codes.
_FIXED = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9

# Sixty times the largest vocabulary there is. A longer array is damage, and would fill the memory as a list.
_MOST_ITEMS = 1 << 24


class _Reader:
    def __init__(self, data: mmap.mmap, order: str) -> None:
        self.data = data
        self.at = 4
        self.order = order

    def fixed(self, code: str) -> Any:
        form = struct.Struct(self.order + code)
        (value,) = form.unpack_from(self.data, self.at)
        self.at += form.size
        return value

    def text(self) -> str:
        length = self.fixed("Q")
        if length > len(self.data) - self.at:
            raise struct.error("a string goes on behind the end of the file")
        value = self.data[self.at : self.at + length].decode("utf-8", "replace")
        self.at += length
        return value

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.text()
        if kind != _ARRAY:
            if kind not in _FIXED:
                raise struct.error(f"{kind} is no type of a value")
            return self.fixed(_FIXED[kind])
        inner, count = self.fixed("I"), self.fixed("Q")
        if count > len(self.data) - self.at:
            raise struct.error("an array goes on behind the end of the file")
        if count > _MOST_ITEMS:
            raise struct.error(f"an array of {count:,} items")
        if inner == _ARRAY:  # llama.cpp reads none either; a file could nest them without end
            raise struct.error("an array of arrays")
        if inner in _FIXED:
            form = struct.Struct(f"{self.order}{count}{_FIXED[inner]}")
            values = list(form.unpack_from(self.data, self.at))
            self.at += form.size
            return values
        return [self.value(inner) for _ in range(count)]


def read_metadata(path: Path) -> dict[str, Any]:
    """The metadata of the GGUF file ``path`` by key. Raises ``TokenizerError`` for one that is none, or is cut off."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _metadata(path, data)
    except OSError as error:
        raise TokenizerError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, struct.error) as error:
        raise TokenizerError(f"{path} is not a GGUF file that can be read: {error}") from error


def _metadata(path: Path, data: mmap.mmap) -> dict[str, Any]:
    if data[:4] != b"GGUF":
        raise TokenizerError(f"{path} is not a GGUF file")
    reader = _Reader(data, "<")
    version = reader.fixed("I")
    if version & 0xFFFF == 0:  # the other byte order
        reader = _Reader(data, ">")
        version = reader.fixed("I")
    if version not in (2, 3):
        raise TokenizerError(f"{path} is a GGUF file of version {version}; versions 2 and 3 are read")
    reader.fixed("Q")
    out = {}
    for _ in range(reader.fixed("Q")):
        key = reader.text()
        out[key] = reader.value(reader.fixed("I"))
    return out
