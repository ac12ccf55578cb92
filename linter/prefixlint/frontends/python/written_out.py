"""Functions that give what is written down in them, whoever calls them: lists of records in place of a database."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import is_none, last_name
from prefixlint.knowledge.call_names import call_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo

# What may bring in something from elsewhere, or has no order.
_REACHING = (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)
_DEFINING = (ast.Lambda, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_OTHER = (*_REACHING, *_DEFINING, ast.Set, ast.SetComp)
_MAKERS = frozenset({"__init__", "__new__", "__post_init__", "model_post_init", "__attrs_post_init__"})
_MADE_ANEW = frozenset({"default_factory", "factory"})


def is_written_out(info: FunctionInfo) -> bool:
    """Whether a function that is given nothing reads nothing but its own variables, and calls nothing but functions of
    Python that always give the same, methods of its variables, and plain classes of its module."""
    bound_to_object = info.owner is not None and "staticmethod" not in info.decorators
    nodes = info.own_nodes
    if info.is_decorated or info.all_parameters[int(bound_to_object) :] or any(nodes.of(kind) for kind in _OTHER):
        return False
    if not any(not is_none(node.value) for node in nodes.of(ast.Return) if node.value is not None):
        return False
    names, calls = nodes.of(ast.Name), nodes.of(ast.Call)
    own = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    annotations = (info.definition.returns, *(node.annotation for node in nodes.of(ast.AnnAssign)))
    read = (name for name in names if name.id not in own)
    elsewhere = {id(name) for name in read} - {id(name) for name in _names_in(annotations)}
    called = {id(call.func) for call in calls if isinstance(call.func, ast.Name) and _gives_the_same(call.func, info)}
    return elsewhere <= called and all(isinstance(call.func, ast.Name) or _first(call.func) in own for call in calls)


def _names_in(nodes: Iterable[ast.expr | None]) -> Iterable[ast.Name]:
    return (name for node in nodes if node is not None for name in ast.walk(node) if isinstance(name, ast.Name))


def _first(node: ast.expr) -> str:
    """``item`` of ``item["names"].get``; "" where it begins with no name."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _gives_the_same(name: ast.Name, info: FunctionInfo) -> bool:
    made = info.module.classes.get(name.id)
    return name.id in call_names().plain if made is None else _is_plain(made)


def _is_plain(info: ClassInfo) -> bool:
    """Whether objects of a class hold what they are given, and nothing that is made anew for each."""
    values = [value for value in info.attributes.values() if isinstance(value, ast.Call)]
    anew = any(keyword.arg in _MADE_ANEW for value in values for keyword in value.keywords)
    known = info.module.classes
    bases = (last_name(base) for base in info.bases)
    plain = all(_is_plain(known[base]) if base in known else base in call_names().record_bases for base in bases)
    return plain and not anew and _MAKERS.isdisjoint(info.methods)
