"""Facts about Python code that reckons with usage counters, or that gives a cache key: one pass over the syntax tree.

Counters are followed through local names of one function, no further.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.frontends.python.positions import Places
from prefixlint.frontends.python.syntax import last_name
from prefixlint.knowledge.counters import counter_names
from prefixlint.model.code import CodeFact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.model.code import FactKind
    from prefixlint.model.sources import SourceFile

_THROUGH = frozenset({"int", "float", "round", "max", "min", "sum", "abs"})
_WORD = re.compile(r"\w+")


def might_measure(data: bytes) -> bool:
    """Cheap test on the bytes of a file: whether parsing it for facts can be worth it."""
    return any(word in data for word in counter_names().worth)


def facts(file: SourceFile) -> tuple[CodeFact, ...]:
    """The facts of one file in the order of its text; none for a file that is not valid Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(file.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names = counter_names()
    words = frozenset(names.counters.intersection(_WORD.findall(file.text)))
    words |= {name for name, sign in names.signs.items() if sign.search(file.text)}
    reader = _Reader(Places(file), words)
    try:
        reader.scope(tree.body)
    except RecursionError:
        return ()
    return tuple(sorted(reader.found, key=lambda fact: fact.span))


@dataclass(frozen=True, slots=True)
class _Counted:
    """What a value is made of."""

    counters: frozenset[str] = frozenset()
    zeroed: frozenset[str] = frozenset()

    def __or__(self, other: _Counted) -> _Counted:
        return _Counted(self.counters | other.counters, self.zeroed | other.zeroed)


_NOTHING = _Counted()


class _Reader(ast.NodeVisitor):
    def __init__(self, places: Places, words: frozenset[str]) -> None:
        self._places = places
        self._words = words
        self._known = counter_names()
        self._names: dict[str, _Counted] = {}
        self.found: list[CodeFact] = []

    def scope(self, body: list[ast.stmt]) -> None:
        outer, self._names = self._names, {}
        for statement in body:
            self.visit(statement)
        self._names = outer

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.scope(node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.scope(node.body)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._give(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._give(node.target, node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._give(node.target, node.value)

    def _give(self, target: ast.expr, value: ast.expr) -> None:
        self.visit(value)
        self._named(_name(target), value)
        if isinstance(target, ast.Name):
            self._names[target.id] = self._counted(value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        counted = self._counted(node.value)
        if isinstance(node.op, ast.Add) and counted.counters:
            self._tell("sum", node.value, counted, name=_name(node.target))

    def visit_BinOp(self, node: ast.BinOp) -> None:
        left, right = self._counted(node.left), self._counted(node.right)
        if isinstance(node.op, ast.Div) and (left.counters or right.counters):
            both = left | right
            self._tell("ratio", node, _Counted(left.counters, both.zeroed), over=right.counters)
        elif isinstance(node.op, ast.Add) and (left.counters or right.counters):
            self._tell("sum", node, left | right)
            # One finding for a chain of additions.
            for side in (node.left, node.right):
                if not (isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add)):
                    self.visit(side)
            return
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        if isinstance(node.op, ast.Or) and _zero(node.values[-1]):
            counted = self._counted(node)
            if counted.zeroed:
                self._tell("default", node, counted)
                return
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        read = _read(node)
        if read is not None and read[0] in self._known.counters and read[1]:
            self._tell("default", node, _Counted(frozenset({read[0]}), frozenset({read[0]})))
        for keyword in node.keywords:
            if keyword.arg is not None:
                self._named(keyword.arg, keyword.value)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self._named(key.value, value)
        self.generic_visit(node)

    def _named(self, name: str, value: ast.expr) -> None:
        """A value that is handed on under a name."""
        counted = self._counted(value)
        if counted.counters and name:
            self._tell("read", value, counted, name=name)
        if name in self._known.cache_keys and any(_new_each_time(inner) for inner in ast.walk(value)):
            self._tell("cache-key", value, _NOTHING, name=name)

    def _counted(self, node: ast.expr) -> _Counted:
        """The counters that an expression's number comes from."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id, _NOTHING)
        if isinstance(node, ast.Attribute):
            return _Counted(self._known.counters & {node.attr})
        if isinstance(node, ast.Subscript):
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            return _Counted(frozenset({key})) if isinstance(key, str) and key in self._known.counters else _NOTHING
        if isinstance(node, ast.BoolOp):
            out = _union(self._counted(value) for value in node.values)
            zero = isinstance(node.op, ast.Or) and _zero(node.values[-1])
            return _Counted(out.counters, out.counters) if zero else out
        if isinstance(node, ast.IfExp):
            out = self._counted(node.body) | self._counted(node.orelse)
            return _Counted(out.counters, out.counters) if _zero(node.orelse) else out
        if isinstance(node, ast.BinOp):
            return self._counted(node.left) | self._counted(node.right)
        if isinstance(node, ast.UnaryOp | ast.Await | ast.Starred):
            return self._counted(node.operand if isinstance(node, ast.UnaryOp) else node.value)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return self._counted(node.elt)
        return _NOTHING

    def _called(self, node: ast.Call) -> _Counted:
        read = _read(node)
        if read is not None:
            name, zero = read
            if name not in self._known.counters:
                return _NOTHING
            return _Counted(frozenset({name}), frozenset({name}) if zero else frozenset())
        if isinstance(node.func, ast.Name) and node.func.id in _THROUGH:
            return _union(self._counted(argument) for argument in node.args)
        return _NOTHING

    def _tell(
        self, kind: FactKind, node: ast.expr, counted: _Counted, *, over: frozenset[str] = frozenset(), name: str = ""
    ) -> None:
        place, source = self._places.span(node), self._places.source(node)
        fact = CodeFact(kind, place, source, counted.counters, over, counted.zeroed, name, self._words)
        self.found.append(fact)


def _union(parts: Iterator[_Counted]) -> _Counted:
    out = _NOTHING
    for part in parts:
        out |= part
    return out


def _zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not isinstance(node.value, bool) and node.value in (0, 0.0)


def _name(target: ast.expr) -> str:
    """The last name of what is assigned to."""
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return str(target.slice.value)
    return last_name(target)


def _read(node: ast.Call) -> tuple[str, bool] | None:
    """The field that ``x.get("field", 0)`` or ``getattr(x, "field", 0)`` reads, and whether a missing one gives 0."""
    arguments = node.args
    if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        pass
    elif isinstance(node.func, ast.Name) and node.func.id == "getattr":
        arguments = arguments[1:]
    else:
        return None
    if not arguments or not isinstance(arguments[0], ast.Constant) or not isinstance(arguments[0].value, str):
        return None
    return arguments[0].value, len(arguments) > 1 and _zero(arguments[1])


def _new_each_time(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return last_name(called) in counter_names().new_each_time
