"""A folder of entries, each a file of its own: written whole or not at all, checked when read, bounded in size.

Runs at the same time need no lock: an entry is written beside its place and moved there. It begins with a digest of the
rest, so that one cut short by a full disk is not taken for a whole one. The folder is the user's, never one of the
analysed project: what a repository brings along is not read.
"""

from __future__ import annotations

import os
import sys
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

VARIABLE: Final = "PREFIXLINT_CACHE_DIR"
MOST_BYTES: Final = 200_000_000
_SUFFIX = ".entry"
_PART = ".part"
_DIGEST = 32


def default_folder() -> str:
    """``$PREFIXLINT_CACHE_DIR``, or ``prefixlint`` in the system's folder for caches of this user."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(base, "prefixlint")


@dataclass(slots=True)
class Store:
    """``trouble`` says why results could not be written, once something could not."""

    folder: str
    most_bytes: int = MOST_BYTES
    trouble: str = field(default="", init=False)

    def get(self, key: str) -> bytes | None:
        """The entry, or None where there is no whole one."""
        path = self._path(key)
        try:
            with open(path, "rb") as stream:
                data = stream.read(self.most_bytes + 1)
            plain = zlib.decompress(data[_DIGEST:]) if data[:_DIGEST] == _digest(data[_DIGEST:]) else None
        except (OSError, zlib.error):
            return None
        with suppress(OSError):
            os.utime(path)  # what is used is kept longest
        return plain

    def put(self, key: str, plain: bytes) -> None:
        """Writes an entry; whatever keeps it from being written goes to ``trouble``."""
        data = zlib.compress(plain, 1)
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            with NamedTemporaryFile(dir=self.folder, suffix=_PART, delete=False) as stream:
                part = stream.name
                try:
                    stream.write(_digest(data) + data)
                    stream.close()
                    os.replace(part, self._path(key))
                except BaseException:
                    with suppress(OSError):
                        stream.close()
                        os.unlink(part)
                    raise
            self._prune()
        except OSError as error:
            self.trouble = f"results cannot be kept in {self.folder}: {error.strerror or error}"

    def clean(self) -> int:
        """Removes all entries; says how many there were. Raises ``OSError``."""
        names = self._names()
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self.folder, name))
        return sum(name.endswith(_SUFFIX) for name in names)

    def _path(self, key: str) -> str:
        return os.path.join(self.folder, key + _SUFFIX)

    def _names(self) -> list[str]:
        try:
            return [name for name in os.listdir(self.folder) if name.endswith((_SUFFIX, _PART))]
        except FileNotFoundError:
            return []

    def _prune(self) -> None:
        """Removes the entries used longest ago until the rest is within bounds."""
        found = []
        for name in self._names():
            with suppress(OSError):
                status = os.stat(os.path.join(self.folder, name))
                found.append((status.st_mtime, status.st_size, name))
        total = sum(size for _, size, _ in found)
        for _, size, name in sorted(found):
            if total <= self.most_bytes:
                return
            with suppress(OSError):
                os.unlink(os.path.join(self.folder, name))
            total -= size


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()
