"""The files of an earlier git revision, laid out in a folder of their own: nothing is checked out or run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from prefixlint.discover import git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

_FILES: Final = (b"100644", b"100755")


class RevisionError(ValueError):
    """A revision that cannot be read; the message is for the user."""


def top_of(folder: str) -> str:
    """The top folder of the work tree that ``folder`` is in. Raises ``RevisionError``."""
    answer = git.call(folder, "rev-parse", "--show-toplevel")
    if answer is None or answer.returncode != 0:
        raise RevisionError(f"{folder} is not in a git work tree, or git cannot read it")
    return os.path.realpath(os.fsdecode(answer.stdout.rstrip(b"\r\n")))


def lay_out(top: str, revision: str, folder: str, wanted: Callable[[str], bool]) -> None:
    """Writes the files of ``revision`` whose paths are ``wanted`` below ``folder``. Links and submodules are left out.

    Raises ``RevisionError`` when there is no such revision.
    """
    resolved = git.call(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if resolved is None or resolved.returncode != 0:
        raise RevisionError(f"no git revision {revision!r} here")
    commit = os.fsdecode(resolved.stdout.strip())
    tree = git.call(top, "ls-tree", "-r", "-z", "--full-tree", commit)
    if tree is None or tree.returncode != 0:
        raise RevisionError(f"git cannot list the files of {revision!r}")
    named = [(path, blob) for path, blob in _files(tree.stdout) if wanted(path) and _safe(path)]
    if not named:
        return
    contents = git.call(top, "cat-file", "--batch", data=b"".join(blob + b"\n" for _, blob in named))
    if contents is None or contents.returncode != 0:
        raise RevisionError(f"git cannot read the files of {revision!r}")
    for (path, _), data in zip(named, _blobs(contents.stdout), strict=True):
        if data is not None:
            place = os.path.join(folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as stream:
                stream.write(data)


def _files(listing: bytes) -> Iterator[tuple[str, bytes]]:
    """Path and object name of each regular file in the output of ``ls-tree -r -z``."""
    for entry in listing.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        mode, _, rest = head.partition(b" ")
        if mode in _FILES:
            yield os.fsdecode(path), rest.split()[1]


def _safe(path: str) -> bool:
    """False for a path that would lead out of the folder: git makes none, but an object can hold anything."""
    return not os.path.isabs(path) and ".." not in path.replace("\\", "/").split("/")


def _blobs(output: bytes) -> Iterator[bytes | None]:
    """The objects in the output of ``cat-file --batch``; ``None`` for one that is missing (a partial clone)."""
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        words = output[at:end].split()
        if words[-1] == b"missing":
            yield None
            at = end + 1
            continue
        size = int(words[2])
        yield output[end + 1 : end + 1 + size]
        at = end + size + 2
