"""Which Python a file is written for that the running one cannot parse, told by the line of the error."""

from __future__ import annotations

import re
import sys

_PYTHON_2 = re.compile(
    r"""^\s*(?:print\s+[^=(\s]|print\s*$|exec\s+['"\w]|raise\s+[\w.]+\s*,|except\s+[\w.]+\s*,\s*[a-z_]\w*\s*:)"""
    r"""|<>|(?<![\w"'])ur['"]|(?<![\w.])0[0-7]*[1-7][0-7]*[lL]?\b|`[^`]+`"""
)
# Syntax that came later than the oldest Python on which prefixlint runs.
_NEWER = (
    ((3, 14), re.compile(r"""(?<![\w"'])(?:t|T|[rR][tT]|[tT][rR])['"]""")),
    ((3, 14), re.compile(r"^\s*except\s+[A-Z][\w.]*\s*,\s*[A-Z]")),
    ((3, 12), re.compile(r"^\s*type\s+\w+\s*(?:\[.*\]\s*)?=")),
    ((3, 12), re.compile(r"^\s*(?:(?:async\s+)?def|class)\s+\w+\s*\[")),
    ((3, 12), re.compile(r"""(?<![\w"'])(?:f|F|[rR][fF]|[fF][rR])['"]""")),
)
# The error of an older Python may stand on the last line of a string (PEP 701).
_FREE_FSTRINGS = (3, 12)


def written_for(line: str, message: str = "", running: tuple[int, int] = sys.version_info[:2]) -> str:
    """``Python 2``, ``Python 3.12 or later``, or "" where the line and the ``message`` of the error do not tell."""
    if running < _FREE_FSTRINGS and message.startswith("f-string"):
        return "Python 3.12 or later"
    for version, pattern in _NEWER:
        if version > running and pattern.search(line):
            return f"Python {version[0]}.{version[1]} or later"
    return "Python 2" if _PYTHON_2.search(line) else ""


def is_newer(line: str, message: str) -> bool:
    """Whether an error on this line may be one of a syntax that the running Python is too old for."""
    return written_for(line, message).endswith("or later")
