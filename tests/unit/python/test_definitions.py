"""Functions parsed by themselves, and outlines of classes and modules, are the same as in the tree of their file."""

from __future__ import annotations

import ast
import copy
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.frontends.python.definitions import FunctionNode, lines_of, parsed_definition, text_of
from prefixlint.frontends.python.project import Project
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import ModuleInfo

SOURCE = '''\
import a
@a.b
@a.c(
    "ä", 1
)
def first(x, /, y: int = 3, *z): return f"""{x}
{y!r:>{z}} ü
"""; pass

class One:
    """Of a class."""

    @property
    # A comment between.
    def second(self):
        text = """
at the left
"""
        async def third(é):
            return [é async for é in f"{é}" "b"]

        return third  # behind it
    def fourth(self): return lambda: 0
    if a:
        def fifth(self):
            x = "a" \\
"b"
            global y
            yield x

class Tabs:
\tdef sixth(self):
\t\tif self:
\t\t\treturn 6

def last(): pass'''


LIBRARY = ["ast.py", "inspect.py", "dataclasses.py", "typing.py", "asyncio/tasks.py"]


def read(path: str) -> str:
    return (Path(ast.__file__).parent / path).read_text("utf-8")


def functions(text: str) -> list[FunctionNode]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [node for node in ast.walk(ast.parse(text)) if isinstance(node, FunctionNode)]


def by_itself(text: str, node: FunctionNode) -> ast.AST | None:
    file = SourceFile("a.py", text)
    first, _, last = lines_of(node, file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return parsed_definition(text_of(file, first, last), first, (node.lineno, node.col_offset))


def dumped(node: ast.AST | None) -> str:
    return "" if node is None else ast.dump(node, include_attributes=True)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("front", ["", "\n\n\n", '"""Of the file."""\n', "\x0c\n"])
def test_with_all_positions(front: str, end: str) -> None:
    text = (front + SOURCE).replace("\n", end)
    found = functions(text)
    assert sorted(node.name for node in found) == ["fifth", "first", "fourth", "last", "second", "sixth", "third"]
    for node in found:
        assert dumped(by_itself(text, node)) == dumped(node)


def test_the_lines() -> None:
    file = SourceFile("a.py", SOURCE)
    found = {node.name: tuple(lines_of(node, file)) for node in functions(SOURCE)}
    assert found == {
        "first": (2, 0, 8),
        "second": (13, 16, 22),
        "third": (19, 20, 20),
        "fourth": (23, 0, 23),
        "fifth": (25, 26, 29),
        "sixth": (32, 33, 34),
        "last": (36, 0, 36),
    }


@pytest.mark.parametrize("path", LIBRARY)
def test_those_of_the_standard_library(path: str) -> None:
    text = read(path)
    found = functions(text)
    assert len(found) > 30
    for node in found:
        assert dumped(by_itself(text, node)) == dumped(node)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 12))
def test_other_lines_give_the_function_or_none(first: int, last: int, column: int) -> None:
    text = text_of(SourceFile("a.py", SOURCE), first, last)
    whole = {(node.lineno, node.col_offset): node.name for node in functions(SOURCE)}
    for line in range(first, last + 1):
        found = parsed_definition(text, first, (line, column))
        if found is not None and found.name != "One":
            assert whole[line, column] == found.name


def module_of(text: str) -> tuple[Project, ModuleInfo]:
    project = Project(lambda path: SourceFile(path, text))
    module = project.module("a.py")
    assert module is not None
    return project, module


def test_the_rest_of_a_module_is_not_parsed_again() -> None:
    project, module = module_of(SOURCE)
    before = {info.name: dumped(info.node) for info in module.functions}
    project.trees.clear()
    assert {info.name: dumped(info.node) for info in module.functions} == before
    assert not module.has_tree
    project.trees.clear()
    assert not any("definition" in vars(info) for info in module.functions)


def bare(node: ast.AST) -> str:
    """All of a statement, with its places, but the bodies of functions and classes in it."""
    copied = copy.deepcopy(node)
    for inner in ast.walk(copied):
        if isinstance(inner, FunctionNode | ast.ClassDef):
            inner.body = []
        if isinstance(getattr(inner, "body", None), list) and hasattr(inner, "end_lineno"):
            del inner.end_lineno, inner.end_col_offset  # It ends with its body.
    return dumped(copied)


@pytest.mark.parametrize("path", [None, *LIBRARY])
def test_outlines_lack_nothing_but_bodies(path: str | None) -> None:
    text = SOURCE if path is None else read(path)
    project, module = module_of(text)
    assert module.functions
    tree, outlines = module.tree, {info: info.node for info in module.classes.values() if info.methods}
    project.trees.clear()
    size = sum(1 for _ in ast.walk(module.outline))
    assert size < 0.6 * sum(1 for _ in ast.walk(tree))
    assert [bare(node) for node in module.outline.body] == [bare(node) for node in tree.body]
    for info, node in outlines.items():
        assert [bare(inner) for inner in info.outline.body] == [bare(inner) for inner in node.body]
    assert not module.has_tree
