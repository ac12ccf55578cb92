"""``sorted()`` around what comes in no fixed order, and ``sort_keys=True``.

A set, ``os.listdir`` and ``Path.iterdir`` promise no order, so a program that is right for any order is right for the
sorted one. That holds only where the items can be compared: the fix is *safe* where they are known to be strings or
paths, *unsafe* where an annotation says so, and not offered otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from prefixlint.model.findings import Edit, Fix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import libcst as cst

    from prefixlint.fixes.python_tree import PythonTree
    from prefixlint.model.sources import Span

Sureness = Literal["safe", "unsafe"]

_LISTINGS = frozenset({"os.listdir", "listdir", "glob.glob", "glob.iglob", "iglob"})
_PATHS = frozenset({"iterdir", "rglob", "glob"})
_SETS = frozenset({"set", "frozenset"})
_SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
_ANNOTATION = re.compile(
    r"(?:typing\.|t\.|collections\.abc\.)?(?:Frozen|Abstract|Mutable)?[Ss]et\[str\]|frozenset\[str\]"
)
_ITERATING = frozenset({"list", "tuple", "enumerate", "iter", "map", "filter", "dict.fromkeys", "reversed"})
_SHADOWED = re.compile(r"\bsorted\s*(?::[^=\n]*)?=[^=]|\bdef\s+sorted\b|\bimport\b[^\n#]*\bsorted\b")
DEEPEST = 12


@dataclass(frozen=True, slots=True)
class _Unordered:
    """A collection without an order: how sure it is that its items can be compared, and the nodes that make it."""

    sureness: Sureness
    nodes: tuple[cst.CSTNode, ...]


def ordering(tree: PythonTree, spans: Iterable[Span]) -> Iterator[Fix]:
    """Fixes that give an order to a collection that one of ``spans`` lies in, or that is made in one of them."""
    import libcst as cst

    if _SHADOWED.search(tree.source.text):
        return
    source = tree.source
    places = [(source.offset(span.start), source.offset(span.end)) for span in spans if span.path == source.path]
    iterated: list[tuple[cst.BaseExpression, cst.Call | None]] = []
    loops: list[cst.CompFor | cst.For] = [*tree.every(cst.CompFor), *tree.every(cst.For)]
    iterated += [(loop.iter, None) for loop in loops if loop.asynchronous is None]
    for call in tree.every(cst.Call):
        iterated += [(expression, call) for expression in _iterated(call)]
    for expression, around_it in iterated:
        found = _unordered(tree, expression, 0)
        if found is None or not any(_meets(tree, places, node) for node in (expression, *found.nodes)):
            continue
        yield _sorted(tree, expression, around_it, found.sureness)
    for call in tree.every(cst.Call):
        if dotted(call.func).rpartition(".")[2] == "dumps" and _meets(tree, places, call):
            fix = _sort_keys(tree, call)
            if fix is not None:
                yield fix


def _meets(tree: PythonTree, places: list[tuple[int, int]], node: cst.CSTNode) -> bool:
    """Does one of the places hold the node, or the node one of them?"""
    low, high = tree.place(node)
    return any((low <= start and end <= high) or (start <= low and high <= end) for start, end in places)


def _iterated(call: cst.Call) -> list[cst.BaseExpression]:
    """The arguments of a call that it goes through in their order."""
    import libcst as cst

    name = dotted(call.func)
    plain = [arg.value for arg in call.args if not arg.star and arg.keyword is None]
    if not plain:
        return []
    if (
        isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "join"
        and isinstance(call.func.value, cst.SimpleString | cst.Name)
    ):
        return plain[:1] if name != "os.path.join" else []
    if name in ("map", "filter"):
        return plain[1:2]
    return plain[:1] if name in _ITERATING else []


def dotted(node: cst.BaseExpression) -> str:
    """``a.b.c`` of a name or attribute; "" for anything else."""
    import libcst as cst

    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = dotted(node.value)
        return f"{left}.{node.attr.value}" if left else ""
    return ""


def _unordered(tree: PythonTree, node: cst.BaseExpression, depth: int) -> _Unordered | None:
    import libcst as cst

    if depth > DEEPEST:
        return None
    if isinstance(node, cst.Set):
        return _Unordered("safe", (node,)) if all(_is_string(each.value) for each in node.elements) else None
    if isinstance(node, cst.SetComp):
        return _Unordered("safe", (node,)) if _is_string(node.elt) else None
    if isinstance(node, cst.BinaryOperation):
        operators = (cst.BitOr, cst.BitAnd, cst.Subtract, cst.BitXor)
        if not isinstance(node.operator, operators):
            return None
        return _both(_unordered(tree, node.left, depth + 1), _unordered(tree, node.right, depth + 1), node)
    if isinstance(node, cst.Call):
        return _call(tree, node, depth)
    if isinstance(node, cst.Name):
        return _named(tree, node, depth)
    return None


def _both(left: _Unordered | None, right: _Unordered | None, node: cst.CSTNode) -> _Unordered | None:
    if left is None or right is None:
        return None
    sureness: Sureness = "safe" if left.sureness == right.sureness == "safe" else "unsafe"
    return _Unordered(sureness, (node, *left.nodes, *right.nodes))


def _call(tree: PythonTree, node: cst.Call, depth: int) -> _Unordered | None:
    import libcst as cst

    name = dotted(node.func)
    if name in _LISTINGS:
        return _Unordered("safe", (node,))
    if name in _SETS and len(node.args) == 1 and not node.args[0].star:
        items = node.args[0].value
        if isinstance(items, cst.List | cst.Tuple):
            return _Unordered("safe", (node,)) if all(_is_string(each.value) for each in items.elements) else None
        if isinstance(items, cst.GeneratorExp):
            return _Unordered("safe", (node,)) if _is_string(items.elt) else None
        inner = _unordered(tree, items, depth + 1)
        return inner and _Unordered(inner.sureness, (node, *inner.nodes))
    if isinstance(node.func, cst.Attribute):
        method = node.func.attr.value
        if method in _PATHS and not isinstance(node.func.value, cst.SimpleString):
            return _Unordered("safe" if _is_path(tree, node.func.value, depth) else "unsafe", (node,))
        if method in _SET_METHODS:
            found = _unordered(tree, node.func.value, depth + 1)
            for arg in node.args:
                found = _both(found, _unordered(tree, arg.value, depth + 1), node)
            return found and _Unordered(found.sureness, (node, *found.nodes))
    return None


def _is_string(node: cst.BaseExpression) -> bool:
    import libcst as cst

    if isinstance(node, cst.SimpleString):
        return "b" not in node.prefix.lower()
    if isinstance(node, cst.ConcatenatedString):
        return _is_string(node.left)
    if isinstance(node, cst.Call):
        return dotted(node.func) == "str"
    return isinstance(node, cst.FormattedString)


def _is_path(tree: PythonTree, node: cst.BaseExpression, depth: int) -> bool:
    import libcst as cst

    if depth > DEEPEST:
        return False
    if isinstance(node, cst.Call):
        return dotted(node.func) in ("Path", "pathlib.Path", "Path.cwd", "Path.home")
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, cst.Divide) and _is_path(tree, node.left, depth + 1)
    if isinstance(node, cst.Attribute):
        return node.attr.value == "parent" and _is_path(tree, node.value, depth + 1)
    value = assigned(tree, node) if isinstance(node, cst.Name) else None
    return value is not None and _is_path(tree, value, depth + 1)


def _named(tree: PythonTree, node: cst.Name, depth: int) -> _Unordered | None:
    value = assigned(tree, node)
    if value is not None:
        found = _unordered(tree, value, depth + 1)
        return found and _Unordered(found.sureness, (node, *found.nodes))
    annotation = _annotation(tree, node)
    if annotation is not None and _ANNOTATION.fullmatch(annotation):
        return _Unordered("unsafe", (node,))
    return None


def assigned(tree: PythonTree, node: cst.Name) -> cst.BaseExpression | None:
    """The one value that a name is ever given in its function, or else in the module; ``None`` for any other name."""
    import libcst as cst

    scope = tree.scope(node)
    for place in dict.fromkeys((scope, tree.module)):
        if isinstance(place, cst.FunctionDef) and any(name.value == node.value for name in parameters(place)):
            return None
        values = list(bindings(tree, place, node.value))
        if values:
            return values[0] if len(values) == 1 else None
    return None


def bindings(tree: PythonTree, scope: cst.CSTNode, name: str) -> Iterator[cst.BaseExpression | None]:
    """What a name is given in a scope, not in the functions inside it; ``None`` for what is no plain assignment."""
    import libcst as cst

    for target in tree.names(name, scope):
        if tree.scope(target) is not scope:
            continue
        parent = tree.parent(target)
        if isinstance(parent, cst.AssignTarget):
            statement = tree.parent(parent)
            simple = isinstance(statement, cst.Assign) and len(statement.targets) == 1
            yield statement.value if simple and isinstance(statement, cst.Assign) else None
        elif isinstance(parent, cst.AnnAssign) and parent.target is target:
            if parent.value is not None:
                yield parent.value
        elif isinstance(parent, cst.AugAssign | cst.For | cst.CompFor | cst.NamedExpr | cst.AsName | cst.Del):
            if getattr(parent, "target", target) is target:
                yield None
        elif isinstance(parent, cst.ImportAlias) or _is_target(tree, parent):
            yield None


def _is_target(tree: PythonTree, node: cst.CSTNode | None) -> bool:
    """Is it a part of a target with several names, or of a ``global`` statement?"""
    import libcst as cst

    if not isinstance(node, cst.Element | cst.NameItem):
        return False
    for parent in tree.up(node):
        if isinstance(parent, cst.AssignTarget | cst.Global | cst.Nonlocal):
            return True
        if isinstance(parent, cst.For | cst.CompFor):
            low, high = tree.place(parent.target)
            start, end = tree.place(node)
            return low <= start and end <= high
        if isinstance(parent, cst.BaseStatement):
            return False
    return False


def parameters(function: cst.FunctionDef) -> list[cst.Name]:
    """The names of a function's parameters."""
    import libcst as cst

    params = function.params
    every = [*params.posonly_params, *params.params, *params.kwonly_params]
    every += [each for each in (params.star_arg, params.star_kwarg) if isinstance(each, cst.Param)]
    return [each.name for each in every]


