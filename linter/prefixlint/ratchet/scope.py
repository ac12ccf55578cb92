"""Which files a run looked at, and what files are called in a file that is shared through git."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.run.result import RunResult


@dataclass(frozen=True, slots=True)
class Scope:
    """``folder`` is that of the shared file, absolute: paths in it are relative to there, whatever the working
    directory. ``covered`` are the files and folders that the run was given, absolute.
    """

    folder: str
    covered: tuple[str, ...]

    @classmethod
    def of(cls, file: str, paths: Iterable[str]) -> Scope:
        """The scope of a run over ``paths`` (none: the working directory) with the shared file ``file``."""
        return cls(os.path.dirname(os.path.abspath(file)), tuple(map(os.path.abspath, paths)) or (os.getcwd(),))

    def name(self, path: str) -> str:
        """What ``path``, as the run names it, is called in the shared file: relative, with forward slashes."""
        absolute = os.path.abspath(path)
        try:
            return os.path.relpath(absolute, self.folder).replace(os.sep, "/")
        except ValueError:  # another drive
            return absolute.replace(os.sep, "/")

    def place(self, name: str) -> str:
        """The absolute path of a file that the shared file calls ``name``."""
        return os.path.normpath(os.path.join(self.folder, name))

    def covers(self, name: str) -> bool:
        """Was the run to look at this file, if it is there?"""
        place = self.place(name)
        return any(place == path or place.startswith(path.rstrip(os.sep) + os.sep) for path in self.covered)

    def unsure(self, result: RunResult) -> frozenset[str]:
        """The files that could not be analysed, or only in part: nothing can be said of what is listed for them."""
        paths = {problem.path for problem in result.problems} | {crash.path for crash in result.crashes}
        return frozenset(self.name(path) for path in paths if path)

    def gone(self, name: str) -> bool:
        """Is there no such file any more?"""
        return not os.path.lexists(self.place(name))
