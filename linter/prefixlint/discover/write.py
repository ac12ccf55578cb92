"""Writes changed files: whole or not at all, and only while they are what was read."""

from __future__ import annotations

import os
import stat
import tempfile
from typing import TYPE_CHECKING

from prefixlint.discover.decode import DecodeError, decode, encoding_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.model.sources import SourceFile


class WriteError(Exception):
    """Why a file is left as it is."""


def write_changed(source: SourceFile, text: str) -> None:
    """Replaces the file that ``source`` was read from by ``text``.

    Encoding, byte order mark, line ends, permissions and links stay. The bytes are read again and compared with what
    was analysed, the new ones go to a file beside it, and a rename puts it in place: whoever reads the file sees the
    old or the new one. Raises ``WriteError``; the file is then as it was.
    """
    path = os.path.realpath(source.path)
    try:
        before = os.stat(path)
        if not stat.S_ISREG(before.st_mode):
            raise WriteError("not a regular file")
        with open(path, "rb") as stream:
            old = stream.read()
        new = _encoded(source, old, text)
        replace_file(path, new, lambda: _unchanged(path, before, old))
    except OSError as error:
        raise WriteError(f"cannot write file: {error.strerror or error}") from None


def _encoded(source: SourceFile, old: bytes, text: str) -> bytes:
    try:
        if decode(source.path, old).text != source.text:
            raise WriteError("changed while it was analysed; run again")
        name, mark = encoding_of(source.path, old)
        if old[mark:] != source.text.encode(name):
            raise WriteError(f"its bytes are not what {name} would write; save it anew first")
        return old[:mark] + text.encode(name)
    except (DecodeError, UnicodeError):
        raise WriteError("changed while it was analysed; run again") from None


def _unchanged(path: str, before: os.stat_result, old: bytes) -> None:
    with open(path, "rb") as again:
        if again.read() != old or os.fstat(again.fileno()).st_ino != before.st_ino:
            raise WriteError("changed while it was analysed; run again")


def replace_file(path: str, data: bytes, check: Callable[[], None] = lambda: None) -> None:
    """Puts ``data`` in the place of the file ``path``, or makes it: whole or not at all.

    Permissions stay, and a link stays a link. ``check`` is called last, and keeps the file as it is by raising. Raises
    ``OSError``; the file is then as it was.
    """
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    # Beside the file, so that the last step is a rename within one file system.
    handle, beside = tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=folder)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(beside, _mode(path))
        check()
        os.replace(beside, path)
    except BaseException:
        if os.path.lexists(beside):
            os.remove(beside)
        raise


def _mode(path: str) -> int:
    """The file's permissions, or those of a new file."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