def _annotation(tree: PythonTree, node: cst.Name) -> str | None:
    import libcst as cst

    scope = tree.scope(node)
    if not isinstance(scope, cst.FunctionDef) or list(bindings(tree, scope, node.value)):
        return None
    for param in (*scope.params.posonly_params, *scope.params.params, *scope.params.kwonly_params):
        if param.name.value == node.value and param.annotation is not None:
            return tree.text(param.annotation.annotation).strip("'\"")
    return None


def _sorted(tree: PythonTree, node: cst.BaseExpression, call: cst.Call | None, sureness: Sureness) -> Fix:
    source = tree.source
    what = tree.text(node)
    if call is not None and dotted(call.func) == "list" and len(call.args) == 1:
        start, end = tree.place(call.func)
        return Fix(sureness, f"sort `{_short(what)}`", (Edit(source.span(start, end), "sorted"),), "order")
    start, end = around(tree, node)
    before = Edit(source.span(start, start), "sorted(")
    return Fix(sureness, f"sort `{_short(what)}`", (before, Edit(source.span(end, end), ")")), "order")


def around(tree: PythonTree, node: cst.BaseExpression) -> tuple[int, int]:
    """The node's place with the brackets around it."""
    start, end = tree.place(node)
    if node.lpar:
        start, end = min(start, tree.place(node.lpar[0])[0]), max(end, tree.place(node.rpar[-1])[1])
    return start, end


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 50 else line[:49] + "…"


