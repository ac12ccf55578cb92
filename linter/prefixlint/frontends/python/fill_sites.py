"""Placeholders of constants that nothing is seen to send, judged by the code that fills them.

``msgs.append(SUMMARY.format(program=describe(program)))`` in a loop over programs fills ``program`` with another text
in each pass, whatever it is called. Only what the name of a placeholder leaves open is asked for.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from prefixlint.frontends.python.patterns import marked_name
from prefixlint.frontends.python.syntax import adds, last_name
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.names import meaning
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Value, rebuilt, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.frontends.python.modules import FunctionInfo, ModuleInfo
    from prefixlint.model.segments import Segment, Text
    from prefixlint.model.templates import Template

_LEAST = 5
"""Characters of a constant's name that tells something."""
_DEPTH = 4
"""Variables that are followed one behind the other."""


class FillSites:
    """Knows where the project's code fills constants."""

    def __init__(self, modules: Iterable[ModuleInfo]) -> None:
        self._modules = {module.path: module for module in modules}
        self._importers: dict[str, list[ModuleInfo]] = {}

    def judged(self, template: Template) -> Template:
        """The template; a placeholder of which nothing was known is what is seen to fill it."""
        module = self._modules.get(template.span.path)
        name = template.name.rpartition(".")[2]
        if module is None or template.form != "prompt-constant" or len(name) < _LEAST:
            return template
        values = (s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value))
        unknown = {value.name for value in values if _is_open(value)}
        found = self._filled(name, module, unknown) if unknown else {}
        if not found:
            return template
        blocks = (
            replace(block, segments=rebuilt(block.segments, partial(_as_filled, found))) for block in template.blocks
        )
        return replace(template, blocks=tuple(blocks))

    def _importing(self, stem: str) -> list[ModuleInfo]:
        """Modules that import one of this name."""
        if stem not in self._importers:
            self._importers[stem] = [module for module in self._modules.values() if stem in module.imported]
        return self._importers[stem]

    def _filled(self, name: str, module: ModuleInfo, unknown: set[str]) -> dict[str, Value]:
        """What fills these placeholders of a constant, as values at the place of that; those that stay open are left
        out."""
        found: dict[str, Value] = {}
        for other in (module, *self._importing(module.dotted.rpartition(".")[2])):
            if name in other.file.text:
                for info in other.functions:
                    for call in info.own_nodes.of(ast.Call):
                        for key, given in _fillings(call, name):
                            value = _given(given, call, info) if key in unknown and key not in found else None
                            if value is not None:
                                found[key] = value
        return found


def _is_open(value: Value) -> bool:
    return bool(value.name) and not value.lifetime.known and value.origin.kind is SourceKind.PARAMETER


def _as_filled(found: dict[str, Value], segment: Text | Value) -> tuple[Segment, ...]:
    given = found.get(segment.name) if isinstance(segment, Value) and _is_open(segment) else None
    if given is None or not isinstance(segment, Value):
        return (segment,)
    return (replace(segment, lifetime=given.lifetime, origin=given.origin, confidence=given.confidence),)


def _fillings(call: ast.Call, name: str) -> Iterator[tuple[str, ast.expr]]:
    """What a call fills into the constant of this name: ``NAME.format(key=…)``, ``NAME.replace("{key}", …)``."""
    function = call.func
    if not isinstance(function, ast.Attribute):
        return
    if function.attr == "replace" and len(call.args) == 2 and _holds(function.value, name):
        marked = call.args[0]
        if isinstance(marked, ast.Constant) and isinstance(marked.value, str):
            yield marked_name(marked.value), call.args[1]
    elif function.attr in call_names().filling_text and last_name(function.value) == name:
        yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None)


def _holds(node: ast.expr, name: str) -> bool:
    """The constant, or one that was replaced in before: ``NAME.replace(…).replace(…)``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "replace":
        node = node.func.value
    return last_name(node) == name


def _given(node: ast.expr, call: ast.Call, info: FunctionInfo) -> Value | None:
    """What is filled in, where a loop around the call makes it another one in each pass."""
    names = _made_of(node, info)
    for loop in info.own_nodes.loops():
        around = loop.lineno <= call.lineno and (call.end_lineno or call.lineno) <= (loop.end_lineno or loop.lineno)
        if around and not names.isdisjoint(_names_in(loop.target)) and not _is_fixed(loop.iter, info):
            span = info.module.places.span(loop.target)
            hops = (Hop(HopKind.EACH, span),)
            return Value("", span, Lifetime.REQUEST, Origin(SourceKind.USER_INPUT, hops), Confidence.HIGH)
    return None


def _made_of(node: ast.expr, info: FunctionInfo) -> set[str]:
    """All variables that an expression is made of, through others."""
    definitions = info.own_nodes.definitions()
    names, left = set[str](), _names_in(node)
    for _ in range(_DEPTH):
        names |= left
        left = {n for name in left for value in definitions.get(name, ()) for n in _names_in(value)} - names
    return names


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _is_fixed(over: ast.expr, info: FunctionInfo) -> bool:
    """Whether a loop runs over something written out or configured: it fills in the same texts each time."""
    names = [part for part in ast.walk(over) if isinstance(part, ast.Name | ast.Attribute)]
    return all(
        last_name(name).isupper()
        or last_name(name) in _PLAIN
        or meaning(last_name(name)).kind is SourceKind.CONFIGURATION
        or (isinstance(name, ast.Name) and _is_written_out(name.id, info))
        for name in names
    )


def _is_written_out(name: str, info: FunctionInfo) -> bool:
    """Whether a variable of the function or its module is only ever set to constants, and nothing is added to it."""
    nodes = info.own_nodes if name in info.own_nodes.definitions() else info.module.own_nodes
    values = nodes.definitions().get(name, ())
    added = {last_name(call.func.value) for call in info.own_nodes.of(ast.Call) if adds(call.func)}
    return bool(values) and name not in added | info.module.names_added_to.keys() and all(map(_holds_constants, values))


def _holds_constants(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return bool(node.elts) and all(map(_holds_constants, node.elts))
    if isinstance(node, ast.Dict):
        return bool(node.values) and all(map(_holds_constants, node.values))
    return isinstance(node, ast.Constant)


_PLAIN = frozenset(
    {"enumerate", "range", "zip", "items", "values", "keys", "sorted", "list", "len", "reversed", "self"}
)
