"""Where a file lies in its project, wherever the run starts and however it names the file."""

from __future__ import annotations

import os
from functools import lru_cache

from prefixlint.discover.walk import relative

_FILES = ("pyproject.toml", "prefixlint.toml")


def place(path: str, root: str, top: str = "") -> str:
    """``path`` from the folder of its project, with forward slashes.

    That folder is ``top`` where one is given, else the nearest one above that git keeps, else the nearest one with a
    pyproject.toml or prefixlint.toml, else ``root``.
    """
    return relative(path, top or project_of(os.path.dirname(os.path.abspath(path))) or root)


@lru_cache(maxsize=4096)
def project_of(folder: str) -> str | None:
    """The project's folder at or above the absolute ``folder``."""
    above = os.path.dirname(folder)
    if os.path.lexists(os.path.join(folder, ".git")):
        return folder
    outer = project_of(above) if above != folder else None
    own = any(os.path.isfile(os.path.join(folder, name)) for name in _FILES)
    # A repository says more than a package in it.
    if own and (outer is None or not os.path.lexists(os.path.join(outer, ".git"))):
        return folder
    return outer
