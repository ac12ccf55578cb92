"""Decorators of the project that keep what they decorate: ``REGISTRY[name] = function``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import Func

if TYPE_CHECKING:
    from prefixlint.frontends.python.definitions import FunctionNode
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Val

_SMALL = 60


def register(interpreter: Interpreter, node: FunctionNode | ast.ClassDef, made: Val, frame: Frame) -> None:
    """Runs the decorators of a function or class of a module that keep it under a key.

    The name stays bound to what it was: decorators are taken to give it back.
    """
    if frame.function is not None:
        return
    for decorator in node.decorator_list:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        if not isinstance(named, ast.Name):
            continue
        function = interpreter.lookup.name(named.id, frame)
        if not isinstance(function, Func) or not _keeps(function.info):
            continue
        with interpreter.silence():
            value = interpreter.evaluate(decorator, frame)
            if isinstance(value, Func):
                interpreter.calls.functions.call(value, [made], {}, decorator, frame)


def _keeps(info: FunctionInfo) -> bool:
    """Whether a decorator, or the function that it makes, stores something under a key."""
    return info.has_at_most(_SMALL) and any(
        isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
        for node in ast.walk(info.node)
        if isinstance(node, ast.Assign)
        for target in node.targets
    )
