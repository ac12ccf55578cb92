"""Reading and writing of the files that a project shares: baseline, lock and configuration."""

from __future__ import annotations

from prefixlint.cli import options

LARGEST = 100_000_000
"""Characters that are read at most; a device such as /dev/zero never ends."""


def read(path: str, newline: str | None = None) -> str | None:
    """The file's text, ``None`` where there is none; ``newline`` "" keeps line ends as they are.

    Ends the run with status 2 when it cannot be read.
    """
    try:
        with open(path, encoding="utf-8", newline=newline) as stream:
            text = stream.read(LARGEST + 1)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise options.fail(f"cannot read {path}: {reason}") from None
    if len(text) > LARGEST:
        raise options.fail(
            f"cannot read {path}: it has more than {LARGEST:,} characters, and is none of this program's"
        )
    return text


def write(path: str, text: str) -> None:
    """Writes the file as a whole or not at all, line ends as they are.

    Ends the run with status 2 when it cannot be written.
    """
    from prefixlint.discover.write import replace_file

    try:
        replace_file(path, text.encode("utf-8"))
    except OSError as error:
        raise options.fail(f"cannot write {path}: {error.strerror or error}") from None
