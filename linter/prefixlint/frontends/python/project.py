"""The files of a run, parsed on demand, and which of them an import names."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from prefixlint.frontends.python.modules import ModuleInfo
from prefixlint.frontends.python.node_facts import NodeFacts
from prefixlint.frontends.python.parsing import Parser
from prefixlint.frontends.python.trace import Trace
from prefixlint.frontends.python.trees import Trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.model.sources import SourceFile


_OF_DISTRIBUTIONS = ("pyproject.toml", "setup.py", "setup.cfg")


class Project:
    """The files of a run, parsed on demand.

    ``read(path)`` gives a file of the project by its path, in the form in which the run's files are named, or None.
    A file that cannot be parsed is remembered in ``errors`` as ``(message, line, column)``. What is asked for is
    noted in ``trace``.
    """

    def __init__(self, read: Callable[[str], SourceFile | None]) -> None:
        self._read = read
        self.trace = Trace()
        self._modules: dict[str, ModuleInfo | None] = {}
        self._files: dict[str, SourceFile | None] = {}
        self._tops: tuple[str, ...] | None = None
        self._folders: set[str] = set()
        self._held: dict[tuple[str, str], bool] = {}
        self._found: dict[tuple[str, int, str], str | None] = {}
        self.node_facts = NodeFacts()
        self.trees = Trees(self.node_facts)
        self._parser = Parser(self.trees)
        self.errors: dict[str, tuple[str, int, int]] = {}

    def file(self, path: str) -> SourceFile | None:
        """A file's text, for what stands in it."""
        path = posixpath.normpath(path)
        self.trace.note(("file", path))
        return self._file(path)

    def _file(self, path: str) -> SourceFile | None:
        if path not in self._files:
            self._hold(path, self._read(path))
        return self._files[path]

    def _hold(self, path: str, file: SourceFile | None) -> None:
        self._files[path] = file
        folder = posixpath.dirname(path)
        while file is not None and folder not in self._folders:
            self._folders.add(folder)
            folder = posixpath.dirname(folder)

    def is_new(self, file: SourceFile) -> bool:
        """Whether a file has not been read as a module so far."""
        return posixpath.normpath(file.path) not in self._modules

    def add(self, file: SourceFile) -> None:
        self._hold(posixpath.normpath(file.path), file)

    def module(self, path: str) -> ModuleInfo | None:
        path = posixpath.normpath(path)
        if path not in self._modules:
            file = self._file(path)
            self._modules[path] = None if file is None else self._parse(path, file)
        return self._modules[path]

    def _parse(self, path: str, file: SourceFile) -> ModuleInfo | None:
        module = ModuleInfo(path, file, self._parser, self.trace)
        try:
            module.hold_tree()
        except SyntaxError as error:
            self.errors[path] = (error.msg or "invalid syntax", error.lineno or 1, error.offset or 1)
        except (ValueError, RecursionError, MemoryError) as error:
            self.errors[path] = (str(error) or "too deeply nested to parse", 1, 1)
        else:
            return module
        return None

    def function_at(self, path: str, line: int, column: int) -> FunctionInfo:
        """The function that is defined at a place. Raises ``LookupError``."""
        module = self.module(path)
        if module is None:
            raise LookupError(f"no module {path}")
        return module.function_at[line, column]

    def end(self) -> None:
        """Lets go of all modules, which hold each other: nobody looks for garbage. It is of no use then."""
        self.trees.clear()
        for module in self._modules.values():
            if module is not None:
                module.end()
        self._modules.clear()

    @property
    def asked_for(self) -> tuple[str, ...]:
        """Paths of all files that were asked for so far, in order, whether there are such files or not."""
        return tuple(self._files)

    def import_module(self, dotted: str, level: int, importer: ModuleInfo) -> ModuleInfo | None:
        """The project module that ``dotted`` names when imported from ``importer`` (``level`` dots in front)."""
        self.trace.note(("import", dotted, level, importer.path))
        key = (dotted, level, importer.package)
        if key not in self._found:
            self._found[key] = self._relative(*key) if level else self._absolute(dotted, importer)
        path = self._found[key]
        return None if path is None else self.module(path)

    def _relative(self, dotted: str, level: int, package: str) -> str | None:
        for _ in range(level - 1):
            package = posixpath.dirname(package)
        module = self._at(posixpath.join(package, *dotted.split(".")) if dotted else package)
        return None if module is None else module.path

    def _absolute(self, dotted: str, importer: ModuleInfo) -> str | None:
        top = dotted.partition(".")[0]
        for root in dict.fromkeys((*self._roots(importer), *self._package_roots())):
            if not self._has(root, top):
                continue
            module = self._at(posixpath.join(root, *dotted.split(".")))
            if module is not None and module is not importer:
                return module.path
        return None

    def _has(self, root: str, name: str) -> bool:
        """Whether there is something of this name in a folder. Most of what is imported is in none of the folders: to
        look for all of it in each of them takes long in a repository of many packages."""
        key = (root, name)
        if key not in self._held:
            inner = posixpath.join(root, name)
            self._held[key] = (
                self._file(inner + "/__init__.py") is not None
                or self._file(inner + ".py") is not None
                or self._is_folder(inner)
            )
        return self._held[key]

    def _is_folder(self, path: str) -> bool:
        """Whether there is such a folder, of files that are known or on disk."""
        return path in self._folders or os.path.isdir(path)

    def _package_roots(self) -> tuple[str, ...]:
        if self._tops is None:
            self._tops = self.package_roots_now()
        return self._tops

    def package_roots_now(self) -> tuple[str, ...]:
        """Folders that hold the topmost packages of the files that are known so far, as in a repository of several
        distributions."""
        tops = {}
        for folder in dict.fromkeys(posixpath.dirname(path) for path in list(self._files)):
            top = folder
            while top and self._file(posixpath.join(top, "__init__.py")) is not None:
                above = posixpath.dirname(top)
                if above == top:
                    break
                top = above
            if top != folder:
                tops[top] = True
        return tuple(tops)

    def root_of(self, top: str, importer: ModuleInfo, package_roots: Iterable[str]) -> str | None:
        """The folder from which a module imports a topmost package, None for one of elsewhere."""
        return next((root for root in (*self._roots(importer), *package_roots) if self._has(root, top)), None)

    def is_distribution(self, folder: str) -> bool:
        """Whether a distribution is made of what lies in a folder. A package may have a module ``setup``."""
        if self._file(posixpath.join(folder, "__init__.py")) is not None:
            return False
        return any(self._file(posixpath.join(folder, name)) is not None for name in _OF_DISTRIBUTIONS)

    def _roots(self, importer: ModuleInfo) -> list[str]:
        """Folders that absolute imports may start from: each folder above the importer, and ``src`` beside them."""
        roots, folder = [], importer.package
        while True:
            roots.append(folder)
            source = posixpath.join(folder, "src")
            if posixpath.basename(folder) != "src" and self._is_folder(source):
                roots.append(source)
            above = posixpath.dirname(folder)
            if above == folder:
                return roots
            folder = above

    def _at(self, stem: str) -> ModuleInfo | None:
        if not stem:
            return self.module("__init__.py")
        return self.module(stem + ".py") or self.module(stem + "/__init__.py")
