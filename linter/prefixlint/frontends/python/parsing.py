"""Parses modules, and parts of them whose syntax tree has gone."""

from __future__ import annotations

import ast
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prefixlint.frontends.python import newer_syntax
from prefixlint.frontends.python.definitions import FunctionNode, parsed_definition, text_of
from prefixlint.frontends.python.syntax_versions import is_newer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.frontends.python.definitions import Definition, Lines
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.trees import Trees


class Parser:
    """Notes in ``trees`` what it has parsed. Parts of a module are None where they cannot be told apart, or were not
    seen in a whole tree so far."""

    def __init__(self, trees: Trees) -> None:
        self._trees = trees

    def tree(self, module: ModuleInfo) -> ast.Module:
        """Raises what ``ast.parse`` raises."""
        file = module.file
        try:
            with _without_warnings():
                tree: ast.Module | None = ast.parse(file.text, filename=file.path)
        except SyntaxError as error:
            newer = is_newer(file.line(error.lineno or 1), error.msg)
            tree = newer_syntax.parsed(file) if newer else None
            if tree is None:
                raise
        assert tree is not None
        self._trees.take(module, len(file.text))
        return tree

    def outline(self, module: ModuleInfo) -> ast.Module | None:
        """A module without the bodies of its functions and classes."""
        text = text_of(module.file, 1, len(module.file.line_starts), _known(module.definitions))
        try:
            with _without_warnings():
                tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        self._trees.take(module, len(text))
        return tree

    def function(self, info: FunctionInfo) -> FunctionNode | None:
        node = self._by_itself(info, ())
        return node if isinstance(node, FunctionNode) else None

    def outline_of(self, info: ClassInfo) -> ast.ClassDef | None:
        """A class without the bodies of its methods."""
        node = self._by_itself(info, info.__dict__.get("methods", {}).values())
        return node if isinstance(node, ast.ClassDef) else None

    def _by_itself(self, info: FunctionInfo | ClassInfo, closed: Iterable[FunctionInfo]) -> Definition | None:
        for first, _, last in _known([info]):
            text = text_of(info.module.file, first, last, _known(closed))
            with _without_warnings():
                node = parsed_definition(text, first, (info.line, info.column))
            if node is not None:
                self._trees.take(info.module, len(text) - first)
                return node
        return None


def _known(definitions: Iterable[FunctionInfo | ClassInfo]) -> list[Lines]:
    """Their lines, as far as these are known."""
    return [lines for info in definitions if (lines := info.__dict__.get("lines")) is not None]


@contextmanager
def _without_warnings() -> Iterator[None]:
    """What the parser warns of is no matter of prompts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
