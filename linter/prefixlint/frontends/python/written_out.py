"""Functions that give what is written down in them, whoever calls them (lists of records in place of a database), or
nothing but another form of what they are given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import is_none, last_name
from prefixlint.knowledge.call_names import call_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Set

    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo

# What may bring in something from elsewhere, or has no order.
_REACHING = (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)
_DEFINING = (ast.Lambda, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_OTHER = (*_REACHING, *_DEFINING, ast.Set, ast.SetComp, ast.Await)
_MAKERS = frozenset({"__init__", "__new__", "__post_init__", "model_post_init", "__attrs_post_init__"})
# Of things that may be anything else, too: ``session.get(url)`` asks for something elsewhere.
_ELSEWHERE = frozenset({"get", "pop", "update", "format"})
_METHODS = frozenset(name for kind in (str, list, dict) for name in vars(kind)) - _ELSEWHERE
_MADE_ANEW = frozenset({"default_factory", "factory"})


def is_written_out(info: FunctionInfo) -> bool:
    """Whether a function that is given nothing reads nothing but its own variables, and calls nothing but functions of
    Python that always give the same, methods of its variables, and plain classes of its module."""
    bound_to_object = info.owner is not None and "staticmethod" not in info.decorators
    if info.all_parameters[int(bound_to_object) :]:
        return False
    return _reads_own(info, lambda called: _is_method_of(called, _bound(info)), frozenset())


def is_of_arguments(info: FunctionInfo) -> bool:
    """Whether a function of a module reads nothing but what it is given and its own variables, and calls nothing but
    functions of Python that always give the same, other such functions, and methods of texts and collections."""
    return bool(info.all_parameters) and info.owner is None and _is_of_arguments(info, frozenset())


def _is_of_arguments(info: FunctionInfo, callers: frozenset[FunctionInfo]) -> bool:
    def of_plain(called: ast.expr) -> bool:
        return isinstance(called, ast.Attribute) and called.attr in _METHODS

    return _reads_own(info, of_plain, callers | {info})


def _reads_own(info: FunctionInfo, is_own_method: Callable[[ast.expr], bool], callers: frozenset[FunctionInfo]) -> bool:
    nodes = info.own_nodes
    if info.is_decorated or any(nodes.of(kind) for kind in _OTHER):
        return False
    if not any(not is_none(node.value) for node in nodes.of(ast.Return) if node.value is not None):
        return False
    names, calls = nodes.of(ast.Name), nodes.of(ast.Call)
    own = _bound(info)
    parameters = (node for node in ast.walk(info.definition.args) if isinstance(node, ast.arg))
    written = (node.annotation for node in nodes.of(ast.AnnAssign))
    annotations = (info.definition.returns, *(each.annotation for each in parameters), *written)
    read = (name for name in names if name.id not in own)
    elsewhere = {id(name) for name in read} - {id(name) for name in _names_in(annotations)}
    called = {id(f) for call in calls if isinstance(f := call.func, ast.Name) and _gives_the_same(f, info, callers)}
    if not elsewhere <= called:
        return False
    return all(
        id(call.func) in called if isinstance(call.func, ast.Name) else is_own_method(call.func) for call in calls
    )


def _is_method_of(called: ast.expr, own: Set[str]) -> bool:
    return not isinstance(called, ast.Name) and _first(called) in own


def _bound(info: FunctionInfo) -> set[str]:
    stored = {name.id for name in info.own_nodes.of(ast.Name) if isinstance(name.ctx, ast.Store)}
    return stored | set(info.all_parameters) if info.owner is None else stored


def _names_in(nodes: Iterable[ast.expr | None]) -> Iterable[ast.Name]:
    return (name for node in nodes if node is not None for name in ast.walk(node) if isinstance(name, ast.Name))


def _first(node: ast.expr) -> str:
    """``item`` of ``item["names"].get``; "" where it begins with no name."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _gives_the_same(name: ast.Name, info: FunctionInfo, callers: frozenset[FunctionInfo]) -> bool:
    made = info.module.classes.get(name.id)
    if made is not None:
        return not callers and _is_plain(made)
    if name.id in call_names().plain:
        return True
    module = info.module
    found = [each for each in module.functions if each.name == name.id] if callers else []
    plain = len(found) == 1 and found[0].owner is None and found[0] not in module.enclosing
    return plain and found[0] not in callers and _is_of_arguments(found[0], callers)


def _is_plain(info: ClassInfo) -> bool:
    """Whether objects of a class hold what they are given, and nothing that is made anew for each."""
    values = [value for value in info.attributes.values() if isinstance(value, ast.Call)]
    anew = any(keyword.arg in _MADE_ANEW for value in values for keyword in value.keywords)
    known = info.module.classes
    bases = (last_name(base) for base in info.bases)
    plain = all(_is_plain(known[base]) if base in known else base in call_names().record_bases for base in bases)
    return plain and not anew and _MAKERS.isdisjoint(info.methods)
