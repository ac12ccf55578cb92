"""Functions that a framework calls with what a user sends, or a model asks for: routes, callbacks of chat applications,
tasks, commands, tools.

Nothing in the code calls them, so their parameters hold what the framework gives (data: ``[[handler]]`` in the tables
of libraries). A parameter whose name says what it holds keeps that; any other is what the framework's handlers get.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.guards import not_none
from prefixlint.frontends.python.remembered import once
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.values import RUN
from prefixlint.knowledge.libraries import libraries
from prefixlint.knowledge.names import split_words
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.frontends.python.modules import FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.values import Opaque
    from prefixlint.knowledge.libraries import Handler

_TELLING_BY_NAME = frozenset({SourceKind.PARAMETER, SourceKind.CONFIGURATION})
_PLAIN_TYPES = frozenset({"str", "int", "float", "bool", "Literal", "Enum", "date", "datetime"})
_NUMBERS = frozenset({"int", "float", "bool"})
_TEXTS = frozenset({SourceKind.HISTORY, SourceKind.SUMMARY, SourceKind.RETRIEVAL})


class Handlers:
    """The handlers among the functions of some modules."""

    def __init__(self, modules: Iterable[ModuleInfo] = ()) -> None:
        self._registered: dict[str, list[tuple[ModuleInfo, Handler]]] = {}
        for module in modules:
            for name, entry in registrations(module):
                self._registered.setdefault(name, []).append((module, entry))

    def of(self, info: FunctionInfo) -> Handler | None:
        """What the tables say of a function that a framework calls; None for any other."""
        known = libraries().handlers
        for name in info.decorators & known.decorators.keys():
            for entry in known.decorators[name]:
                if _imports(info.module, entry) or (entry.routes and _is_route(info, name)):
                    return entry
        for module, entry in self._registered.get(info.name, ()):
            if module is info.module or info.module.dotted.rpartition(".")[2] in module.imported:
                return entry
        return known.signatures.get((info.name, *info.parameters))

    def is_tool(self, info: FunctionInfo) -> bool:
        """Whether a model calls a function, as its decorator says, also one that the project makes itself, or who
        registers it."""
        known = libraries().handlers.decorators
        if any(entry.tool for name in info.decorators & known.keys() for entry in known[name]):
            return True
        entry = self.of(info)
        return entry is not None and entry.tool

    def given(self, info: FunctionInfo, argument: ast.arg, value: Opaque) -> Opaque:
        """``value``, what a parameter's name suggests, as the framework fills it; no caller fills it."""
        known = libraries().handlers
        entry = self.of(info)
        if entry is None:
            return as_annotated(argument, value)
        value = _as_number(argument, value)
        default = info.defaults.get(argument.arg)
        if (
            argument.arg in known.injected
            or _names(argument.annotation, known.injected)
            or (isinstance(default, ast.Call) and _names(default, known.injected))
        ):
            # ``ctx: RunContext`` is nothing that was retrieved, as a context without a type may be.
            found = value.origin.kind is SourceKind.RETRIEVAL
            return value.but(lifetime=Lifetime.UNKNOWN, origin=Origin(SourceKind.PARAMETER)) if found else value
        if value.lifetime.known and value.origin.kind not in _TELLING_BY_NAME:
            return value
        if value.origin.kind is SourceKind.CONFIGURATION and not _is_body(argument.annotation):
            return value
        kind, lifetime = entry.kind, entry.lifetime
        last = split_words(argument.arg)[-1:]
        if kind is SourceKind.USER_INPUT and set(last) & known.identifying:
            kind, lifetime = SourceKind.SESSION, Lifetime.USER
        confidence = Confidence.HIGH
        return value.but(lifetime=lifetime, origin=Origin(kind), confidence=confidence, name="", shape="text")


def as_annotated(argument: ast.arg, value: Opaque) -> Opaque:
    """``value``, what a parameter's name suggests, where its annotation knows better: that it is a number, or that it
    holds the state of a run and no tool of an agent takes it (what a function writes instructions with is of the
    session)."""
    if not _names(argument.annotation, libraries().handlers.runs):
        return _as_number(argument, value)
    return value.but(lifetime=Lifetime.UNKNOWN, origin=Origin(SourceKind.PARAMETER), type=RUN)


def _as_number(argument: ast.arg, value: Opaque) -> Opaque:
    """``turns: int`` counts turns, and holds none."""
    annotation = not_none(argument.annotation)
    if value.origin.kind not in _TEXTS or annotation is None or last_name(annotation) not in _NUMBERS:
        return value
    return value.but(
        lifetime=Lifetime.UNKNOWN,
        origin=Origin(SourceKind.PARAMETER),
        confidence=Confidence.LOW,
        shape="integer",
        grows=False,
    )


def _imports(module: ModuleInfo, entry: Handler) -> bool:
    return not entry.packages or not module.packages.isdisjoint(entry.packages)


def _is_route(info: FunctionInfo, name: str) -> bool:
    """Whether this decorator's first argument is a path: ``@router.post("/ask")``, its application made elsewhere."""
    for node in info.definition.decorator_list:
        if isinstance(node, ast.Call) and last_name(node.func) == name and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.startswith("/"):
                return True
    return False


@once
def registrations(module: ModuleInfo) -> tuple[tuple[str, Handler], ...]:
    """Names of functions that a module hands to a framework, each with what the tables say of them."""
    return tuple(_registrations(module))


def _registrations(module: ModuleInfo) -> Iterator[tuple[str, Handler]]:
    known = libraries().handlers
    every = [entry for entries in (*known.registrars.values(), *known.lists.values()) for entry in entries]
    if not any(not entry.packages or not module.packages.isdisjoint(entry.packages) for entry in every):
        return
    bodies = (module.own_nodes, *(info.own_nodes for info in module.functions))
    for node in (node for body in bodies for node in body.of(ast.Call)):
        for keyword in node.keywords:
            listed = next((e for e in known.lists.get(keyword.arg or "", ()) if _imports(module, e)), None)
            if listed is not None and isinstance(keyword.value, ast.List | ast.Tuple):
                yield from ((name, listed) for item in keyword.value.elts if (name := last_name(item)))
        entry = next((e for e in known.registrars.get(last_name(node.func), ()) if _imports(module, e)), None)
        if entry is None:
            continue
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            name = last_name(argument)
            if name:
                yield name, entry


def _names(node: ast.expr | None, words: frozenset[str]) -> bool:
    """Whether an annotation or a default names one of these things that a framework gives."""
    return node is not None and any(last_name(n) in words for n in ast.walk(node) if isinstance(n, ast.expr))


def _is_body(annotation: ast.expr | None) -> bool:
    """Whether an annotation names a class of data: what is sent as a whole, however the parameter is called."""
    if annotation is None:
        return False
    names = {last_name(n) for n in ast.walk(annotation) if isinstance(n, ast.Name | ast.Attribute)}
    return bool(names - {"", "None", "Annotated", "Optional", "Union", "list", "List"}) and not names & _PLAIN_TYPES
