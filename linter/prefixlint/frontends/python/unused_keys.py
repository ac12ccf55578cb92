"""Prompts in a dictionary of a module under keys that nobody asks for: ``PROMPTS["summary"] = "…"``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from prefixlint.frontends.python.own_nodes import OwnNodes, bound_by
from prefixlint.frontends.python.syntax import last_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.modules import ModuleInfo


class Keyed(NamedTuple):
    """What a module puts into a dictionary at its top level: the dictionary's name and the key."""

    owner: str
    key: str


def put_at(module: ModuleInfo, line: int) -> Keyed | None:
    """What the statement at a line puts under a key; None where it does nothing of the kind."""
    node = next((n for n in module.tree.body if n.lineno <= line <= (n.end_lineno or n.lineno)), None)
    items = () if node is None else (target for target, _ in bound_by(node) if isinstance(target, ast.Subscript))
    for item in items:
        key = _key(item.slice)
        if isinstance(item.value, ast.Name) and key is not None:
            return Keyed(item.value.id, key)
    return None


def is_asked_for(put: Keyed, modules: Iterable[ModuleInfo]) -> bool:
    """Whether one of these modules may read what was put there: it asks for the key, or does with the dictionary what
    cannot be told."""
    return any(put.owner in module.file.text and _reads(put, module) for module in modules)


def _reads(put: Keyed, module: ModuleInfo) -> bool:
    bodies = (module.own_nodes, *(info.own_nodes for info in module.functions), *map(OwnNodes, _closed(module)))
    told = 0
    named = 0
    for nodes in bodies:
        named += sum(last_name(n) == put.owner for n in (*nodes.of(ast.Name), *nodes.of(ast.Attribute)))
        for item in nodes.of(ast.Subscript):
            if last_name(item.value) == put.owner and (key := _key(item.slice)) is not None:
                if key == put.key and isinstance(item.ctx, ast.Load):
                    return True
                told += 1
        for call in nodes.of(ast.Call):
            owner = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "get" else None
            if owner is not None and call.args and last_name(owner) == put.owner:
                key = _key(call.args[0])
                if key == put.key or key is None:
                    return True
                told += 1
        # Where it is made: an empty dictionary, or one with other things in it.
        told += sum(last_name(target) == put.owner for target, _ in nodes.bindings())
    return told < named


def _closed(module: ModuleInfo) -> list[ast.Lambda | ast.ClassDef]:
    """Lambdas and bodies of classes, which are no part of what stands around them."""
    return [node for node in ast.walk(module.tree) if isinstance(node, ast.Lambda | ast.ClassDef)]


def _key(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
