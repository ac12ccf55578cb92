"""Which modules of a run could ever meet: those of one distribution, and of distributions that import each other.

A repository of many packages, of examples and of copies has functions of the same name in all of them. By name alone
nothing of one is called in another that imports nothing of it.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.modules import ModuleInfo
    from prefixlint.frontends.python.project import Project


class Distributions:
    """The ``modules``, in groups."""

    def __init__(self, modules: Iterable[ModuleInfo], project: Project) -> None:
        self._project = project
        self._of_folder: dict[str, str] = {}
        self._joined: dict[str, str] = {}
        modules = list(modules)
        folders = dict.fromkeys(self._of(module.package) for module in modules)
        if len(folders) > 1:
            sources = (posixpath.join(folder, "src") for folder in folders)
            roots = tuple(dict.fromkeys((*project.package_roots_now(), *folders, *sources)))
            for module in modules:
                own = self._of(module.package)
                for top in module.packages:
                    root = project.root_of(top, module, roots)
                    if root is not None:
                        self._join(own, self._of(posixpath.join(root, top)))

    def group(self, module: ModuleInfo) -> str:
        """The same for modules that could meet."""
        return self._first(self._of(module.package))

    def _of(self, folder: str) -> str:
        """The nearest folder above that holds a distribution."""
        if folder not in self._of_folder:
            above = posixpath.dirname(folder)
            is_root = above == folder or self._project.is_distribution(folder)
            self._of_folder[folder] = folder if is_root else self._of(above)
        return self._of_folder[folder]

    def _first(self, folder: str) -> str:
        while folder in self._joined:
            folder = self._joined[folder]
        return folder

    def _join(self, one: str, other: str) -> None:
        one, other = self._first(one), self._first(other)
        if one != other:
            self._joined[max(one, other)] = min(one, other)