def _sort_keys(tree: PythonTree, call: cst.Call) -> Fix | None:
    """``sort_keys=True`` for a dict: safe where its keys are strings and its values hold no other dict."""
    if not call.args or any(arg.star or (arg.keyword and arg.keyword.value == "sort_keys") for arg in call.args):
        return None
    sureness: Sureness = "safe" if _plain_dict(tree, call.args[0].value) else "unsafe"
    _, end = around(tree, call.args[-1].value)
    edit = Edit(tree.source.span(end, end), ", sort_keys=True")
    return Fix(sureness, f"sort the keys in `{_short(tree.text(call))}`", (edit,), "order")


def _plain_dict(tree: PythonTree, node: cst.BaseExpression) -> bool:
    import libcst as cst

    if isinstance(node, cst.Name):
        value = assigned(tree, node)
        return value is not None and not isinstance(value, cst.Name) and _plain_dict(tree, value)
    plain = (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString, cst.Integer, cst.Float)
    if isinstance(node, cst.Dict):
        return all(
            isinstance(each, cst.DictElement) and _is_string(each.key) and isinstance(each.value, plain)
            for each in node.elements
        )
    if isinstance(node, cst.DictComp):
        found = _unordered(tree, node.for_in.iter, 0)
        same = isinstance(node.key, cst.Name) and isinstance(node.for_in.target, cst.Name)
        comparable = found is not None and found.sureness == "safe" and same
        return (comparable or _is_string(node.key)) and isinstance(node.value, plain)
    return False
