"""Runs statements, one after the other: each kind by what is listed for it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.decorators import register
from prefixlint.frontends.python.matching import run_match
from prefixlint.frontends.python.modules import FunctionInfo
from prefixlint.frontends.python.values import NONE, Class, Func, Import
from prefixlint.frontends.python.with_runs import run_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.frontends.python.definitions import FunctionNode
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter


class Statements:
    """Runs them. Kinds that are not listed do nothing to what prompts are made of."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        assignments, branches, loops = interpreter.assignments, interpreter.branches, interpreter.loops
        self._handlers: dict[type[ast.stmt], Callable[..., None]] = {
            ast.Expr: self._expression,
            ast.Assign: assignments.on_assign,
            ast.AnnAssign: assignments.on_annotated,
            ast.AugAssign: assignments.on_augmented,
            ast.Delete: assignments.on_delete,
            ast.If: branches.on_if,
            ast.Try: branches.on_try,
            ast.TryStar: branches.on_try,
            ast.Match: self._match,
            ast.For: loops.on_for,
            ast.AsyncFor: loops.on_for,
            ast.While: loops.on_while,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.Continue: self._leave,
            ast.Break: self._leave,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
        }

    def run_block(self, body: list[ast.stmt], frame: Frame) -> None:
        """Runs statements in order, as far as the path through them goes."""
        for node in body:
            if frame.state is None:
                return
            self._interpreter.step()
            run = self._handlers.get(type(node))
            if run is not None:
                run(node, frame)

    def _expression(self, node: ast.Expr, frame: Frame) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Yield):
            if node.value.value is not None:
                self._interpreter.yielded(self._interpreter.evaluate(node.value.value, frame), frame)
            return
        frame.unused = node.value.value if isinstance(node.value, ast.Await) else node.value
        self._interpreter.evaluate(node.value, frame)
        if frame.function is not None and _ends_program(node.value):
            frame.state = None

    def _return(self, node: ast.Return, frame: Frame) -> None:
        value = NONE if node.value is None else self._interpreter.evaluate(node.value, frame)
        if frame.state is not None:
            frame.returns.append((value, frame.state, frame.branch))
        frame.state = None

    def _raise(self, node: ast.Raise, frame: Frame) -> None:
        frame.state = None

    def _leave(self, node: ast.Continue | ast.Break, frame: Frame) -> None:
        if frame.state is not None:
            branch = frame.branch
            # Where a loop leaves off for their number, it takes less of them: none gets another form.
            counted = isinstance(node, ast.Break) and branch is not None and branch.drift is not None
            frame.loop_exits.append((frame.state, None if counted else branch))
        frame.state = None

    def _with(self, node: ast.With | ast.AsyncWith, frame: Frame) -> None:
        run_with(self._interpreter, node, frame)

    def _match(self, node: ast.Match, frame: Frame) -> None:
        run_match(self._interpreter, node, self._interpreter.evaluate(node.subject, frame), frame)

    def _function(self, node: FunctionNode, frame: Frame) -> None:
        assert frame.state is not None
        info = frame.module.function_defined_by(node) or FunctionInfo.of(node, frame.module)
        closure = {} if frame.function is None else {**frame.closure, **frame.state.variables}
        frame.state.variables[node.name] = made = Func(info, None, closure)
        if node.decorator_list:
            register(self._interpreter, node, made, frame)

    def _class(self, node: ast.ClassDef, frame: Frame) -> None:
        assert frame.state is not None
        info = frame.module.classes.get(node.name)
        if info is not None:
            frame.state.variables[node.name] = made = Class(info)
            if node.decorator_list:
                register(self._interpreter, node, made, frame)

    def _import(self, node: ast.Import, frame: Frame) -> None:
        assert frame.state is not None
        for alias in node.names:
            dotted = alias.name if alias.asname else alias.name.partition(".")[0]
            frame.state.variables[alias.asname or dotted] = Import(dotted, 0, "", frame.module)

    def _import_from(self, node: ast.ImportFrom, frame: Frame) -> None:
        assert frame.state is not None
        for alias in node.names:
            if alias.name != "*":
                frame.state.variables[alias.asname or alias.name] = Import(
                    node.module or "", node.level, alias.name, frame.module
                )


def _ends_program(node: ast.expr) -> bool:
    """``sys.exit(…)``, ``exit()``: nothing behind it is reached."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    if isinstance(called, ast.Name):
        return called.id in ("exit", "quit")
    owner = called.value if isinstance(called, ast.Attribute) and called.attr == "exit" else None
    return isinstance(owner, ast.Name) and owner.id == "sys"
