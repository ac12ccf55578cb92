"""Reading and writing of the files that a project shares: baseline and lock."""

from __future__ import annotations

import os

from prefixlint.cli import options


def read(path: str, newline: str | None = None) -> str | None:
    """The file's text, ``None`` where there is none; ``newline`` "" keeps line ends as they are.

    Ends the run with status 2 when it cannot be read.
    """
    try:
        with open(path, encoding="utf-8", newline=newline) as stream:
            return stream.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise options.fail(f"cannot read {path}: {reason}") from None


def write(path: str, text: str) -> None:
    """Writes the file as a whole or not at all, line ends as they are.

    Ends the run with status 2 when it cannot be written.
    """
    # Beside the file, so that the last step is a rename within one file system; a link stays a link.
    target = os.path.realpath(path)
    beside = f"{target}.{os.getpid()}.tmp"
    try:
        with open(beside, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.replace(beside, target)
    except OSError as error:
        if os.path.lexists(beside):
            os.remove(beside)
        raise options.fail(f"cannot write {path}: {error.strerror or error}") from None
