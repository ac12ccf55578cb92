"""Tests, annotations and decorators that say something by their form alone."""

from __future__ import annotations

import ast
import posixpath
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import is_none, last_name
from prefixlint.frontends.python.values import FileData
from prefixlint.knowledge.roles import names_of
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
    for node in info.definition.decorator_list:
        if isinstance(node, ast.Call) and last_name(node.func) == "main":
            given = {k.arg: k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)}
            name, folder = given.get("config_name"), given.get("config_path") or ""
            if isinstance(name, str) and isinstance(folder, str):
                file = name if name.endswith((".yaml", ".yml")) else f"{name}.yaml"
                return FileData(posixpath.normpath(posixpath.join(info.module.package, folder, file)))
    return None


def is_system(test: ast.expr) -> bool:
    """Whether a test asks if a message is the system's: ``message["role"] == "system"``, ``role == "system"``."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        asked = [one for one in test.values if is_system(one)]
        return bool(asked) and all(one in asked or _asks_presence(one) for one in test.values)
    role = _asked(test)
    return _of_class(test) is not None or (
        role is not None and (message_of(role) is not None or (isinstance(role, ast.Name) and role.id == "role"))
    )


def system_message(test: ast.expr, meant: Callable[[str], str]) -> ast.expr | None:
    """The message of which a test asks if it is the system's; None for other tests.

    ``meant`` gives the expression that a variable stands for, or "": ``role`` may be ``message["role"]``.
    """
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return next((found for one in test.values if (found := system_message(one, meant)) is not None), None)
    role = _asked(test)
    if role is None:
        return _of_class(test)
    if not isinstance(role, ast.Name):
        return message_of(role)
    try:
        message = message_of(ast.parse(meant(role.id), mode="eval").body)
    except (SyntaxError, ValueError):
        return None
    return message if isinstance(message, ast.Name) else None


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
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq | ast.In):
        return None
    role = test.comparators[0]
    named = role.elts if isinstance(role, ast.Tuple | ast.List | ast.Set) else [role]
    of_system = all(isinstance(one, ast.Constant) and one.value in SYSTEM_ROLES for one in named)
    return test.left if named and of_system else None


def _of_class(test: ast.expr) -> ast.expr | None:
    """``m`` of ``isinstance(m, SystemMessage)``."""
    if not isinstance(test, ast.Call) or last_name(test.func) != "isinstance" or len(test.args) != 2:
        return None
    return test.args[0] if last_name(test.args[1]) in names_of(*SYSTEM_ROLES) else None


def _asks_presence(test: ast.expr) -> bool:
    """``messages``, ``len(messages) > 0``."""
    if isinstance(test, ast.Compare):
        return isinstance(test.left, ast.Call) and last_name(test.left.func) == "len"
    return isinstance(test, ast.Name | ast.Attribute)


def message_of(asked: ast.expr) -> ast.expr | None:
    """The message of whose role an expression tells: ``m.role``, ``m["role"]``, ``messages[0].get("role")``; None for
    others."""
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
    if isinstance(asked, ast.Name):
        return asked if key in ("role", "type") else None
    return asked if key == "role" and isinstance(asked, ast.Subscript) else None


def is_value(argument: ast.arg) -> bool:
    """Whether the first parameter of a method is a value like the others (``def report(ticker: str)``): the class is
    a namespace whose functions are called on it."""
    return argument.annotation is not None and argument.arg not in ("self", "cls")
