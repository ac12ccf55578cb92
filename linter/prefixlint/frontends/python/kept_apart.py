"""Texts of a function that go to no model, as all that is done with them shows: they are printed, or put down in a
record together with the answer to them, as rows that a model is trained or tested with are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.own_nodes import bound_by
from prefixlint.frontends.python.remembered import once
from prefixlint.frontends.python.syntax import last_name
from prefixlint.knowledge.call_names import call_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.modules import FunctionInfo

_TEXT = (ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.IfExp, ast.keyword, ast.Starred, ast.Await)
_STEPS = 3


@once
def kept_apart(info: FunctionInfo) -> frozenset[str]:
    """Variables whose text goes to no model."""
    above = {child: node for node in ast.walk(info.node) for child in ast.iter_child_nodes(node)}
    uses: dict[str, set[str | bool]] = {}
    for node in above:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            uses.setdefault(node.id, set()).add(_use(node, above))
    kept = {name for name, found in uses.items() if False not in found}
    while True:
        fewer = {name for name in kept if all(use is True or use in kept for use in uses[name])}
        if fewer == kept:
            break
        kept = fewer
    # What is made of itself alone ends nowhere.
    ends = {name for name in kept if True in uses[name]}
    for _ in range(_STEPS):
        ends |= {name for name in kept if not ends.isdisjoint(uses[name])}
    return frozenset(ends)


def _use(name: ast.expr, above: Mapping[ast.AST, ast.AST]) -> str | bool:
    """Where what a variable holds goes: to a variable, whose name is given, to nobody, or to somebody."""
    node: ast.AST = name
    while True:
        inner, node = node, above[node]
        if isinstance(node, ast.Call) and inner is not node.func:
            if isinstance(node.func, ast.Attribute) and hasattr(str, node.func.attr):
                continue
            names, called = call_names(), last_name(node.func)
            return called in names.showing or called in names.measuring
        if isinstance(node, ast.Dict):
            return _is_record(node, inner)
        if isinstance(node, ast.Call | ast.Attribute):
            # ``text.strip()`` is still the text; of anything else nothing is known.
            if isinstance(node, ast.Attribute) and not hasattr(str, node.attr):
                return False
            continue
        if isinstance(node, _TEXT):
            continue
        if isinstance(node, ast.AugAssign):
            return node.target.id if isinstance(node.target, ast.Name) else False
        targets = [target for target, value in bound_by(node) if value is inner]
        if len(targets) == 1 and isinstance(targets[0], ast.Name) and not isinstance(node, ast.NamedExpr):
            return targets[0].id
        return False


def _is_record(record: ast.Dict, value: ast.AST) -> bool:
    """Whether a dictionary holds, beside a value under the key of a question, the answer to it."""
    names = call_names()
    keys = {key.value: at for key, at in zip(record.keys, record.values, strict=True) if isinstance(key, ast.Constant)}
    asked = any(at is value for key, at in keys.items() if key in names.asked_keys)
    return asked and any(_is_given(at) for key, at in keys.items() if key in names.answer_keys and at is not value)


def _is_given(node: ast.expr) -> bool:
    """Whether something stands there: an empty text and None wait for an answer."""
    return not isinstance(node, ast.Constant) or bool(node.value)
