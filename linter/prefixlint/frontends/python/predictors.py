"""Where predictors are made, and which functions call them, by their names alone."""

from __future__ import annotations

import ast
from itertools import chain
from typing import TYPE_CHECKING

from prefixlint.frontends.python.remembered import once
from prefixlint.frontends.python.syntax import last_name
from prefixlint.knowledge.libraries import ModuleClass, PredictorClass, libraries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.modules import FunctionInfo, ModuleInfo


def is_entered(info: FunctionInfo) -> bool:
    """Whether a method is what its class's library calls where an object is called: ``forward`` of ``dspy.Module``."""
    owner = info.owner
    if owner is None or not any(info.name in names for names in libraries().entering.values()):
        return False
    entries = (libraries().at_path(f"{of}.{base}") for of in info.module.packages for base in owner.base_names)
    return any(isinstance(entry, ModuleClass) and info.name in entry.calls.values() for entry in entries)


def calls_predictor(info: FunctionInfo) -> bool:
    """Whether a function makes a predictor, or calls one that its module keeps under a name."""
    kept = _kept(info.module)
    return bool(kept) and _calls(info.own_nodes.of(ast.Call), kept)


def body_calls_predictor(module: ModuleInfo) -> bool:
    """The same of a module's own statements."""
    kept = _kept(module)
    return bool(kept) and _calls(module.own_nodes.of(ast.Call), kept)


def _calls(nodes: Iterable[ast.Call], kept: frozenset[str]) -> bool:
    """Whether one of these calls is of something under such a name, or of a method of it."""
    called = [node.func for node in nodes]
    owners = [each.value for each in called if isinstance(each, ast.Attribute)]
    return any(last_name(each) in kept for each in (*called, *owners))


@once
def _kept(module: ModuleInfo) -> frozenset[str]:
    """Names of variables and attributes that a module gives a predictor, and of the classes of predictors in it."""
    classes = [path for of in module.packages for path in _predictors(of)]
    if not classes:
        return frozenset()
    found = chain(module.own_nodes.bindings(), *(info.own_nodes.bindings() for info in module.functions))
    names = {last_name(target) for target, value in found if isinstance(value, ast.Call) and _makes(value, module)}
    return frozenset((*names, *classes))


def _makes(node: ast.Call, module: ModuleInfo) -> bool:
    return any(_is_predictor(of, last_name(node.func)) for of in module.packages)


def _is_predictor(package: str, name: str) -> bool:
    return isinstance(libraries().at_path(f"{package}.{name}"), PredictorClass)


def _predictors(package: str) -> list[str]:
    table = libraries().by_path.get(package, {})
    return [path for path, entry in table.items() if isinstance(entry, PredictorClass)]
