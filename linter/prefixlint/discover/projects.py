"""Where a file lies in its project, wherever the run starts and however it names the file."""

from __future__ import annotations

import os
from functools import lru_cache

from prefixlint.discover.walk import relative

OWN_FILE = "prefixlint.toml"
"""A file with our configuration alone."""
PROJECT_FILE = "pyproject.toml"
"""A project's file, which may hold our configuration too."""


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
    own = any(os.path.isfile(os.path.join(folder, name)) for name in (OWN_FILE, PROJECT_FILE))
    # A repository says more than a package in it.
    if own and (outer is None or not os.path.lexists(os.path.join(outer, ".git"))):
        return folder
    return outer


def forget() -> None:
    """Looks for projects anew: in a process that runs for long, folders and files come and go."""
    project_of.cache_clear()
