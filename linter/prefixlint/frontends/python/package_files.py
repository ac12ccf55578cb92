"""Files that a program finds through its package: ``pkg_resources``, ``importlib.resources``, ``pkgutil``."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.file_calls import as_path
from prefixlint.frontends.python.values import Lib, Module, PathText, Str

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val

_OWN = frozenset({Lib("builtins.__package__"), Lib("builtins.__name__")})


class PackageFiles:
    """Calls that give a package's folder, a path in it, or a file's text."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def folder(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """The folder of a package that is named, imported, or the module's own (``__package__``)."""
        path = self._folder(args[0] if args else keywords.get("anchor") or keywords.get("package"), frame)
        return None if path is None else PathText(path)

    def path(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``resource_filename("pkg", "prompts/x.txt")``, and what opens such a file."""
        folder = self._folder(args[0] if args else None, frame)
        parts = [as_path(part, frame) for part in args[1:]]
        known = [part for part in parts if part is not None]
        if folder is None or len(known) < len(parts):
            return None
        return PathText(posixpath.join(folder, *known))

    def text(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """The text of a file in a package."""
        found = self.path(args, keywords, node, frame)
        if not isinstance(found, PathText) or len(args) < 2:
            return None
        return self._interpreter.calls.builtins.files.read(found.path, node, frame)

    def _folder(self, anchor: Val | None, frame: Frame) -> str | None:
        if anchor is None or anchor in _OWN:
            return frame.module.package
        if isinstance(anchor, Module):
            return anchor.info.package
        name = strings.constant_text(anchor.segments) if isinstance(anchor, Str) else None
        if not name:
            return None
        module = self._interpreter.project.import_module(name, 0, frame.module)
        if module is not None:
            return module.package
        # A folder of data in a package need not be one itself.
        top, _, below = name.partition(".")
        above = self._interpreter.project.import_module(top, 0, frame.module) if below else None
        return None if above is None else posixpath.join(above.package, *below.split("."))
