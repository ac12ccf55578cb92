"""Asks git, in a way that runs no program which the repository names."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

# The analysed repository's own git configuration must not make git run a program or reach for the network.
_SAFE: Final = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=", "-c", "safe.bareRepository=explicit")
_TIMEOUT: Final = 60


def call(folder: str, *arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes] | None:
    """Runs git in ``folder`` with ``data`` as its input; ``None`` when there is no git or it takes too long."""
    program = shutil.which("git")
    if program is None:
        return None
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(
            [program, *_SAFE, "-C", folder, *arguments],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def in_work_tree(folder: str) -> bool:
    """True when ``folder`` or one above it holds a ``.git``: cheaper than asking git."""
    at = os.path.realpath(folder)
    while True:
        if os.path.lexists(os.path.join(at, ".git")):
            return True
        above = os.path.dirname(at)
        if above == at:
            return False
        at = above


def listed(folder: str) -> list[str] | None:
    """Files below ``folder`` that git tracks or does not ignore, relative to it, with forward slashes.

    A submodule or nested repository is listed as its folder. ``None`` when git cannot say: no work tree, no git, a
    repository of another owner, or a folder that is ignored as a whole.
    """
    if not in_work_tree(folder):
        return None
    answer = call(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if answer is None or answer.returncode != 0:
        return None
    # An empty submodule lists itself: what its folder holds is for the caller to walk.
    names = {os.fsdecode(name) for name in answer.stdout.split(b"\0") if name not in (b"", b"./", b".")}
    if not names:
        ignored = call(folder, "check-ignore", "-q", ".")
        if ignored is not None and ignored.returncode == 0:
            return None
    return sorted(names)
