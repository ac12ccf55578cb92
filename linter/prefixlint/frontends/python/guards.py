"""Tests, annotations and decorators that say something by their form alone."""

from __future__ import annotations

import ast
import posixpath
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import is_none, last_name
from prefixlint.frontends.python.values import FileData
from prefixlint.model.templates import SYSTEM_ROLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.frontends.python.modules import FunctionInfo


def not_none(annotation: ast.expr | None) -> ast.expr | None:
    """``X`` of ``X | None`` and ``Optional[X]``; any other annotation as it is."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        for side, other in ((annotation.left, annotation.right), (annotation.right, annotation.left)):
            if is_none(other):
                return side
    if isinstance(annotation, ast.Subscript) and last_name(annotation.value) == "Optional":
        return annotation.slice
    return annotation


def is_type_checking(test: ast.expr) -> bool:
    """``if TYPE_CHECKING:``."""
    return last_name(test) == "TYPE_CHECKING"


def is_main_guard(test: ast.expr) -> bool:
    """``if __name__ == "__main__":``."""
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def configured(info: FunctionInfo) -> FileData | None:
    """The file whose data Hydra gives to a function: ``@hydra.main(config_path="conf", config_name="config")``."""
    if "main" not in info.method_decorators or "hydra" not in info.module.packages:
        return None
    for node in info.node.decorator_list:
        if isinstance(node, ast.Call) and last_name(node.func) == "main":
            given = {k.arg: k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)}
            name, folder = given.get("config_name"), given.get("config_path") or ""
            if isinstance(name, str) and isinstance(folder, str):
                file = name if name.endswith((".yaml", ".yml")) else f"{name}.yaml"
                return FileData(posixpath.normpath(posixpath.join(info.module.package, folder, file)))
    return None


def is_system(test: ast.expr) -> bool:
    """Whether a test asks if a message is the system's: ``message["role"] == "system"``, ``role == "system"``."""
    asked = _asked(test)
    return asked is not None and (bool(message_of(asked)) or (isinstance(asked, ast.Name) and asked.id == "role"))


def system_message(test: ast.expr, meant: Callable[[str], str]) -> str:
    """The variable of which a test asks if it is a system message; "" for others.

    ``meant`` gives the expression that a variable stands for, or "": ``role`` may be ``message["role"]``.
    """
    asked = _asked(test)
    if isinstance(asked, ast.Name):
        try:
            asked = ast.parse(meant(asked.id), mode="eval").body
        except (SyntaxError, ValueError):
            return ""
    return "" if asked is None else message_of(asked)


def compared(test: ast.expr) -> tuple[str, ast.Constant] | None:
    """The variable that a test compares with a text or a number, and that: ``mode == "short"``; None for others."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return None
    constant = test.comparators[0]
    if not isinstance(test.left, ast.Name) or not isinstance(constant, ast.Constant):
        return None
    return (test.left.id, constant) if type(constant.value) in (str, int) else None


def _asked(test: ast.expr) -> ast.expr | None:
    """What a test compares with the name of the system's role."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq):
        return None
    role = test.comparators[0]
    return test.left if isinstance(role, ast.Constant) and role.value in SYSTEM_ROLES else None


def message_of(asked: ast.expr) -> str:
    """The variable of whose role an expression tells: ``m.role``, ``m["role"]``, ``m.get("role")``; "" for others."""
    key: object = None
    if isinstance(asked, ast.Attribute):
        key, asked = asked.attr, asked.value
    elif isinstance(asked, ast.Subscript) and isinstance(asked.slice, ast.Constant):
        key, asked = asked.slice.value, asked.value
    elif (
        isinstance(asked, ast.Call)
        and isinstance(asked.func, ast.Attribute)
        and asked.func.attr == "get"
        and asked.args
    ):
        first = asked.args[0]
        key, asked = first.value if isinstance(first, ast.Constant) else None, asked.func.value
    return asked.id if key in ("role", "type") and isinstance(asked, ast.Name) else ""


def is_value(argument: ast.arg) -> bool:
    """Whether the first parameter of a method is a value like the others (``def report(ticker: str)``): the class is
    a namespace whose functions are called on it."""
    return argument.annotation is not None and argument.arg not in ("self", "cls")
